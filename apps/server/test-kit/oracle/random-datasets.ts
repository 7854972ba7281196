/** Random datasets, datasets on datasets and table cards on both, each made again by its seed alone. */
import type { AxisEntry } from "@accord/contracts/insights/cards";
import {
  type Aggregate,
  DATE_GRAINS,
  DatasetConfig,
  type DatasetConfigInput,
  JOIN_TYPES,
} from "@accord/contracts/insights/dataset-config";
import type { VariableValues } from "@accord/contracts/insights/variables";
import { pickOf, type Rng, rngOf } from "../mirror/odd-records.ts";
import type { Column } from "./cells.ts";
import { typeOf } from "./evaluate-dataset.ts";
import { type CaseState, randomPredicate } from "./random-conditions.ts";
import { randomFormulas } from "./random-formulas.ts";
import { COLUMNS, type Shop } from "./records.ts";

export interface DatasetCase {
  dataset: DatasetConfig;
  /** Datasets that it is built on, by their ids. */
  nested: ReadonlyMap<string, DatasetConfig>;
  /** What is chosen for its variables. */
  values: VariableValues;
  timeZone: string;
  now: number;
  /** A table card on what the dataset gives; null: the dataset itself is asked for. */
  card: TableCard | null;
}

export interface TableCard {
  columns: CardColumn[];
  /** A place among the columns. */
  order: { column: number; ascending: boolean } | null;
  top: number | null;
}
export type CardColumn = Pick<AxisEntry, "column" | "aggregate" | "grain">;

const ZONES = [
  "UTC",
  "Europe/Amsterdam",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Apia",
] as const;
const NOWS = ["2026-03-29T00:30:00Z", "2026-10-25T00:59:59Z", "2026-12-31T23:30:00Z", "2026-04-01T12:00:00Z"] as const;
/** Ids of datasets below, from the top downwards. */
const NESTED = ["0000000000000000000000d1", "0000000000000000000000d2", "0000000000000000000000d3"] as const;

/** `references`: ids for conditions on references. */
export function randomCase(seed: number, shop: Pick<Shop, "ids">, references: readonly string[]): DatasetCase {
  const rng = rngOf(seed);
  const isCard = rng() < 0.5;
  const isColumnar = isCard && rng() < 0.6;
  const isOnDataset = !isColumnar && rng() < 0.2;
  const state: CaseState = { prefix: "v", variables: [], values: {}, references, isColumnar };
  const nested = new Map<string, DatasetConfig>();
  const sources = isOnDataset ? sourcesOnDataset(rng, { shop, state, nested }) : entitySources(rng, shop, isColumnar);
  const made = datasetOn(rng, sources, { state, isPlain: isColumnar, isBelow: isCard });
  return {
    dataset: DatasetConfig.parse({ ...made.config, variables: state.variables }),
    nested,
    values: state.values,
    // The server has one; the engines take any.
    timeZone: rng() < (isColumnar ? 0.7 : 0.4) ? "UTC" : pickOf(rng, ZONES),
    now: Date.parse(pickOf(rng, NOWS)),
    card: isCard ? tableCard(rng, made.columns, isColumnar) : null,
  };
}

interface Source {
  alias: string;
  id: string;
  type?: "ENTITY" | "DATASET";
  columns: readonly Column[];
  /** How it comes in: pairs of a field of a source before it and one of its own. */
  joins?: readonly (readonly [alias: string, apiName: string, own: string])[];
}

