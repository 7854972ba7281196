/** Datasets written in SQL: what a statement may name, and what follows from it when it is checked, previewed or saved. */
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type Catalogue,
  DatasetError,
  type DatasetProblem,
  planQuery,
  postgres,
  printDescribed,
  resolveDataset,
  resolveWritten,
} from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import { type DatasetConfig, type DatasetSource, type SqlColumn } from "@accord/contracts/insights/dataset-config";
import type { SqlProblem, SqlTable } from "@accord/contracts/insights/dataset-sql";
import { insights } from "@accord/contracts/messages/en/insights";
import { fill } from "@accord/contracts/messages/fill";
import type { Deps } from "../../../../platform/deps.ts";
import { type AnalyticsEngine, datasetProblem, type QueryCaller, WrittenSqlError } from "../../engine/index.ts";
import { checkSql, foldName, SQL_FUNCTIONS, sqlError, type TextRange } from "../../sql-gate/index.ts";
import { TIME_ZONE } from "../dataset-config.ts";
import type { StoredDatasets } from "../stored-datasets.ts";
import { columnsOfSql } from "./output-columns.ts";

type At = Id<"instance">;
export type WrittenDatasets = ReturnType<typeof writtenDatasets>;

/** Whose statement it is. */
export interface Written {
  instanceId: At;
  datasetId?: Id<"dataset"> | undefined;
  caller: QueryCaller;
}

export function writtenDatasets(
  { clock }: Pick<Deps, "clock">,
  { stored, engine }: { stored: StoredDatasets; engine: AnalyticsEngine },
) {
  const printing = () => ({ dialect: postgres, timeZone: TIME_ZONE, now: clock.now().getTime() });

  /**
   * The configuration with what follows from its statement: the tables it names as sources, and its columns. Nothing of
   * the basic mode stays. Throws `DatasetError` with the place of what is wrong.
   */
  async function complete(
    { configMode, sql = "", variables, variablesMap, sqlColumns, formatVersion }: DatasetConfig,
    { instanceId, datasetId, caller }: Written,
  ): Promise<DatasetConfig> {
    if (sql.trim() === "") throw new DatasetError([{ path: "sql", code: "sql_missing", facts: {} }]);
    const { catalogue, sources: known } = await stored.sqlSources(instanceId, datasetId);
    const names = variables.map(({ apiName, multiValueField }) => ({ apiName, isList: multiValueField }));
    const checked = checkSql(sql, { tables: known.map(({ datasourceAlias }) => datasourceAlias), variables: names });
    const sources = checked.tables.flatMap(
      (table) => known.find(({ datasourceAlias }) => foldName(datasourceAlias) === table) ?? [],
    );
    const config: DatasetConfig = {
      ...{ formatVersion, configMode, sql, variables, variablesMap, sources },
      ...{ fromDataset: "", selectedFields: [], calculatedFields: [], joins: [], group: false, groupBy: [], sort: [] },
    };
    const options = datasetId ? { datasetId } : {};
    const statement = printDescribed(resolveWritten(config, catalogue, options), printing());
    try {
      const described = await engine.describe({ instanceId, statement, caller });
      return { ...config, sqlColumns: columnsOfSql({ sql, described, sources, catalogue, before: sqlColumns }) };
    } catch (error) {
      if (error instanceof WrittenSqlError) throw refusedByDatabase(error, sql);
      throw error;
    }
  }

  return {
    complete,

    /** Everything that is wrong with a statement, without running it. */
    async check(
      config: DatasetConfig,
      written: Written,
    ): Promise<{ problems: SqlProblem[]; tables: string[]; columns: SqlColumn[] }> {
      try {
        const { sources, sqlColumns = [] } = await complete({ ...config, configMode: "SQL" }, written);
        return { problems: [], tables: sources.map(({ datasourceAlias }) => datasourceAlias), columns: sqlColumns };
      } catch (error) {
        if (!(error instanceof DatasetError)) throw error;
        return { problems: error.problems.map((one) => sqlProblemOf(one, config.sql ?? "")), tables: [], columns: [] };
      }
    },

    async names(at: At, datasetId?: Id<"dataset">) {
      const { catalogue, sources } = await stored.sqlSources(at, datasetId);
      const functions = SQL_FUNCTIONS.map(({ name, category, signature, help }) => ({
        ...{ name, category, signature, help },
      }));
      const tables: SqlTable[] = [];
      for (const source of sources) {
        tables.push(...tableOf(source, catalogue));
        // Each may read many statements: everybody else is answered in between.
        if (source.datasetType === "DATASET") await nextTurn();
      }
      return { tables, functions };
    },
  };
}

/** Empty for a dataset that can't run as it is. */
function tableOf({ datasetId, datasetType, datasourceAlias: name }: DatasetSource, catalogue: Catalogue): SqlTable[] {
  if (datasetType === "ENTITY") {
    const entity = catalogue.entity(datasetId);
    if (!entity) return [];
    const columns = entity.fields.map(({ apiName, displayName, dataType }) => ({
      name: apiName,
      displayName,
      dataType,
    }));
    return [{ name, displayName: entity.displayName, kind: datasetType, columns }];
  }
  const dataset = catalogue.dataset(datasetId);
  if (!dataset) return [];
  try {
    const { columns } = planQuery(resolveDataset(dataset.config, catalogue, { datasetId }));
    const shown = columns.map((column) => ({
      ...{ name: column.name, displayName: column.displayName, dataType: column.dataType },
    }));
    return [{ name, displayName: dataset.displayName, kind: datasetType, columns: shown }];
  } catch (error) {
    if (error instanceof DatasetError) return [];
    throw error;
  }
}

/** Problems without a place, such as a value that a variable can't have, stand at the beginning. */
function sqlProblemOf(problem: DatasetProblem, sql: string): SqlProblem {
  const { line = "1", column = "1", from = "0", to = "0", reason } = problem.facts;
  const message = problem.code === "sql_invalid" && reason ? reason : datasetProblem(problem).message;
  const numbers = { from: Number(from), to: Math.min(Number(to), sql.length) };
  return { message, ...numbers, line: Number(line), column: Number(column) };
}

function refusedByDatabase({ detail, hint, place }: WrittenSqlError, sql: string): DatasetError {
  const text = detail.charAt(0).toUpperCase() + detail.slice(1);
  const facts = { detail: text, hint: hint === "" ? "" : ` ${hint}.` };
  return sqlError(sql, place ? rangeOf(place, sql) : { from: 0, to: sql.length }, messageOf(facts));
}

const messageOf = (facts: { detail: string; hint: string }): string =>
  fill(insights.sqlProblem.refused_by_database, facts);

/** The word on its line, or the line. */
function rangeOf({ line, word }: { line: number; word: string }, sql: string): TextRange {
  const lines = sql.split("\n");
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  const text = lines[line - 1] ?? "";
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const edge = /^\w/.test(word) ? String.raw`\b` : "";
  const found = word === "" ? -1 : text.search(new RegExp(`${edge}${escaped}${edge}`, "i"));
  return found < 0
    ? { from: start, to: start + text.length }
    : { from: start + found, to: start + found + word.length };
}
