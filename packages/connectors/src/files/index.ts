/** CSV and JSON Lines files and XLSX workbooks: an entity for each table, types found out from the data. Read only. */
import { type Capability, ConnectorError, defineConnector } from "@accord/connector-sdk";
import type { TextRules } from "./cells.ts";
import { FILES_CONFIG_FIELDS, FilesConfig, settingsOf } from "./config.ts";
import { describeTable } from "./describe.ts";
import type { FileSource } from "./formats/format.ts";
import { releaseReader } from "./formats/index.ts";
import { listIds } from "./list-ids.ts";
import { placeOf } from "./places/index.ts";
import { readFiles, type Reading } from "./read.ts";
import { isOfFile, mayHold, Tables } from "./tables.ts";

const FILES_CAPABILITIES: Capability[] = [
  "read",
  "readChanges",
  "readByWatermark",
  "listIds",
  "userEditableId",
  "userEditableWatermark",
];

export const filesConnector = defineConnector({
  type: "files",
  displayName: "Files",
  category: "files",
  description:
    "CSV, JSON Lines and Excel files, uploaded in the browser or in a folder of this server; new versions are read by themselves.",
  icon: "files",
  backgroundColor: "gold",
  config: FilesConfig,
  configFields: FILES_CONFIG_FIELDS,
  authMethods: [{ type: "none", label: "None", fields: [] }],
  capabilities: FILES_CAPABILITIES,
  readPageSize: 2000,
  writeBatchSize: 1,
  readDelaySeconds: 0,
  // Forms propose the other place: what is saved has to name the one that is meant.
  complete: ({ place = "folder", ...rest }) => ({ place, ...rest }),
  hosts: () => [],
  destinations: () => [],
  capabilitiesOf: ({ place }, entity) =>
    FILES_CAPABILITIES.filter((capability) => {
      if (capability === "readByWatermark") return entity.fields.some((field) => field.isWatermarkField);
      // Files that were read are moved out of a folder: that deletes nothing.
      return capability !== "listIds" || place === "uploaded";
    }),

  connect(context, config) {
    const place = placeOf(config, context);
    const tables = new Tables(place);
    const owner = {};
    const sourcesOf = async (entity: string): Promise<readonly FileSource[]> => {
      const { entities, problems } = await tables.list();
      const sources = entities.get(entity);
      if (sources) return sources;
      throw (
        problems.find((problem) => mayHold(problem, entity))?.error ??
        new ConnectorError(
          "schemaChanged",
          `There is no file or folder ${entity} any more in ${await place.label()}.`,
          {
            hint: "Put it back, or refresh the connector's schema.",
          },
        )
      );
    };
    // What was read before anybody could say anything about single files is read by the rules of then.
    const rulesOf = (entity: string): TextRules => ({
      ...settingsOf(config, entity),
      isExact: config.place === "uploaded" || Object.hasOwn(config.files, entity),
    });
    const checkpoint = (): void => context.signal.throwIfAborted();
    const readingOf = (entity: string): Reading => ({ settings: rulesOf(entity), owner });
    const leaveOut = ({ message }: ConnectorError, name: string): void =>
      context.log("warn", "a table can't be read, and is left out", { table: name, problem: message });
    return {
      async check() {
        const { entities, problems } = await tables.list();
        for (const { error, file } of problems) leaveOut(error, file);
        if (entities.size > 0) return;
        if (problems[0]) throw problems[0].error;
        throw new ConnectorError(
          "configuration",
          `There are no CSV, JSON Lines or XLSX files in ${await place.label()}.`,
          { hint: place.hintWhenEmpty },
        );
      },
      async *discover({ only }) {
        const { entities, problems } = await tables.list();
        const found = [...entities].filter(([name]) => !only || only.includes(name));
        let problem = problems.find((one) => !only || only.some((name) => mayHold(one, name)))?.error;
        let isAnyRead = false;
        for (const [at, [name, sources]] of found.entries()) {
          const entity = await describeTable(name, sources, rulesOf(name), checkpoint).catch((error: unknown) => {
            if (!isOfFile(error)) throw error;
            leaveOut(error, name);
            problem ??= error;
          });
          if (!entity) continue;
          isAnyRead = true;
          yield { entity, done: at + 1, total: found.length };
        }
        // One table that can't be read keeps nobody from the others.
        if (problem && !isAnyRead) throw problem;
      },
      async read(request) {
        const { apiName } = request.entity;
        return readFiles(await sourcesOf(apiName), readingOf(apiName), request);
      },
      async listIds(request) {
        const { apiName } = request.entity;
        return listIds(await sourcesOf(apiName), readingOf(apiName), request);
      },
      close: () => releaseReader(owner),
    };
  },
});
