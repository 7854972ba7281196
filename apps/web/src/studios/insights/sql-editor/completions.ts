/** What the SQL editor offers at the cursor: variables, columns of the table before the dot, tables, functions, words. Pure. */
import { sqlName } from "@accord/analytics-engine";
import type { SqlFunctionHelp, SqlTable } from "@accord/contracts/insights/dataset-sql";
import type { Variable } from "@accord/contracts/insights/variables";

export interface SqlVocabulary {
  tables: readonly SqlTable[];
  functions: readonly SqlFunctionHelp[];
  variables: readonly Pick<Variable, "apiName" | "displayName" | "datatype">[];
}

export interface SqlCompletion {
  label: string;
  /** What is written; default the label. */
  apply?: string;
  detail: string;
  info?: string;
  type: "variable" | "property" | "class" | "function" | "keyword";
  boost: number;
}

export interface SqlCompletions {
  /** Where the word begins that they replace. */
  from: number;
  options: SqlCompletion[];
}

const WORDS =
  `SELECT FROM WHERE GROUP BY ORDER BY HAVING LIMIT OFFSET WITH AS JOIN LEFT JOIN RIGHT JOIN FULL JOIN CROSS JOIN ON USING
  AND OR NOT IN EXISTS BETWEEN LIKE ILIKE IS NULL IS NOT NULL CASE WHEN THEN ELSE END DISTINCT UNION ALL EXCEPT INTERSECT
  ASC DESC NULLS FIRST NULLS LAST OVER PARTITION BY FILTER CAST INTERVAL TRUE FALSE NULL`
    .split(/\s+/)
    .filter((word, at, all) => all.indexOf(word) === at);

/** Null where nothing is offered: inside quotes and comments, and before anything is typed unless `isAsked`. */
export function completionsAt(
  text: string,
  at: number,
  { tables, functions, variables }: SqlVocabulary,
  isAsked: boolean,
): SqlCompletions | null {
  const before = text.slice(0, at);
  if (isInLiteral(before)) return null;
  const token = /\{\{\w*$/.exec(before);
  if (token) return { from: token.index, options: variables.map(variableOption) };
  const dotted = /([A-Za-z_]\w*|"[^"]+")\.(\w*)$/.exec(before);
  if (dotted) {
    const table = tableOf(dotted[1] ?? "", text, tables);
    return table
      ? { from: at - (dotted[2] ?? "").length, options: table.columns.map((one) => columnOption(one, 0)) }
      : null;
  }
  const word = /"?[A-Za-z_]\w*$/.exec(before);
  if (!word && !isAsked) return null;
  const named = tables.filter(({ name }) => new RegExp(`\\b${name}\\b`, "i").test(text));
  return {
    from: word?.index ?? at,
    options: [
      ...named.flatMap(({ columns, displayName }) => columns.map((one) => columnOption(one, 3, displayName))),
      ...tables.map(tableOption),
      ...functions.map(functionOption),
      ...WORDS.map((label): SqlCompletion => ({ label, detail: "", type: "keyword", boost: 0 })),
      ...variables.map(variableOption),
    ],
  };
}

/** Inside a text, a quoted name that is not being typed, or a comment. */
function isInLiteral(before: string): boolean {
  const rest = before.replaceAll(/'(?:[^']|'')*'|"[^"]*"|--[^\n]*\n|\/\*[\s\S]*?\*\//g, "");
  return /'|--|\/\*/.test(rest);
}

/** The table of a name or of the alias that FROM or JOIN gives it. */
function tableOf(written: string, text: string, tables: readonly SqlTable[]): SqlTable | undefined {
  const name = plain(written);
  const aliased = [...text.matchAll(/\b(?:from|join)\s+("[^"]+"|\w+)\s+(?:as\s+)?("[^"]+"|\w+)/gi)];
  const alias = aliased.find((match) => plain(match[2] ?? "") === name);
  const wanted = alias ? plain(alias[1] ?? "") : name;
  return tables.find((table) => table.name.toLowerCase() === wanted);
}

const plain = (name: string): string => name.replaceAll('"', "").toLowerCase();

const named = (name: string): Pick<SqlCompletion, "label" | "apply"> => {
  const apply = sqlName(name);
  return apply === name ? { label: name } : { label: name, apply };
};

const columnOption = (
  { name, displayName, dataType }: SqlTable["columns"][number],
  boost: number,
  table?: string,
): SqlCompletion => ({
  ...named(name),
  detail: table ? `${dataType} · ${table}` : dataType,
  info: displayName,
  type: "property",
  boost,
});

const tableOption = ({ name, displayName }: SqlTable): SqlCompletion => ({
  ...named(name),
  detail: displayName,
  type: "class",
  boost: 2,
});

const functionOption = ({ name, signature, help }: SqlFunctionHelp): SqlCompletion => ({
  label: name,
  apply: `${name}(`,
  detail: signature.slice(name.length),
  info: help,
  type: "function",
  boost: 1,
});

const variableOption = ({ apiName, displayName, datatype }: SqlVocabulary["variables"][number]): SqlCompletion => ({
  label: `{{${apiName}}}`,
  detail: `${datatype} · ${displayName}`,
  type: "variable",
  boost: 1,
});
