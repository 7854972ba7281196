/** The columns, groups, order and limit of a statement, as the basic mode says them. */
import {
  type Aggregate,
  Alias,
  type DatasetConfig,
  type DateGrain,
  DATE_GRAINS,
  DATASET_LIMITS,
  type GroupBy,
  type SelectedField,
} from "@accord/contracts/insights/dataset-config";
import { bodyOf, foldName, namesIn, nodesOf, type SelectReader, textOf, type TreeNode } from "../../sql-gate/index.ts";
import { columnOf, type FieldOfSql, type FromSql } from "./sql-fields.ts";

type Columns = Pick<DatasetConfig, "selectedFields" | "group" | "groupBy" | "sort" | "limit">;

const AGGREGATES: Readonly<Record<string, Aggregate>> = {
  sum: "sum",
  avg: "avg",
  min: "min",
  max: "max",
  count: "count",
};

/** A column with the part of a date that it is cut to. */
interface Target {
  selected: SelectedField;
  grain?: DateGrain | undefined;
}

export function basicColumns(reader: SelectReader, from: FromSql): Columns {
  const { select, fail } = reader;
  const targets = nodesOf(select["targetList"]).flatMap((one) => targetsOf(one, reader, from));
  const names = new Set(targets.map(({ selected }) => selected.alias.toLowerCase()));
  if (names.size < targets.length) fail("column", select["targetList"]);
  const groups = nodesOf(select["groupClause"]);
  const group = groups.length > 0 || targets.some(({ selected }) => selected.aggregate !== undefined);
  if (!group && targets.some(({ grain }) => grain !== undefined)) fail("column", select["targetList"]);
  const grouped = groups.map((node) => groupedTarget(node, targets, reader, from));
  const kept = targets.filter(({ selected }) => selected.aggregate === undefined);
  if (group && kept.some((target) => !grouped.includes(target))) fail("group", select["groupClause"]);
  return {
    selectedFields: targets.map(({ selected }) => selected),
    group,
    groupBy: group
      ? kept.map(({ selected, grain }): GroupBy => ({ datasetField: selected.alias, ...(grain ? { grain } : {}) }))
      : [],
    sort: nodesOf(select["sortClause"]).map((node) => sortOf(node, targets, reader)),
    limit: limitOf(reader),
  };
}

function targetsOf(node: unknown, reader: SelectReader, from: FromSql): Target[] {
  const target = bodyOf(node, "ResTarget") ?? {};
  const value = target["val"];
  const stars = nodesOf(bodyOf(value, "ColumnRef")?.["fields"]);
  if (stars.some((one) => bodyOf(one, "A_Star"))) return allFields(namesIn(stars), from);
  const column = (of: unknown, more: Partial<SelectedField>, grain?: DateGrain): Target => {
    const { source, field } = columnOf(of, from) ?? reader.fail("column", node);
    return { selected: selectedOf(source.datasourceAlias, field, { name: textOf(target["name"]), ...more }), grain };
  };
  const call = bodyOf(value, "FuncCall");
  if (!call) return [column(value, {})];
  if (call["over"]) return reader.fail("window", node);
  const [name = ""] = namesIn(call["funcname"]).slice(-1);
  const [first, second] = nodesOf(call["args"]);
  if (name === "date_trunc") return [column(second, {}, grainOf(first, reader) ?? reader.fail("column", node))];
  const aggregate = Object.hasOwn(AGGREGATES, name) ? AGGREGATES[name] : undefined;
  if (!aggregate || call["agg_filter"] || call["agg_star"] || call["agg_order"]) return reader.fail("column", node);
  const distinct = call["agg_distinct"] === true;
  if (distinct && aggregate !== "count") return reader.fail("column", node);
  const alias = textOf(target["name"]) || name;
  return [column(first, { alias, aggregate: distinct ? "countDistinct" : aggregate })];
}

function grainOf(node: unknown, { valueOf }: SelectReader): DateGrain | undefined {
  const unit = valueOf(node);
  return unit?.kind === "literal" ? DATE_GRAINS.find((grain) => grain === unit.value) : undefined;
}

function selectedOf(
  datasourceAlias: string,
  { apiName, displayName, dataType }: FieldOfSql,
  { name = "", ...more }: Partial<SelectedField> & { name?: string },
): SelectedField {
  const alias = name === "" || name === foldName(apiName) ? apiName : name;
  return {
    alias: Alias.parse(alias),
    displayName: alias === apiName ? displayName : alias,
    apiName,
    dataType,
    datasourceAlias,
    ...more,
  };
}

/** A field that two tables have is left out of the second: two columns can't have one name. */
function allFields(path: readonly string[], { sources }: FromSql): Target[] {
  const table = path.length === 2 ? path[0] : undefined;
  return sources
    .filter(({ source }) => table === undefined || foldName(source.datasourceAlias) === table)
    .flatMap(({ source, fields }) =>
      fields.map((field) => ({ selected: selectedOf(source.datasourceAlias, field, {}) })),
    );
}

/** By its place, its name, or the same expression. */
function groupedTarget(node: unknown, targets: readonly Target[], reader: SelectReader, from: FromSql): Target {
  const place = reader.valueOf(node);
  const byPlace = place?.kind === "literal" && typeof place.value === "number" ? targets[place.value - 1] : undefined;
  if (byPlace) return byPlace;
  const call: TreeNode | undefined = bodyOf(node, "FuncCall");
  const [first, second] = nodesOf(call?.["args"]);
  const grain = call ? grainOf(first, reader) : undefined;
  const column = columnOf(call ? second : node, from);
  const name = namesIn(bodyOf(node, "ColumnRef")?.["fields"]).at(-1);
  const found =
    targets.find(
      (one) =>
        column !== undefined &&
        one.selected.aggregate === undefined &&
        one.grain === grain &&
        one.selected.apiName === column.field.apiName &&
        one.selected.datasourceAlias === column.source.datasourceAlias,
    ) ?? targets.find(({ selected }) => foldName(selected.alias) === name);
  return found ?? reader.fail("group", node);
}

function sortOf(node: unknown, targets: readonly Target[], reader: SelectReader): DatasetConfig["sort"][number] {
  const sort = bodyOf(node, "SortBy") ?? {};
  const place = reader.valueOf(sort["node"]);
  const name = namesIn(bodyOf(sort["node"], "ColumnRef")?.["fields"]);
  const found =
    place?.kind === "literal" && typeof place.value === "number"
      ? targets[place.value - 1]
      : targets.find(({ selected }) => foldName(selected.alias) === name.at(-1));
  if (!found) return reader.fail("order", node);
  return { field: found.selected.alias, ascending: sort["sortby_dir"] !== "SORTBY_DESC" };
}

function limitOf({ select, valueOf, fail }: SelectReader): DatasetConfig["limit"] {
  if (!select["limitCount"]) return undefined;
  const limit = valueOf(select["limitCount"]);
  if (limit?.kind === "variable") return `{{${limit.apiName}}}`;
  if (typeof limit?.value === "number" && Number.isInteger(limit.value) && limit.value >= 1)
    return Math.min(limit.value, DATASET_LIMITS.maxRows);
  return fail("limit", select["limitCount"]);
}