function entitySources(rng: Rng, { ids }: Pick<Shop, "ids">, isColumnar = false): Source[] {
  const sale = { alias: "m", id: ids.sale, columns: COLUMNS.sale };
  const source = (
    alias: string,
    name: "client" | "region" | "sale",
    ...joins: NonNullable<Source["joins"]>
  ): Source => ({
    ...{ alias, id: ids[name], columns: COLUMNS[name], joins },
  });
  return pickOf<Source[]>(rng, [
    [sale],
    [sale],
    [sale],
    [sale, source("c", "client", ["m", "client", "accord_id"])],
    [sale, source("c", "client", ["m", "client", "accord_id"])],
    [sale, source("c", "client", ["m", "client", "accord_id"], ["m", "pieces", "rank"])],
    [sale, source("c", "client", ["m", "client", "accord_id"]), source("r", "region", ["c", "region", "code"])],
    [sale, source("c", "client", ["m", "day", "since"])],
    [sale, source("c", "client", ["m", "label", "name"])],
    [sale, source("s", "sale", ["m", "client", "client"])],
    // Numbers of different types are compared by PostgreSQL alone.
    ...(isColumnar
      ? []
      : [
          [sale, source("r", "region", ["m", "pieces", "quota"])],
          [sale, source("r", "region", ["m", "weight", "quota"])],
        ]),
  ]);
}

interface Below {
  shop: Pick<Shop, "ids">;
  /** Of the dataset above. */
  state: CaseState;
  /** Gets each dataset by its id. */
  nested: Map<string, DatasetConfig>;
}

/** A dataset, which may stand on another one, now and then with clients joined to a reference or a text that it gives. */
function sourcesOnDataset(rng: Rng, { shop, state, nested }: Below): Source[] {
  const depth = nested.size;
  const id = NESTED[depth] ?? "";
  const { values, references } = state;
  const own: CaseState = { prefix: `below${depth}x`, variables: [], values, references, isColumnar: false };
  // Its place is taken before one below it takes the next.
  nested.set(id, DatasetConfig.parse({}));
  const isDeep = depth + 1 < NESTED.length && rng() < 0.25;
  const sources = isDeep ? sourcesOnDataset(rng, { shop, state: own, nested }) : entitySources(rng, shop);
  const { config, columns } = datasetOn(rng, sources, { state: own, isNested: true, isBelow: true });
  nested.set(id, DatasetConfig.parse({ ...config, variables: own.variables }));
  const dataset: Source = { alias: "d", id, type: "DATASET", columns };
  const joinable = columns.filter(({ dataType }) => dataType === "reference" || dataType === "string");
  if (joinable.length === 0 || rng() < 0.6) return [dataset];
  const { name, dataType } = pickOf(rng, joinable);
  const join = ["d", name, dataType === "reference" ? "accord_id" : "name"] as const;
  return [dataset, { alias: "c", id: shop.ids.client, columns: COLUMNS.client, joins: [join] }];
}

interface Wishes {
  state: CaseState;
  /** Only picks and filters. */
  isPlain?: boolean;
  /** Without lists, which no dataset on it can read. */
  isNested?: boolean;
  /** Something is built on its rows: it is cut only where its order is complete. */
  isBelow?: boolean;
}
type Selected = NonNullable<DatasetConfigInput["selectedFields"]>[number];

