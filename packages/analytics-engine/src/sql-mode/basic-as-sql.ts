/**
 * A dataset of the basic mode as a statement that people can go on from: tables by their names, values in the text,
 * variables as tokens. To find where a variable's value ends up, the statement is printed with values that nobody uses.
 */
import { bindSql, fixedSql, type SqlFragment, sql } from "@accord/expressions";
import type { Value } from "@accord/contracts/data/values";
import { type DatasetConfig, VariableToken } from "@accord/contracts/insights/dataset-config";
import type { Variable, VariableValues } from "@accord/contracts/insights/variables";
import { type Catalogue, catalogueOf } from "../catalogue.ts";
import { type Dialect, postgres } from "../dialect.ts";
import { planQuery } from "../plan.ts";
import { type PrintOptions, querySql } from "../print.ts";
import { resolveDataset } from "../resolve.ts";
import { tokenName } from "../variables.ts";
import { sqlName } from "./reserved-words.ts";

export interface BasicAsSql {
  sql: string;
  /** Variables whose values now stand in the text, by display name: what they do can't be said with a token. */
  fixedVariables: string[];
}

/** `nameOf`: what statements call a source. Throws `DatasetError` for a configuration that can't run. */
export function basicAsSql(
  config: DatasetConfig,
  catalogue: Catalogue,
  nameOf: (datasetId: string) => string | undefined,
  options: Omit<PrintOptions, "dialect">,
): BasicAsSql {
  const named = namedCatalogue(config, catalogue, nameOf);
  const limitVariable = typeof config.limit === "string" ? tokenName(config.limit) : null;
  const basic: DatasetConfig = {
    ...config,
    limit: limitVariable === null ? config.limit : undefined,
    sources: config.sources.map((source) => ({ ...source, datasetType: "ENTITY" })),
  };
  const print = (values: VariableValues): SqlFragment => {
    const query = planQuery(resolveDataset(basic, named, { values, timeZone: options.timeZone }));
    const printed = querySql(query, { ...options, dialect: READABLE });
    return limitVariable === null ? printed : sql`${printed}${fixedSql(`\nLIMIT {{${limitVariable}}}`)}`;
  };
  const markers = new Map(config.variables.map((variable, at) => [variable.apiName, markerOf(variable, at)]));
  const marked = config.variables.filter(({ apiName }) => markers.get(apiName) !== null);
  const used = (text: string): string[] =>
    marked.filter(({ apiName }) => text.includes(`{{${apiName}}}`)).map(({ apiName }) => apiName);
  const values = (names: readonly string[]): VariableValues =>
    Object.fromEntries(names.flatMap((name) => [[name, markers.get(name) ?? null] as const]));
  const all = marked.map(({ apiName }) => apiName).filter((name) => !choosesColumns(config, name));
  const first = withTokens(print(values(all)), config.variables, markers);
  // What did not come out as a token keeps its default instead of a value that nobody uses.
  const tokens = used(first).filter((name) => all.includes(name));
  const text = tokens.length === all.length ? first : withTokens(print(values(tokens)), config.variables, markers);
  return {
    sql: text,
    fixedVariables: config.variables
      .filter(({ apiName }) => isUsed(config, apiName) && !text.includes(`{{${apiName}}}`))
      .map(({ displayName }) => displayName),
  };
}

/** Whether a variable chooses columns or how dates are cut: no value of a statement can. */
const choosesColumns = ({ groupBy }: DatasetConfig, name: string): boolean =>
  groupBy.some(({ datasetField, grain }) =>
    [datasetField, grain].some(
      (part) => part !== undefined && VariableToken.safeParse(part).success && tokenName(part) === name,
    ),
  );

const isUsed = (config: DatasetConfig, name: string): boolean => {
  const text = JSON.stringify({ ...config, variables: [], sql: "" });
  return text.includes(`{{${name}}}`) || text.includes(`"kind":"variable","apiName":"${name}"`);
};

