/** T16: the gate lets statements through that read the instance's tables, and refuses all others at their place. */
import { DatasetError, type SqlNames } from "@accord/analytics-engine";
import { describe, expect, test } from "vitest";
import { HOSTILE } from "./corpus/hostile.ts";
import { VALID } from "./corpus/valid.ts";
import { checkSql, checkStatement } from "./gate.ts";
import { keepingChecks } from "./kept-checks.ts";
import { SqlRefusal } from "./refusal.ts";

const NAMES = {
  tables: ["Deal", "Contact", "Order"],
  variables: [
    { apiName: "least", isList: false },
    { apiName: "states", isList: true },
  ],
};

function refusalOf(statement: string): SqlRefusal {
  try {
    checkStatement(statement, NAMES);
  } catch (error) {
    if (error instanceof SqlRefusal) return error;
    throw error;
  }
  throw new Error(`let through: ${statement.slice(0, 200)}`);
}

const short = (statement: string): string => {
  const line = statement.replaceAll("\0", "␀").replaceAll("\n", " ");
  return line.length > 90 ? `${line.slice(0, 80)}… (${line.length} characters)` : line;
};

const hostile = HOSTILE.flatMap(([code, statements]) =>
  statements.map((statement) => ({ title: `${short(statement)}: ${code}`, code, statement })),
);

test("[T16] the corpus has at least 300 hostile and 40 valid statements", () => {
  expect(new Set(hostile.map(({ statement }) => statement)).size).toBeGreaterThanOrEqual(300);
  expect(VALID.length).toBeGreaterThanOrEqual(40);
});

describe("[T16] refuses", () => {
  test.each(hostile)("$title", ({ code, statement }) => {
    const refusal = refusalOf(statement);
    expect(refusal.code).toBe(code);
    expect(refusal.range.from).toBeGreaterThanOrEqual(0);
    expect(refusal.range.to).toBeLessThanOrEqual(statement.length);
    if (statement !== "") expect(refusal.range.to).toBeGreaterThan(refusal.range.from);
  });
});

describe("[INS-073] lets through, with the tables it names:", () => {
  test.each(VALID)("%s", (statement, tables) => {
    expect([...checkStatement(statement, NAMES).tables]).toEqual(tables);
  });
});

test.each([
  ["SELECT status,\n  pg_sleep(1) AS x\nFROM Deal", "Line 2, column 3: The function “pg_sleep” can't be used here."],
  ["SELECT *\nFROM Deel", "Line 2, column 6: There is no table “deel”."],
  ["SELECT * FROM Deal d, Dealer e", "Line 1, column 23: There is no table “dealer”. Is it “deal”?"],
  [
    "SELECT 'é', ifnull(a, b) FROM Deal",
    "Line 1, column 13: The function “ifnull” can't be used here. Use coalesce instead.",
  ],
  [
    "SELECT 1 AS n;\nDROP TABLE Deal",
    "Line 2, column 1: Only one statement can be used. Remove everything after the first semicolon.",
  ],
  [
    "SELECT * FROM order",
    'Line 1, column 15: PostgreSQL can\'t read “order” here. If it is the name of a table or column, write it in double quotes: "order".',
  ],
  [
    "SELECT * FROM Deal\nFOR UPDATE",
    "Line 2, column 1: FOR UPDATE and other locks can't be used: nothing may be written.",
  ],
  [
    "SELECT '%{{least}}%' AS x",
    "Line 1, column 10: A variable can't stand inside quotes. Join the parts instead: '%' || {{least}} || '%'.",
  ],
  [
    "WITH x AS (\n  DELETE FROM Deal RETURNING *\n) SELECT * FROM x",
    "Line 2, column 3: A WITH query may only read, and this is DELETE.",
  ],
])("says where and what to do: %s", (statement, message) => {
  try {
    checkSql(statement, NAMES);
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    const { line, column, reason } = error.problems[0]?.facts ?? {};
    expect(`Line ${line}, column ${column}: ${reason}`).toBe(message);
  }
});

