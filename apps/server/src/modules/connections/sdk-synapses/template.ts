/** What somebody who never wrote a synapse begins with: the guide, an example, and the interface it is written on. */
import { readFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { Download } from "../../../platform/http/download.ts";

const ROOT = new URL("../../../../../../", import.meta.url);
const SDK = "packages/connector-sdk";
const EXAMPLE = ["synapse.mjs", "package.json", "inputs.json", "synapse.test.mjs"] as const;
const INTERFACE = ["connector.ts", "connection.ts", "errors.ts", "request.ts", "guest/synapse.ts"] as const;

/** The same archive whenever it is asked for. */
const WRITTEN_AT = new Date(1980, 0, 2);

const textOf = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");

/** Links of the guide lead into the repository, which its readers may not have. */
const guide = (): string => textOf("docs/sdk-synapses.md").replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, "$1");

export const readTemplate = () => ({
  guide: guide(),
  files: EXAMPLE.map((fileName) => ({ fileName, text: textOf(`${SDK}/template/${fileName}`) })),
});

export function templateArchive(): Download {
  const { guide: readMe, files } = readTemplate();
  const entries = {
    "my-synapse/README.md": strToU8(readMe),
    ...Object.fromEntries(files.map(({ fileName, text }) => [`my-synapse/${fileName}`, strToU8(text)])),
    ...Object.fromEntries(
      INTERFACE.map((path) => [`my-synapse/interface/${path}`, strToU8(textOf(`${SDK}/src/${path}`))]),
    ),
  };
  const content = zipSync(entries, { mtime: WRITTEN_AT });
  return new Download({ fileName: "my-synapse.zip", contentType: "application/zip", content });
}
