/** A server for tests of the card wizard: one dataset of deals, which it aggregates, and one card on it that is saved. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import {
  type AxisEntry,
  CardConfiguration,
  type CardConfigurationInput,
  type CardData,
} from "@accord/contracts/insights/cards";
import {
  type DatasetColumn,
  DatasetConfig,
  type DataSourceField,
  ROW_COUNT,
} from "@accord/contracts/insights/dataset-config";
import type { Variable } from "@accord/contracts/insights/variables";
import type { Permission } from "@accord/contracts";
import { afterEach, beforeEach } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";

export const ids = {
  dashboard: "00000000000000000000000a",
  entity: "00000000000000000000000b",
  card: "00000000000000000000000c",
  dataset: "00000000000000000000000d",
  otherDataset: "00000000000000000000000e",
};
const NOW = "2026-06-01T08:00:00.000Z";

const DEALS: readonly Record<string, string | number>[] = [
  { status: "Open", owner: "Ann", amount: 40, size: 4 },
  { status: "Open", owner: "Bob", amount: 25, size: 2 },
  { status: "Paid", owner: "Ann", amount: 20, size: 1 },
  { status: "Paid", owner: "Bob", amount: 5, size: 3 },
];
const COLUMNS: DatasetColumn[] = [
  { name: "status", displayName: "Status", dataType: "string" },
  { name: "owner", displayName: "Owner", dataType: "string" },
  { name: "amount", displayName: "Amount", dataType: "decimal" },
  { name: "size", displayName: "Size", dataType: "integer" },
];

const shownAs = (format: "text" | "number") => (column: string, displayName: string) =>
  ({ column, name: column, displayName, displayFormat: format }) as const;
export const text = shownAs("text");
export const number = (column: string, displayName: string) =>
  ({ ...shownAs("number")(column, displayName), aggregate: "sum" }) as const;

/** Amounts by status, in columns. */
export const AMOUNTS: CardConfigurationInput = {
  ...{ vizType: "COLUMN", datasetId: ids.dataset },
  ...{ xaxis: text("status", "Status"), yaxis: [number("amount", "Amount")] },
};

function valueOf(rows: typeof DEALS, { column }: AxisEntry): number {
  return column === ROW_COUNT ? rows.length : rows.reduce((sum, row) => sum + Number(row[column]), 0);
}

/** What the card shows of the deals: sums by its category and series, or rows of a table. */
function answerTo(card: CardConfiguration): CardData {
  const typeOf = (column: string) => COLUMNS.find(({ name }) => name === column)?.dataType ?? "integer";
  const named = (name: string, { column, displayName }: AxisEntry) => ({ name, displayName, dataType: typeOf(column) });
  const by = card.xaxis ?? card.category ?? card.dataField;
  const split = card.series[0] ?? card.subCategory;
  const single = card.value ?? card.measure;
  const values = single ? [single] : card.yaxis;
  const groups = Map.groupBy(DEALS, (row) =>
    JSON.stringify([by && row[by.column], split?.column ? row[split.column] : null]),
  );
  const charted = [...groups.values()].map((rows) => ({
    x: by ? (rows[0]?.[by.column] ?? null) : null,
    ...(split?.column ? { series: rows[0]?.[split.column] ?? null } : {}),
    ...Object.fromEntries(values.map((value, at) => [`y${at}`, valueOf(rows, value)])),
  }));
  const cells = (rows: typeof DEALS) =>
    card.columns.map((entry, at) => [
      `c${at}`,
      entry.aggregate || entry.column === ROW_COUNT ? valueOf(rows, entry) : (rows[0]?.[entry.column] ?? null),
    ]);
  const isNumber = card.vizType === "METRIC" || card.vizType === "GAUGE";
  const rows = isNumber
    ? [Object.fromEntries(cells(DEALS))]
    : card.vizType === "TABLE"
      ? DEALS.map((row) => Object.fromEntries(cells([row])))
      : charted;
  const columns = [
    ...(by ? [named("x", by)] : []),
    ...(split?.column ? [named("series", split)] : []),
    ...values.map((value, at) => named(`y${at}`, value)),
    ...card.columns.map((entry, at) => named(`c${at}`, entry)),
  ];
  return { columns, rows, reduction: null, asOf: NOW, dataAsOf: null, label: card.vizLabel };
}

const about = { displayName: "Deals", name: "deals", description: "", tags: [], updatedAt: NOW };

function fieldsAs(alias: string): DataSourceField[] {
  return COLUMNS.map(({ name, displayName, dataType }) => ({
    ...{ fieldId: name, apiName: name, displayName, dataType, datasetId: ids.entity },
    ...{ datasetType: "ENTITY" as const, datasourceAlias: alias, fieldAlias: `${alias}.${name}` },
  }));
}

export interface WizardServer {
  /** Cards that previews were asked of, in order. */
  previews: CardConfiguration[];
  /** What was created or changed. */
  writes: { method: string; path: string; body: Record<string, unknown> }[];
  /** The stored card. */
  card: CardConfiguration;
  variables: Variable[];
  /** Previews are answered after this. */
  held: Promise<void>;
  /** As the network was before. */
  stop: () => void;
}

