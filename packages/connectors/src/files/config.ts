/** What a folder of files needs: where it is and how its files are written. */
import { FILES_FOLDER } from "@accord/connector-sdk";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { z } from "zod";

export const FilesConfig = z.object({
  /** Below the folder of the instance; empty: that folder itself. */
  folder: z.string().trim().max(1000).default(""),
  header: z.enum(["auto", "yes", "no"]).default("auto"),
  delimiter: z.enum(["auto", "comma", "semicolon", "tab", "pipe"]).default("auto"),
  encoding: z.enum(["utf-8", "windows-1252"]).default("utf-8"),
});
export type FilesConfig = z.output<typeof FilesConfig>;

export const FILES_CONFIG_FIELDS: InputDefinition[] = [
  {
    name: "folder",
    label: "Folder",
    datatype: "string",
    helpText: `Below ${FILES_FOLDER} on the server, which holds the files of this instance; empty for that folder itself. Each CSV or JSON Lines file in it becomes an entity, each subfolder one for all of its files.`,
  },
  {
    name: "header",
    label: "First line of a CSV file",
    datatype: "picklist",
    defaultValue: "auto",
    values: [
      { id: "auto", label: "Find out" },
      { id: "yes", label: "Names of the columns" },
      { id: "no", label: "Already data" },
    ],
  },
  {
    name: "delimiter",
    label: "Between values",
    datatype: "picklist",
    defaultValue: "auto",
    values: [
      { id: "auto", label: "Find out" },
      { id: "comma", label: "Comma ," },
      { id: "semicolon", label: "Semicolon ;" },
      { id: "tab", label: "Tab" },
      { id: "pipe", label: "Bar |" },
    ],
  },
  {
    name: "encoding",
    label: "Letters are encoded as",
    datatype: "picklist",
    defaultValue: "utf-8",
    values: [
      { id: "utf-8", label: "UTF-8" },
      { id: "windows-1252", label: "Western European (Windows)" },
    ],
  },
];