/** The sources as tables of their own names; datasets among them are not looked into. */
function namedCatalogue(
  { sources }: DatasetConfig,
  catalogue: Catalogue,
  nameOf: (datasetId: string) => string | undefined,
): Catalogue {
  return catalogueOf(
    sources.flatMap(({ datasetId, datasetType }) => {
      const name = nameOf(datasetId);
      if (name === undefined) return [];
      const relation = { schema: "", name };
      const entity = datasetType === "ENTITY" ? catalogue.entity(datasetId) : undefined;
      if (entity) return [{ ...entity, relation }];
      const dataset = datasetType === "DATASET" ? catalogue.dataset(datasetId) : undefined;
      if (!dataset) return [];
      const { columns } = resolveDataset(dataset.config, catalogue, { datasetId });
      const fields = columns.map((column) => ({
        apiName: column.name,
        displayName: column.displayName,
        dataType: column.dataType,
        isMultiValueField: column.expr.kind === "column" && column.expr.multi === true,
      }));
      return [{ id: datasetId, apiName: name, displayName: dataset.displayName, fields, relation }];
    }),
  );
}

const READABLE: Dialect = {
  ...postgres,
  relation: ({ name }) => fixedSql(sqlName(name)),
  column: (table, name) => fixedSql(`${sqlName(table)}.${sqlName(name)}`),
  name: (name) => fixedSql(sqlName(name)),
  aggregate: (fn, of) =>
    fn === "textList" && of ? sql`string_agg(DISTINCT ${of}::text, ', ')` : postgres.aggregate(fn, of),
};

/** A value of the variable's type that nobody uses; null for a type that has none. */
function markerOf({ datatype, multiValueField }: Variable, at: number): Value {
  const marker = ((): Value => {
    switch (datatype) {
      case "string":
      case "picklist":
        return `AccordVariable${at}End`;
      case "integer":
        return 7_199_254_740_000 + at;
      case "double":
        return 7_199_254_740_000.5 + at;
      case "date":
        return new Date(Date.UTC(8765, 0, 1 + at)).toISOString().slice(0, 10);
      default:
        return null;
    }
  })();
  // Two of them: a list of one is compared like a single value.
  const second = typeof marker === "number" ? marker + 500 : `AccordVariable${at}Second`;
  return multiValueField && marker !== null ? [marker, datatype === "date" ? "8764-01-01" : second] : marker;
}

function withTokens(
  fragment: SqlFragment,
  variables: readonly Variable[],
  markers: ReadonlyMap<string, Value>,
): string {
  const text = bindSql(fragment, (value) => {
    for (const { apiName } of variables) {
      const token = tokenFor(value, markers.get(apiName) ?? null, `{{${apiName}}}`);
      if (token !== null) return token;
    }
    return literalOf(value);
  });
  return text.replaceAll(LOWER_LIST_COMPARED, " (SELECT lower(v) FROM unnest($1) AS v)").replaceAll(LOWER_LIST, "");
}

const LOWER_LIST = "\u0001";
const LOWER_LIST_COMPARED = new RegExp(`\\(${LOWER_LIST}(\\{\\{\\w+\\}\\})::text\\[\\]\\)`, "g");

/** Texts are compared in small letters: then the variable's value is as well. */
function tokenFor(value: unknown, marker: Value, token: string): string | null {
  if (marker === null) return null;
  const [only] = Array.isArray(marker) ? marker : [marker];
  const [text, wanted] = [String(Array.isArray(value) ? value[0] : value), String(only)];
  if (Array.isArray(value) && (value.length !== 2 || !Array.isArray(marker))) return null;
  if (text === wanted) return token;
  if (text !== wanted.toLowerCase()) return null;
  return Array.isArray(value) ? `${LOWER_LIST}${token}` : `lower(${token})`;
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "ARRAY[]" : `ARRAY[${value.map(literalOf).join(", ")}]`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `'${text.replaceAll("'", "''")}'`;
}