test("[INS-074] variables become values of the statement, lists in IN become rows, and names in quotes lose their case", () => {
  const { parts } = checkStatement(
    'SELECT "Status" FROM Deal WHERE amount > {{least}} AND status IN ({{states}}) -- {{nothing}}\n;',
    NAMES,
  );
  expect(parts).toEqual([
    'SELECT "status" FROM Deal WHERE amount > ',
    { variable: "least", asRows: false },
    " AND status IN (",
    { variable: "states", asRows: true },
    ") -- {{nothing}}\n ",
  ]);
});

const below = (loads: readonly [string, number, number][]) =>
  new Map(loads.map(([name, columns, places]) => [name, { columns, places }]));

test.each([
  [
    "SELECT amount + amount + amount AS x FROM Deal",
    below([["deal", 20_000, 2]]),
    "“deal” computes columns from columns, and this statement goes on with them in too many steps. Compute less in “deal”, or read the tables that it is built on.",
  ],
  [
    "SELECT 1 AS n FROM Deal d, Deal e, Contact c",
    below([
      ["deal", 1, 30],
      ["contact", 1, 31],
    ]),
    "With the datasets it reads, “contact” among them, more than 60 tables stand after FROM and JOIN. Read fewer tables, or build “contact” on fewer.",
  ],
])("[INS-066] a statement is weighed with the datasets it reads: %s", (statement, loads, message) => {
  try {
    checkSql(statement, { ...NAMES, loads });
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    expect(error.problems[0]?.facts["reason"]).toBe(message);
  }
});

test("texts are joined by operators and functions that are bounded", () => {
  expect(
    checkStatement("SELECT concat(status,'a')||'b'||concat_ws(' ', name, concat(1)) AS x FROM Deal", NAMES).parts,
  ).toEqual([
    "SELECT accord_analytics.concat(concat(status,'a')) OPERATOR(accord_analytics.||) 'b' OPERATOR(accord_analytics.||) accord_analytics.concat_ws(concat_ws(' ', name, accord_analytics.concat(concat(1)))) AS x FROM Deal",
  ]);
});

test("position is asked of a function that is bounded, wherever IN stands in it", () => {
  expect(
    checkStatement("SELECT position(CASE WHEN 1 IN (1) THEN 'a' END IN lower(position)) AS x FROM Deal", NAMES).parts,
  ).toEqual(["SELECT accord_written.position(CASE WHEN 1 IN (1) THEN 'a' END , lower(position)) AS x FROM Deal"]);
});

test("what was found of a statement is kept by all that it was checked against, up to a number and a size", () => {
  let checks = 0;
  const check = keepingChecks(
    (text) => {
      checks += 1;
      return { parts: [text], tables: [], load: { columns: 1, places: 1 } };
    },
    { entries: 2, bytes: 10_000 },
  );
  const checksOf = (text: string, names: SqlNames = NAMES): number => {
    const before = checks;
    expect(check(text, names).parts).toEqual([text]);
    return checks - before;
  };
  expect([checksOf("a"), checksOf("a")]).toEqual([1, 0]);
  expect(checksOf("a", { ...NAMES, tables: ["Deal"] })).toBe(1);
  expect(checksOf("a", { ...NAMES, loads: below([["deal", 2, 2]]) })).toBe(1);
  expect([checksOf("b"), checksOf("c"), checksOf("b"), checksOf("a")]).toEqual([1, 1, 0, 1]);
  const long = "x".repeat(3_000);
  expect([checksOf(long), checksOf(long), checksOf("c")]).toEqual([1, 1, 1]);
});

test("functions that could make texts of any length are exchanged for bounded ones", () => {
  expect(checkStatement("SELECT lpad(replace(status, 'a', 'b'), 5) AS x FROM Deal", NAMES).parts).toEqual([
    "SELECT accord_analytics.lpad(accord_analytics.replace(status, 'a', 'b'), 5) AS x FROM Deal",
  ]);
});
