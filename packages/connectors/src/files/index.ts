/** Folders of CSV and JSON Lines files: an entity for each file or subfolder, types found out from the data. Read only. */
import {
  type Capability,
  ConnectorError,
  defineConnector,
  inferFields,
  detectKeyFields,
  titleOf,
} from "@accord/connector-sdk";
import { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import { FILES_CONFIG_FIELDS, FilesConfig } from "./config.ts";
import { likelyIdColumn } from "./layout.ts";
import { readFiles, ROW_FIELD } from "./read.ts";
import { listEntities, readRows, stateOf, type FileSource } from "./source.ts";

/** Rows looked at to find out types. */
const SAMPLE_ROWS = 1000;

const FILES_CAPABILITIES: Capability[] = [
  "read",
  "readChanges",
  "readByWatermark",
  "userEditableId",
  "userEditableWatermark",
];

export const filesConnector = defineConnector({
  type: "files",
  displayName: "Files",
  category: "files",
  description: "CSV and JSON Lines files in a folder of this server; new and changed files are read by themselves.",
  icon: "files",
  backgroundColor: "gold",
  config: FilesConfig,
  configFields: FILES_CONFIG_FIELDS,
  authMethods: [{ type: "none", label: "None", fields: [] }],
  capabilities: FILES_CAPABILITIES,
  readPageSize: 2000,
  writeBatchSize: 1,
  readDelaySeconds: 0,
  hosts: () => [],
  destinations: () => [],
  capabilitiesOf: (_, entity) =>
    FILES_CAPABILITIES.filter(
      (capability) => capability !== "readByWatermark" || entity.fields.some((field) => field.isWatermarkField),
    ),

  connect(context, config) {
    const folder = (): Promise<string> => context.resolveFolder(config.folder);
    const entities = async (): Promise<Map<string, FileSource[]>> => listEntities(await folder());
    return {
      async check() {
        if ((await entities()).size === 0)
          throw new ConnectorError("configuration", `There are no CSV or JSON Lines files in ${await folder()}.`, {
            hint: "Put files ending in .csv, .tsv, .jsonl or .ndjson there, or name another folder.",
          });
      },
      async *discover({ only }) {
        const found = [...(await entities())].filter(([name]) => !only || only.includes(name));
        for (const [at, [name, sources]] of found.entries())
          yield { entity: await describe(name, sources, config), done: at + 1, total: found.length };
      },
      async read(request) {
        const sources = (await entities()).get(request.entity.apiName);
        if (!sources)
          throw new ConnectorError(
            "schemaChanged",
            `There is no file or folder ${request.entity.apiName} any more in ${await folder()}.`,
            { hint: "Put it back, or refresh the connector's schema." },
          );
        return readFiles(sources, config, request);
      },
      close: async () => {},
    };
  },
});

async function describe(name: string, sources: readonly FileSource[], config: FilesConfig): Promise<EntitySchema> {
  const samples: Values[] = [];
  let columns: string[] | null = null;
  let isCsv = false;
  for (const source of sources) {
    if (samples.length >= SAMPLE_ROWS) break;
    const size = (await stateOf(source.path))?.size ?? 0;
    const { rows, layout } = await readRows(source, config, { from: null, size, most: SAMPLE_ROWS - samples.length });
    samples.push(...rows.flatMap((row) => (row.problem ? [] : [row.values])));
    columns ??= layout.columns;
    isCsv = layout.kind === "csv";
  }
  const inferred = inferFields([Object.fromEntries((columns ?? []).map((column) => [column, null])), ...samples], {
    texts: isCsv,
  });
  const named = detectKeyFields(inferred, samples);
  const id =
    named.find((field) => field.isIdField)?.apiName ??
    likelyIdColumn(
      inferred.map((field) => field.apiName),
      samples,
    );
  const row = FieldSchema.parse({
    apiName: ROW_FIELD,
    displayName: "File and line",
    description: "Identifies a row by its place, for files that have no id column.",
    unique: true,
    isSystem: true,
    nillable: false,
  });
  return EntitySchema.parse({
    apiName: name,
    displayName: titleOf(name),
    readOnly: true,
    fields: [...named, row].map((field) => ({
      ...field,
      isIdField: field.apiName === (id ?? ROW_FIELD),
      unique: field.unique || field.apiName === id,
      updateable: false,
      initializable: false,
    })),
  });
}