function datasetOn(
  rng: Rng,
  sources: readonly Source[],
  wishes: Wishes,
): { config: DatasetConfigInput; columns: Column[] } {
  const { state, isPlain = false, isNested = false, isBelow = false } = wishes;
  const fields = sources.flatMap(({ alias, columns }) =>
    columns
      .filter(({ dataType, isList }) => !state.isColumnar || (dataType !== "double" && !isList))
      .map((column): Column => ({ ...column, name: `${alias}.${column.name}` })),
  );
  const isGrouped = !isPlain && rng() < 0.5;
  const hasNumber = fields.some(({ name }) => name === "m.nr");
  const isCut = !isGrouped && !isPlain && sources.length === 1 && hasNumber && rng() < 0.3;
  const chosen = fields.filter(
    ({ name, isList }) => (isCut && name === "m.nr") || (rng() < 0.4 && !(isNested && isList)),
  );
  if (chosen.length === 0) chosen.push(...fields.slice(0, 2));
  const formulas =
    sources.every(({ type }) => type !== "DATASET") && !state.isColumnar && rng() < 0.3 ? randomFormulas(rng) : [];
  const folded = isGrouped ? fold(rng, chosen, state) : null;
  const columns = folded?.columns ?? chosen.map((column) => ({ ...column, name: aliasOf(column.name) }));
  // Of a grouped dataset numbers are added up, or grouped by as all others are.
  const added = formulas.map((one) => ({ ...one, isSum: isGrouped && numeric(one) && rng() < 0.5 }));
  if (isGrouped) for (const { name, isSum } of added) if (!isSum) folded?.groupBy.push({ datasetField: name });
  const outputs = [...columns, ...added.map((one) => ({ name: one.name, dataType: one.dataType, isList: false }))];
  const sortable = outputs.filter(({ isList }) => !isList);
  // Groups are in a complete order by all of their keys.
  const isGroupCut = isGrouped && isBelow && rng() < 0.3;
  const keys = [...(folded?.keys ?? []), ...added.flatMap(({ name, isSum }) => (isSum ? [] : [name]))];
  const isSorted = !isPlain && !isNested && sortable.length > 0 && rng() < 0.7;
  const sortBy = isCut
    ? ["m_nr"]
    : isGroupCut
      ? keys
      : isSorted
        ? [pickOf(rng, sortable), pickOf(rng, sortable)].map(({ name }) => name)
        : [];
  const sort = sortBy.map((field) => ({ field, ascending: rng() < 0.5 }));
  const isLimited = isCut || isGroupCut || (!isPlain && !isBelow && rng() < 0.4);
  const config: DatasetConfigInput = {
    sources: sources.map(({ alias, id, type = "ENTITY" }) => ({
      ...{ datasetId: id, datasetType: type, datasourceAlias: alias },
    })),
    joins: joinsOf(rng, sources),
    selectedFields: folded?.selected ?? chosen.map((column) => select(column)),
    calculatedFields: added.map(({ name, dataType, formula, isSum }) => ({
      ...{ aliasName: name, displayName: name, dataType, formula },
      ...(isSum ? { aggregate: "sum" as const } : {}),
    })),
    ...(rng() < 0.7 ? { filter: randomPredicate(rng, fields, state) } : {}),
    ...(folded ? { group: true, groupBy: folded.groupBy } : {}),
    ...(isGrouped && rng() < 0.3 ? { having: randomPredicate(rng, outputs, state, 1) } : {}),
    sort,
    ...(isLimited ? { limit: limit(rng, state) } : {}),
  };
  return { config, columns: outputs };
}

const numeric = ({ dataType }: Pick<Column, "dataType">): boolean => /^(integer|decimal|double)$/.test(dataType);
const aliasOf = (name: string): string => name.replace(".", "_");

function select({ name, dataType }: Column, more: { alias?: string; aggregate?: Aggregate } = {}): Selected {
  const [datasourceAlias = "", apiName = ""] = name.split(".");
  return { alias: aliasOf(name), displayName: name, apiName, dataType, datasourceAlias, ...more };
}

function joinsOf(rng: Rng, sources: readonly Source[]): NonNullable<DatasetConfigInput["joins"]> {
  return sources.flatMap(({ alias, id, joins = [] }) => {
    const joinType = pickOf(rng, JOIN_TYPES);
    const isTurned = rng() < 0.3;
    return joins.map(([other, apiName, own]) => {
      const near = { datasetId: sources.find((one) => one.alias === other)?.id ?? "", datasourceAlias: other, apiName };
      const far = { datasetId: id, datasourceAlias: alias, apiName: own };
      return isTurned ? { joinType, field1: far, field2: near } : { joinType, field1: near, field2: far };
    });
  });
}

/** What can be made of values of a type. */
function aggregatesOf({ dataType, isList }: Pick<Column, "dataType" | "isList">, isColumnar = false): Aggregate[] {
  if (isList) return ["count"];
  if (isColumnar && dataType === "decimal") return ["sum", "avg", "count", "countDistinct"];
  if (isColumnar && dataType === "integer") return ["sum", "avg", "min", "max", "count", "countDistinct"];
  if (isColumnar && dataType === "string") return ["count", "countDistinct"];
  if (numeric({ dataType }))
    return ["sum", "avg", "min", "max", "count", "countDistinct", "median", "stddev", "percentile90"];
  if (dataType === "string") return ["min", "max", "count", "countDistinct", "textList"];
  return dataType === "boolean" || dataType === "reference"
    ? ["count", "countDistinct"]
    : ["min", "max", "count", "countDistinct"];
}