export const PERMISSIONS: Permission[] = ["CREATE_DATACARD", "UPDATE_DATACARD", "CREATE_DATASET", "UPDATE_DATASET"];

/** Starts one for each test of a file, on a wide page. */
export function forEachTest(use: (server: WizardServer) => void): void {
  let server: WizardServer;
  beforeEach(async () => {
    await page.viewport(1280, 900);
    server = startWizardServer();
    use(server);
  });
  afterEach(async () => {
    server.stop();
    await page.viewport(414, 896);
  });
}

/** For somebody who makes cards; what was read before is forgotten. */
function startWizardServer(): WizardServer {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: PERMISSIONS });
  const network = globalThis.fetch;
  const server: WizardServer = {
    ...{ previews: [], writes: [], card: CardConfiguration.parse(AMOUNTS), variables: [], held: Promise.resolve() },
    stop: () => void (globalThis.fetch = network),
  };
  globalThis.fetch = async (input, init) => {
    const [, call] = String(input).split("/api/v1");
    if (call === undefined) return network(input, init);
    const body: Record<string, unknown> = typeof init?.body === "string" ? JSON.parse(init.body) : {};
    const path = call.split("?")[0] ?? "";
    if (path === "/datacards/preview") await server.held;
    return answer(server, `${init?.method ?? "GET"} ${path}`, body);
  };
  return server;
}

const configurationIn = (body: unknown): CardConfiguration => {
  const read: { contents: { configuration: unknown } } = JSON.parse(JSON.stringify(body));
  return CardConfiguration.parse(read.contents.configuration);
};

const storedCard = (server: WizardServer) => ({
  ...about,
  ...{ id: ids.card, displayName: "Amounts", name: "amounts", vizType: server.card.vizType, version: 1 },
  ...{ configuration: {}, configurationMeta: [], contents: { configuration: server.card } },
});

function storedDataset(server: WizardServer) {
  const source = { datasetId: ids.entity, datasetType: "ENTITY", datasourceAlias: "deal" };
  const selectedFields = COLUMNS.map(({ name, displayName, dataType }) => ({
    ...{ alias: name, displayName, apiName: name, dataType, datasourceAlias: "deal" },
  }));
  const datasetConfig = DatasetConfig.parse({ sources: [source], selectedFields, variables: server.variables });
  return { ...about, id: ids.dataset, datasetConfig, version: 1 };
}

function answer(server: WizardServer, call: string, body: Record<string, unknown>): Response {
  const [method = "", path = ""] = call.split(" ");
  const isWrite = /^(POST|PUT) \/(datacards|datasets)(\/[0-9a-f]{24})?$/.test(call);
  if (isWrite) server.writes.push({ method, path, body });
  if (isWrite && path.startsWith("/datacards")) server.card = configurationIn(body);
  switch (call) {
    case "GET /datasets": {
      const by = { createdBy: "Ada", updatedBy: "Ada", cards: 0, sources: ["Deal"] };
      const entities = [{ id: ids.entity, apiName: "deal", displayName: "Deal", fields: COLUMNS.length }];
      const visits = { displayName: "Visits", name: "visits", id: ids.otherDataset };
      return Response.json({
        datasets: [
          { ...about, ...by, id: ids.dataset },
          { ...about, ...by, ...visits },
        ],
        entities,
      });
    }
    case `GET /datasets/${ids.dataset}`:
    case `GET /datasets/${ids.otherDataset}`:
      return Response.json({ dataset: storedDataset(server), columns: COLUMNS, problems: [] });
    case "GET /datasets/fields":
      return Response.json({ dataSourceFields: fieldsAs("deal"), dataSourceAlias: "deal" });
    case "GET /datasets/functions":
      return Response.json({ functions: [] });
    case "POST /datasets/preview": {
      const config = DatasetConfig.parse(body["datasetConfig"]);
      const selected = config.selectedFields.map(({ alias, displayName, dataType }) => ({
        ...{ name: alias, displayName, dataType },
      }));
      const columns = [...selected, ...config.calculatedFields.map((one) => ({ ...one, name: one.aliasName }))].map(
        ({ name, displayName, dataType }) => ({ name, displayName, dataType }),
      );
      return Response.json({ columns, rows: DEALS, truncated: false, asOf: NOW, sql: "SELECT" });
    }
    case "POST /datacards/preview": {
      const card = configurationIn(body["datacard"]);
      server.previews.push(card);
      return Response.json({ contents: { data: answerTo(card) } });
    }
    case "POST /datasets":
    case `PUT /datasets/${ids.dataset}`:
      return Response.json(storedDataset(server));
    case "POST /datacards":
    case `GET /datacards/${ids.card}`:
    case `PUT /datacards/${ids.card}`:
      return Response.json(storedCard(server));
    default:
      if (path.endsWith("/dependencies")) return Response.json({ dependencies: [], publishedOn: [] });
      return Response.json({ code: "not_found", message: "Not found" }, { status: 404 });
  }
}
