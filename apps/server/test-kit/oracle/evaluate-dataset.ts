/**
 * What a dataset means, over rows in memory, after domain.md 12.1: sources, joins in order, filter, columns, groups, filter on
 * groups, order, limit. Naive on purpose: it is what the statements for the databases are compared with. Formulas are
 * computed by the evaluator of the expressions package.
 */
import type { Value } from "@accord/contracts/data/values";
import { type DatasetConfig, type DatasetJoin, DateGrain } from "@accord/contracts/insights/dataset-config";
import type { Variable, VariableValues } from "@accord/contracts/insights/variables";
import { checkFormula, compileFormula, parseFormula } from "@accord/expressions";
import { type Cell, cellOf, type Column, compareCells, keyOf, type Row, type Table, valueOf } from "./cells.ts";
import { type Circumstances, type FieldKinds, holds } from "./conditions.ts";
import { type FoldColumn, foldRows } from "./folds.ts";
import type { TextOrder } from "./cells.ts";

export interface World {
  /** Current records by the entity's id. */
  entities: ReadonlyMap<string, Table>;
  datasets: ReadonlyMap<string, DatasetConfig>;
  timeZone: string;
  now: number;
  textOrder: TextOrder;
  /** What was chosen for variables. */
  values: VariableValues;
}

/** All rows in order, of which the dataset gives the first `limit`. Equal ones may change places. */
export interface Evaluated {
  columns: Column[];
  rows: Cell[][];
  sort: { at: number; isAscending: boolean }[];
  limit: number | null;
}

export function evaluateDataset(config: DatasetConfig, world: World): Evaluated {
  const values = { ...config.variablesMap, ...world.values };
  const variables = new Map(config.variables.map((variable) => [variable.apiName, valueOfVariable(variable, values)]));
  const at = { timeZone: world.timeZone, now: world.now, variables };
  const sources = new Map(
    config.sources.map((source): [string, Table] => [
      source.datasourceAlias,
      source.datasetType === "ENTITY"
        ? found(world.entities, source.datasetId)
        : tableOf(evaluateDataset(found(world.datasets, source.datasetId), { ...world, values })),
    ]),
  );
  const joined = join(config, sources);
  const { filter } = config;
  const rows = filter
    ? joined.rows.filter((row) => holds(filter, (name) => row.get(name) ?? null, kindsOf(joined.columns), at))
    : joined.rows;
  const outputs = outputsOf(config, joined.columns, at);
  const made = config.group
    ? group(config, rows, outputs, { ...at, textOrder: world.textOrder })
    : plain(rows, outputs);
  const kept = made.rows.filter((row) => !config.having || holdsOnGroup(config, made.columns, row, at));
  const sort = config.sort.map(({ field, ascending }) => ({
    at: made.columns.findIndex(({ name }) => name === field),
    isAscending: ascending,
  }));
  return {
    columns: made.columns,
    rows: kept.toSorted((one, other) => compareRows(one, other, sort, world.textOrder)),
    sort,
    limit: limitOf(config, variables),
  };
}

export function compareRows(
  one: readonly Cell[],
  other: readonly Cell[],
  sort: Evaluated["sort"],
  textOrder: TextOrder,
): number {
  for (const { at, isAscending } of sort) {
    const order = compareCells(one[at] ?? null, other[at] ?? null, textOrder);
    if (order !== 0) return isAscending ? order : -order;
  }
  return 0;
}

function found<Item>(items: ReadonlyMap<string, Item>, id: string): Item {
  const item = items.get(id);
  if (!item) throw new Error(`there is no ${id}`);
  return item;
}

export const tableOf = ({ columns, rows, limit }: Evaluated): Table => ({
  columns,
  rows: rows
    .slice(0, limit ?? rows.length)
    .map((row) => new Map(columns.map(({ name }, at) => [name, row[at] ?? null]))),
});

