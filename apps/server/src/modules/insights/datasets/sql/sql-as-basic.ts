/** A statement in SQL as a dataset of the basic mode, where it says nothing that the basic mode can't say. */
import { type Catalogue, DatasetError, joinIdOf } from "@accord/analytics-engine";
import type { DatasetConfig, DatasetJoin, DatasetSource } from "@accord/contracts/insights/dataset-config";
import type { SqlProblem } from "@accord/contracts/insights/dataset-sql";
import {
  bodyOf,
  checkSql,
  foldName,
  lineColumn,
  namesIn,
  nodesOf,
  readSelect,
  type SelectReader,
  SqlClauseError,
  textOf,
  type TreeNode,
} from "../../sql-gate/index.ts";
import { basicColumns } from "./basic-columns.ts";
import { basicFilter } from "./basic-filter.ts";
import { columnOf, fieldsOfSource, type FromSql, type SourceOfSql } from "./sql-fields.ts";

export interface SqlNamesOfInstance {
  catalogue: Catalogue;
  sources: readonly DatasetSource[];
}

/** One problem at most: the first clause that the basic mode has nothing for. */
export function sqlAsBasic(
  config: DatasetConfig,
  names: SqlNamesOfInstance,
): { datasetConfig?: DatasetConfig; problems: SqlProblem[] } {
  const sql = config.sql ?? "";
  const problem = (message: string, from: number, to: number): { problems: SqlProblem[] } => ({
    problems: [{ message, from, to, ...lineColumn(sql, from) }],
  });
  try {
    const variables = config.variables.map(({ apiName, multiValueField }) => ({ apiName, isList: multiValueField }));
    checkSql(sql, { tables: names.sources.map(({ datasourceAlias }) => datasourceAlias), variables });
    return { datasetConfig: translate(config, readSelect(sql), names), problems: [] };
  } catch (error) {
    if (error instanceof SqlClauseError) return problem(error.message, error.range.from, error.range.to);
    if (!(error instanceof DatasetError)) throw error;
    const { reason = "", from = "0", to = "0" } = error.problems[0]?.facts ?? {};
    return problem(reason, Number(from), Number(to));
  }
}

function translate(config: DatasetConfig, reader: SelectReader, names: SqlNamesOfInstance): DatasetConfig {
  refuseClauses(reader);
  const from = sourcesOf(reader, names);
  const filter = basicFilter(reader, from);
  const { sqlColumns: _, ...rest } = config;
  return {
    ...rest,
    configMode: "BASIC",
    sources: from.sources.map(({ source }) => source),
    joins: from.joins,
    calculatedFields: [],
    ...basicColumns(reader, from),
    ...(filter ? { filter } : {}),
  };
}

/** Those that the basic mode has nothing for at all. */
function refuseClauses({ select, fail }: SelectReader): void {
  if (select["withClause"]) fail("with", select["withClause"]);
  if (select["larg"]) fail("union");
  if (select["valuesLists"]) fail("values");
  if (select["distinctClause"]) fail("distinct");
  if (select["havingClause"]) fail("having", select["havingClause"]);
  if (select["windowClause"]) fail("window", select["windowClause"]);
  if (select["limitOffset"]) fail("offset", select["limitOffset"]);
}

function sourcesOf(reader: SelectReader, names: SqlNamesOfInstance): FromSql {
  const { select, fail } = reader;
  const [first, ...more] = nodesOf(select["fromClause"]);
  if (first === undefined) return fail("no_table");
  if (more.length > 0) return fail("natural", more[0]);
  const from: FromSql = { sources: [], joins: [] };
  const add = (node: unknown): void => {
    const join = bodyOf(node, "JoinExpr");
    if (!join) return void from.sources.push(tableOf(node, reader, names));
    add(join["larg"]);
    if (bodyOf(join["rarg"], "JoinExpr")) fail("from", join["rarg"]);
    from.sources.push(tableOf(join["rarg"], reader, names));
    if (join["isNatural"] || join["usingClause"] || join["alias"] || !join["quals"]) fail("natural", join["rarg"]);
    from.joins.push(...joinsOf(join, reader, from));
  };
  add(first);
  return from;
}

function tableOf(node: unknown, { fail }: SelectReader, { catalogue, sources }: SqlNamesOfInstance): SourceOfSql {
  const table = bodyOf(node, "RangeVar");
  const known = table && sources.find(({ datasourceAlias }) => foldName(datasourceAlias) === textOf(table["relname"]));
  if (!table || !known) return fail(bodyOf(node, "RangeSubselect") ? "subquery" : "from", node);
  const alias = table["alias"];
  const name = textOf(typeof alias === "object" && alias !== null && "aliasname" in alias ? alias.aliasname : "");
  const source = { ...known, datasourceAlias: name === "" ? known.datasourceAlias : name };
  return { source, fields: fieldsOfSource(known, catalogue) };
}

const JOIN_TYPES: Readonly<Record<string, DatasetJoin["joinType"]>> = {
  JOIN_INNER: "INNER",
  JOIN_LEFT: "LEFT",
  JOIN_RIGHT: "RIGHT",
  JOIN_FULL: "FULL",
};

/** Pairs of columns that have to be equal, all of them. */
function joinsOf(join: TreeNode, reader: SelectReader, from: FromSql): DatasetJoin[] {
  const joinType = JOIN_TYPES[textOf(join["jointype"])] ?? "INNER";
  const all = bodyOf(join["quals"], "BoolExpr");
  const pairs = all && all["boolop"] === "AND_EXPR" ? nodesOf(all["args"]) : [join["quals"]];
  return pairs.map((pair) => {
    const equal = bodyOf(pair, "A_Expr");
    if (!equal || equal["kind"] !== "AEXPR_OP" || namesIn(equal["name"])[0] !== "=")
      return reader.fail("join_condition", pair);
    const side = (node: unknown) => {
      const found = columnOf(node, from) ?? reader.fail("join_condition", node);
      const { datasetId, datasourceAlias } = found.source;
      return { datasetId, datasourceAlias, apiName: found.field.apiName };
    };
    const sides = { field1: side(equal["lexpr"]), field2: side(equal["rexpr"]) };
    return { joinId: joinIdOf(sides), joinType, ...sides };
  });
}