const isTime = ({ dataType }: Pick<Column, "dataType">): boolean => dataType === "date" || dataType === "datetime";

/** Some fields are grouped by, dates perhaps cut to a grain, and all others folded. */
function fold(rng: Rng, chosen: readonly Column[], state: CaseState) {
  const selected: Selected[] = [];
  const columns: Column[] = [];
  const groupBy: NonNullable<DatasetConfigInput["groupBy"]> = [];
  const keys: string[] = [];
  for (const column of chosen) {
    if (rng() < 0.35 && !column.isList) {
      const grain = isTime(column) && rng() < 0.75 ? pickOf(rng, DATE_GRAINS) : null;
      selected.push(select(column));
      keys.push(aliasOf(column.name));
      columns.push({ name: aliasOf(column.name), dataType: grain ? "date" : column.dataType, isList: false });
      groupBy.push({
        datasetField: byVariable(rng, aliasOf(column.name), state),
        ...(grain ? { grain: byVariable(rng, grain, state) } : {}),
      });
    } else {
      const aggregate = pickOf(rng, aggregatesOf(column));
      const alias = `${aliasOf(column.name)}_${aggregate}`;
      selected.push(select(column, { alias, aggregate }));
      columns.push({ name: alias, dataType: typeOf(aggregate, column.dataType), isList: false });
    }
  }
  return { selected, columns, groupBy, keys };
}

/** The text, or now and then a variable that stands for it. */
function byVariable<Text extends string>(rng: Rng, text: Text, state: CaseState): Text | `{{${string}}}` {
  if (rng() > 0.1) return text;
  const apiName = `${state.prefix}${state.variables.length}`;
  state.variables.push({
    ...{ apiName, displayName: apiName, datatype: "string" },
    variableDefaultValue: { datatype: "string", defaultValue: text },
  });
  return `{{${apiName}}}`;
}

function limit(rng: Rng, state: CaseState): number | string {
  const rows = 1 + Math.floor(rng() * 12);
  if (rng() > 0.2) return rows;
  const apiName = `${state.prefix}${state.variables.length}`;
  state.variables.push({ apiName, displayName: apiName, datatype: "integer" });
  if (rng() < 0.8) state.values[apiName] = rows;
  return `{{${apiName}}}`;
}

/** Groups of the dataset's rows, or of few columns the rows as they are. */
function tableCard(rng: Rng, columns: readonly Column[], isColumnar: boolean): TableCard {
  const isListed = !isColumnar && rng() < 0.3;
  const groupable = columns.filter(
    ({ isList, dataType }) => (isListed || !isList) && !(isColumnar && dataType === "decimal"),
  );
  const keys = isListed ? 1 + Math.floor(rng() * 4) : groupable.length === 0 ? 0 : Math.floor(rng() * 3);
  const entries = Array.from({ length: keys }, (): CardColumn => {
    const column = pickOf(rng, groupable);
    return { column: column.name, ...(isTime(column) && rng() < 0.75 ? { grain: pickOf(rng, DATE_GRAINS) } : {}) };
  });
  for (let value = 0; !isListed && value <= Math.floor(rng() * 3); value += 1) {
    const column = pickOf(rng, columns);
    const isCount = rng() < 0.2;
    entries.push(
      isCount ? { column: "*" } : { column: column.name, aggregate: pickOf(rng, aggregatesOf(column, isColumnar)) },
    );
  }
  const sortable = entries.flatMap((entry, at) =>
    isListed && columns.some(({ name, isList }) => isList && name === entry.column) ? [] : [at],
  );
  const order = rng() < 0.5 && sortable.length > 0 ? { column: pickOf(rng, sortable), ascending: rng() < 0.5 } : null;
  return { columns: entries, order, top: rng() < 0.3 ? 1 + Math.floor(rng() * 8) : null };
}