/** The chosen value, else the default; texts for several values are cut at semicolons. */
function valueOfVariable(variable: Variable, values: VariableValues): Value {
  const value = Object.hasOwn(values, variable.apiName)
    ? values[variable.apiName]
    : variable.variableDefaultValue?.defaultValue;
  if (value === undefined || value === "") return null;
  if (!variable.multiValueField || typeof value !== "string") return value;
  return value
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Each join brings one more source in; several of one pair all have to hold. */
function join(config: DatasetConfig, sources: ReadonlyMap<string, Table>): Table {
  const [first] = config.sources;
  if (!first) throw new Error("a dataset has sources");
  let joined = qualified(first.datasourceAlias, found(sources, first.datasourceAlias));
  const known = new Set([first.datasourceAlias]);
  for (const { field1, field2 } of config.joins) {
    const added = [field1, field2].map((side) => side.datasourceAlias).find((alias) => !known.has(alias));
    if (added === undefined) continue;
    const all = config.joins.filter((one) => {
      const aliases = [one.field1.datasourceAlias, one.field2.datasourceAlias];
      return aliases.includes(added) && aliases.some((alias) => known.has(alias));
    });
    known.add(added);
    joined = joinOne(joined, added, qualified(added, found(sources, added)), all);
  }
  return joined;
}

const qualified = (alias: string, { columns, rows }: Table): Table => ({
  columns: columns.map((column) => ({ ...column, name: `${alias}.${column.name}` })),
  rows: rows.map((row) => new Map([...row].map(([name, cell]) => [`${alias}.${name}`, cell]))),
});

function joinOne(left: Table, alias: string, right: Table, joins: readonly DatasetJoin[]): Table {
  const pairs = joins.map(({ field1, field2 }) => {
    const [one, other] = [field1, field2].map((side) => `${side.datasourceAlias}.${side.apiName}`);
    return field2.datasourceAlias === alias ? [one, other] : [other, one];
  });
  const belong = (one: Row, other: Row): boolean =>
    pairs.every(([near = "", far = ""]) => isSame(one.get(near) ?? null, other.get(far) ?? null));
  // LEFT keeps all of `field1`, RIGHT all of `field2`, whichever of them comes in.
  const [{ joinType, field1 }] = [joins[0] ?? fail()];
  const keeps =
    joinType === "FULL"
      ? ["near", "far"]
      : joinType === "INNER"
        ? []
        : [(joinType === "LEFT") === (field1.datasourceAlias !== alias) ? "near" : "far"];
  const rows: Row[] = left.rows.flatMap((one) => {
    const matches = right.rows.filter((other) => belong(one, other)).map((other) => new Map([...one, ...other]));
    return matches.length === 0 && keeps.includes("near") ? [one] : matches;
  });
  if (keeps.includes("far")) rows.push(...right.rows.filter((other) => !left.rows.some((one) => belong(one, other))));
  return { columns: [...left.columns, ...right.columns], rows };
}

function fail(): never {
  throw new Error("a source comes in by a join");
}

/** Blank is equal to nothing here. Numbers of different types are equal by their value. */
function isSame(one: Cell, other: Cell): boolean {
  if (one === null || other === null) return false;
  return keyOf(one).replace(/^double /, "number ") === keyOf(other).replace(/^double /, "number ");
}

const kindsOf =
  (columns: readonly Column[]): FieldKinds =>
  (name) => {
    const column = columns.find((one) => one.name === name);
    if (!column) throw new Error(`there is no field ${name}`);
    if (column.isList) return "list";
    switch (column.dataType) {
      case "integer":
      case "decimal":
        return "number";
      case "double":
      case "boolean":
        return column.dataType;
      case "date":
        return "day";
      case "datetime":
      case "timestamp":
        return "moment";
      case "reference":
        return "id";
      default:
        return "text";
    }
  };

interface Output extends Column {
  read: (row: Row) => Cell;
  aggregate: FoldFn | undefined;
}
type FoldFn = DatasetConfig["selectedFields"][number]["aggregate"];

function outputsOf(config: DatasetConfig, columns: readonly Column[], at: Circumstances): Output[] {
  const selected = config.selectedFields.map((field): Output => {
    const name = `${field.datasourceAlias}.${field.apiName}`;
    const { dataType, isList } = columns.find((one) => one.name === name) ?? fail();
    return { name: field.alias, dataType, isList, aggregate: field.aggregate, read: (row) => row.get(name) ?? null };
  });
  const calculated = config.calculatedFields.map(({ aliasName, formula, aggregate }): Output => {
    const parsed = parseFormula(formula);
    if (!parsed.ok) throw new Error(formula);
    const checked = checkFormula(parsed.formula, {
      field: (name) => {
        const column = columns.find((one) => one.name === name);
        return column && { dataType: column.dataType, isMultiValueField: column.isList };
      },
    });
    if (!checked.ok) throw new Error(`${formula}: ${checked.problems[0].code}`);
    const compute = compileFormula<Row>(checked, { field: (name) => (row) => valueOf(row.get(name) ?? null) });
    const shape = { dataType: checked.dataType, isList: false };
    const env = { now: at.now, timeZone: at.timeZone, maxTextLength: 10_000 };
    return { name: aliasName, ...shape, aggregate, read: (row) => cellOf(compute(row, env), shape) };
  });
  return [...selected, ...calculated];
}

interface Made {
  columns: Column[];
  rows: Cell[][];
}

const plain = (rows: readonly Row[], outputs: readonly Output[]): Made => ({
  columns: outputs.map(({ name, dataType, isList }) => ({ name, dataType, isList })),
  rows: rows.map((row) => outputs.map(({ read }) => read(row))),
});

/** A variable may choose the column to group by: those that it does not choose are left out. */
function group(
  config: DatasetConfig,
  rows: readonly Row[],
  outputs: readonly Output[],
  at: Circumstances & { textOrder: TextOrder },
): Made {
  const chosen = (text: string): string => {
    const name = /^\{\{(.*)\}\}$/.exec(text)?.[1];
    return name === undefined ? text : String(at.variables.get(name));
  };
  const grains = new Map(
    config.groupBy.map(({ datasetField, grain }) => [
      chosen(datasetField),
      grain === undefined ? null : DateGrain.parse(chosen(grain)),
    ]),
  );
  const folded = outputs.flatMap((output): (Column & { fold: FoldColumn<Row> })[] => {
    const { name, dataType, isList, aggregate: fn, read } = output;
    const grain = grains.get(name);
    if (grain !== undefined) {
      const type = grain === null ? dataType : "date";
      return [{ name, dataType: type, isList, fold: { by: "key", of: read, grain } }];
    }
    return fn ? [{ name, dataType: typeOf(fn, dataType), isList: false, fold: { by: "aggregate", of: read, fn } }] : [];
  });
  return {
    columns: folded.map(({ name, dataType, isList }) => ({ name, dataType, isList })),
    rows: foldRows(
      rows,
      folded.map(({ fold }) => fold),
      at,
    ),
  };
}

/** Counts are whole numbers, means and their like doubles; sums and extremes have the type of what they are of. */
export function typeOf(fn: NonNullable<FoldFn>, of: Column["dataType"]): Column["dataType"] {
  switch (fn) {
    case "count":
    case "countDistinct":
      return "integer";
    case "sum":
    case "min":
    case "max":
      return of;
    case "textList":
      return "string";
    default:
      return "double";
  }
}

function holdsOnGroup(
  config: DatasetConfig,
  columns: readonly Column[],
  row: readonly Cell[],
  at: Circumstances,
): boolean {
  const { having } = config;
  const read = (name: string): Cell => row[columns.findIndex((one) => one.name === name)] ?? null;
  return !having || holds(having, read, kindsOf(columns), at);
}

function limitOf({ limit }: DatasetConfig, variables: ReadonlyMap<string, Value>): number | null {
  if (typeof limit !== "string") return limit ?? null;
  const value = variables.get(limit.slice(2, -2));
  return typeof value === "number" ? value : null;
}
