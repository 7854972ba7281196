/** From what PostgreSQL says of a statement's columns to the columns of the dataset: names, types, what they are called. */
import type { Catalogue } from "@accord/analytics-engine";
import type { DataType } from "@accord/contracts/data/values";
import {
  Alias,
  DATASET_LIMITS,
  type DatasetConfig,
  type DatasetSource,
  type SqlColumn,
} from "@accord/contracts/insights/dataset-config";
import type { DescribedColumn } from "../../engine/index.ts";
import { foldName, outputPlaces, spellingOf, sqlRefused, type TextRange } from "../../sql-gate/index.ts";

/** What `format_type` calls the types that a dataset can hold. */
const TYPES: Readonly<Record<string, DataType>> = {
  text: "string",
  "character varying": "string",
  character: "string",
  uuid: "string",
  unknown: "string",
  "time without time zone": "string",
  interval: "string",
  smallint: "integer",
  integer: "integer",
  bigint: "integer",
  numeric: "decimal",
  real: "double",
  "double precision": "double",
  boolean: "boolean",
  date: "date",
  "timestamp with time zone": "datetime",
  "timestamp without time zone": "datetime",
  jsonb: "object",
};

/** What PostgreSQL calls a column that has no name. */
const NO_NAME = "?column?";

export interface DescribedStatement {
  sql: string;
  described: readonly DescribedColumn[];
  sources: readonly DatasetSource[];
  catalogue: Catalogue;
  /** Names that people gave columns before stay. */
  before: DatasetConfig["sqlColumns"];
}

/** Throws `DatasetError` for the first column that can't be one, with its place. */
export function columnsOfSql({ sql, described, sources, catalogue, before = [] }: DescribedStatement): SqlColumn[] {
  const places = outputPlaces(sql);
  const whole: TextRange = { from: 0, to: sql.length };
  const spelled = spellingOf(sql);
  const taken = new Set<string>();
  const limit = DATASET_LIMITS.fields;
  if (described.length > limit) throw sqlRefused(sql, whole, "too_many_columns", { limit: String(limit) });
  return described.map(({ name: given, type, source }, at) => {
    const place = (places.length === described.length ? places[at] : undefined) ?? whole;
    if (given === NO_NAME) throw sqlRefused(sql, place, "column_unnamed", { number: String(at + 1) });
    const origin = source && fieldOf(source, sources, catalogue);
    const name = origin && foldName(origin.field.apiName) === given ? origin.field.apiName : spelled(given);
    if (taken.has(given)) throw sqlRefused(sql, place, "column_twice", { name });
    taken.add(given);
    if (!Alias.safeParse(name).success) throw sqlRefused(sql, place, "column_name", { name });
    const dataType = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    if (!dataType) throw sqlRefused(sql, place, "column_type", { name, type });
    const known = before.find((one) => foldName(one.name) === given);
    return {
      name,
      displayName: known?.displayName ?? (origin?.field.apiName === name ? origin.field.displayName : titleOf(name)),
      dataType: origin?.field.dataType ?? dataType,
      ...(origin?.field.isMultiValueField ? { isMultiValueField: true } : {}),
      ...(origin ? { field: { datasourceAlias: origin.alias, apiName: origin.field.apiName } } : {}),
    };
  });
}

/** The field of an entity whose column is handed on. */
function fieldOf(
  { table, column }: NonNullable<DescribedColumn["source"]>,
  sources: readonly DatasetSource[],
  catalogue: Catalogue,
) {
  for (const { datasetId, datasourceAlias: alias } of sources) {
    const entity = catalogue.entity(datasetId);
    const field = entity?.relation.name === table ? entity.fields.find((one) => one.apiName === column) : undefined;
    if (field) return { alias, field };
  }
  return undefined;
}

/** `totalAmount` and `total_amount` → `Total amount`. */
function titleOf(name: string): string {
  const words = name
    .replaceAll("_", " ")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .trim()
    .toLowerCase();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
