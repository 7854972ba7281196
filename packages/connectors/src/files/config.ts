/** What files need: where they are and how they are written. */
import { FILES_FOLDER } from "@accord/connector-sdk";
import { FileSettings, PartialFileSettings } from "@accord/contracts/connections/file-settings";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { z } from "zod";

const { header, delimiter, encoding, dates, numbers } = FileSettings.shape;

/** How all files of a place are written. */
export const TEXT_SHAPE = {
  header: header.default("auto"),
  delimiter: delimiter.default("auto"),
  encoding: encoding.default("utf-8"),
  dates: dates.default("yearFirst"),
  numbers: numbers.default("plain"),
};

export const FilesConfig = z.object({
  /** `folder` where nothing else was chosen: files were read from nowhere else once. */
  place: z.enum(["uploaded", "folder"]).default("folder"),
  /** Below the folder of the instance; empty: that folder itself. */
  folder: z.string().trim().max(1000).default(""),
  ...TEXT_SHAPE,
  /** What was said of single files, by the entity that they are. */
  files: z
    .record(z.string().max(200), PartialFileSettings)
    .refine((files) => Object.keys(files).length <= 10_000, "describes more than 10,000 files")
    .default({}),
});
export type FilesConfig = z.output<typeof FilesConfig>;

/** How the files of an entity are read: what was said of it, and of all files for the rest. */
export const settingsOf = ({ files, ...all }: FilesConfig, entity: string): FileSettings => ({
  ...{ header: all.header, delimiter: all.delimiter, encoding: all.encoding },
  ...{ dates: all.dates, numbers: all.numbers, idColumn: null },
  // Files may be called like what every object has.
  ...(Object.hasOwn(files, entity) && files[entity]),
});

/** Inputs of `TEXT_SHAPE`. */
export const TEXT_FIELDS: readonly InputDefinition[] = [
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
    fieldSet: "Advanced",
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
    fieldSet: "Advanced",
  },
  {
    name: "encoding",
    label: "Letters are encoded as",
    datatype: "picklist",
    defaultValue: "utf-8",
    values: [
      { id: "utf-8", label: "UTF-8" },
      { id: "utf-16", label: "UTF-16" },
      { id: "windows-1252", label: "Western European (Windows)" },
    ],
    fieldSet: "Advanced",
  },
  {
    name: "dates",
    label: "Dates like 03/04/2026",
    datatype: "picklist",
    defaultValue: "yearFirst",
    values: [
      { id: "yearFirst", label: "Stay text: only 2026-04-03 is a date" },
      { id: "dayFirst", label: "3 April: the day comes first" },
      { id: "monthFirst", label: "4 March: the month comes first" },
    ],
    fieldSet: "Advanced",
  },
  {
    name: "numbers",
    label: "Numbers are written as",
    datatype: "picklist",
    defaultValue: "plain",
    values: [
      { id: "plain", label: "1234.56 only" },
      { id: "point", label: "1,234.56" },
      { id: "comma", label: "1.234,56" },
    ],
    fieldSet: "Advanced",
  },
];

export const FILES_CONFIG_FIELDS: InputDefinition[] = [
  {
    name: "place",
    label: "Where the files are",
    datatype: "picklist",
    defaultValue: "uploaded",
    required: true,
    values: [
      { id: "uploaded", label: "Uploaded in the browser" },
      { id: "folder", label: "In a folder on the server" },
    ],
    helpText: "Uploaded files are added on the synapse's page once it is created, each with a preview.",
  },
  {
    name: "folder",
    label: "Folder",
    datatype: "string",
    requiredValue: { field: "place", value: "folder" },
    helpText: `Below ${FILES_FOLDER} on the server, which holds the files of this instance; empty for that folder itself. Each CSV or JSON Lines file and each sheet of an XLSX workbook in it becomes an entity, each subfolder one for all of its files.`,
  },
  ...TEXT_FIELDS.map((field) =>
    field.name === "numbers"
      ? { ...field, helpText: "For files of which nothing else was said in their preview." }
      : field,
  ),
];
