/** Google Sheets: each tab with names in its first row is an entity, read by comparison and written row by row, found by id. */
import { ConnectorError, defineConnector, type Capability, type Connection } from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import { googleSheets } from "@accord/contracts/messages/en/synapses/google-sheets";
import { fill } from "@accord/contracts/messages/fill";
import { openClient } from "./calls/client.ts";
import { cellsOf, spreadsheetOf } from "./calls/spreadsheet.ts";
import {
  authorizationOf,
  destinationsOf,
  hostsOf,
  SHEETS_AUTH_METHODS,
  SHEETS_CONFIG_FIELDS,
  SheetsConfig,
  signInProblemsOf,
} from "./config.ts";
import { describeTab, SAMPLE_ROWS } from "./describe.ts";
import { listIds, pagesOf } from "./reading/read.ts";
import { recordsOf, unreadableRecord } from "./reading/records.ts";
import { entityNameOf, readTab, tabReader } from "./reading/tab.ts";
import { writeRows } from "./writing/write.ts";

const CAPABILITIES: Capability[] = [
  "read",
  "listIds",
  "getById",
  "lookup",
  "create",
  "update",
  "delete",
  "idempotentCreate",
  "checkedWrite",
  "userEditableId",
];

export const googleSheetsConnector = defineConnector({
  type: "google-sheets",
  displayName: "Google Sheets",
  category: "application",
  description:
    "Tabs of one spreadsheet, read and written both ways; rows are found by an id column, wherever they stand.",
  icon: "spreadsheet",
  backgroundColor: "teal",
  config: SheetsConfig,
  configFields: SHEETS_CONFIG_FIELDS,
  authMethods: SHEETS_AUTH_METHODS,
  capabilities: CAPABILITIES,
  readPageSize: 2000,
  writeBatchSize: 500,
  readDelaySeconds: 0,
  hosts: hostsOf,
  destinations: destinationsOf,
  signInProblems: (config, authType) => (authType === "oauth" ? signInProblemsOf(config) : []),
  authorization: authorizationOf,
  capabilitiesOf: (_, { fields }) => {
    const isComputed = fields.some(({ isIdField, calculated }) => isIdField && calculated);
    return CAPABILITIES.filter((one) => !isComputed || (one !== "create" && one !== "idempotentCreate"));
  },

  connect(context, config): Connection {
    const client = openClient(context, config);
    const reader = tabReader(client);
    const pages = pagesOf(reader);
    const describe = async (only?: readonly string[]) => {
      const { title, tabs } = await spreadsheetOf(client, context.signal);
      const some = tabs.filter(({ sheetId }) => !only || only.includes(entityNameOf(sheetId)));
      const cells = await cellsOf(client, some, { from: 1, to: SAMPLE_ROWS + 1 }, context.signal);
      return { title, described: some.map((tab) => describeTab(tab, cells.get(tab.sheetId) ?? [], config.idColumn)) };
    };
    const readRecords = async (entity: EntitySchema, fields: readonly string[]) =>
      recordsOf(await readTab(reader, entity, context.signal), entity, fields);
    return {
      async check() {
        const { title, described } = await describe();
        if (described.some(({ entity }) => entity !== null)) return;
        const faults = described.flatMap(({ problems }) => problems.map((problem) => ` ${problem}`)).join("");
        throw new ConnectorError("configuration", fill(googleSheets.tabs.none, { title, faults }), {
          hint: googleSheets.tabs.noneHint,
        });
      },
      async *discover({ only }) {
        const { described } = await describe(only);
        const entities = described.flatMap(({ entity }) => entity ?? []);
        for (const [at, entity] of entities.entries()) yield { entity, done: at + 1, total: entities.length };
      },
      read: (request) => pages.read(request),
      listIds: (request) => listIds(reader, request),
      async getByIds({ entity, fields, ids }) {
        const { byId, doubled } = await readRecords(entity, fields);
        return ids.flatMap((id) => {
          const found = byId.get(id);
          if (found) return [withoutPlace(found.record)];
          return doubled.has(id) ? [unreadableRecord(id, entity)] : [];
        });
      },
      async lookup({ entity, fields, field, values }) {
        const { byId } = await readRecords(entity, [...fields, field]);
        const wanted = new Set(values.map(folded));
        return [...byId.values()].flatMap(({ record }) => {
          const value = record.values[field] ?? null;
          return value !== null && wanted.has(folded(value)) ? [withoutPlace(record)] : [];
        });
      },
      async write(request) {
        pages.forget();
        try {
          return await writeRows(reader, request);
        } finally {
          pages.forget();
        }
      },
      changeDetection: async () => ({ method: "changedFile", tableBytes: null, replication: null }),
      close: async () => {},
    };
  },
});

const folded = (value: Value): string => String(value).toLowerCase();

const withoutPlace = <Read extends { place?: string }>({ place: _, ...record }: Read): Omit<Read, "place"> => record;
