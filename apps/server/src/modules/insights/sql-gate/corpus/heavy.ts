/** Statements that are too long, too deep or too much work, by what refuses them. */
import type { insights } from "@accord/contracts/messages/en/insights";

export type Code = keyof typeof insights.sqlProblem;

const LONG = `SELECT ${"1 + ".repeat(4_000)}1 AS n`;
const DEEP = `SELECT ${"(".repeat(100)}1${")".repeat(100)} AS n`;
const DOUBLING = Array.from({ length: 30 }, (_, at) => `q${at + 1} AS (SELECT x + x AS x FROM q${at})`).join(", ");
const NESTED_DOUBLING = `SELECT x FROM ${"(SELECT x || x AS x FROM ".repeat(25)}(SELECT 'a' AS x) q${") q".repeat(25)}`;

/** By the code of the refusal, each with its statements. */
export const HEAVY: readonly (readonly [Code, readonly string[]])[] = [
  ["too_long", [`SELECT '${"x".repeat(70_000)}' AS n`, `SELECT '${"é".repeat(33_000)}' AS n`]],
  [
    "too_many_words",
    [LONG, `SELECT ${"NOT ".repeat(5_000)}true AS n`, `SELECT 1 AS n${" UNION SELECT 1".repeat(2_000)}`],
  ],
  ["too_deep", [DEEP, `SELECT * FROM ${"(SELECT * FROM ".repeat(80)}Deal${") x".repeat(80)}`]],
  ["too_heavy", [`WITH q0 AS (SELECT 1 AS x), ${DOUBLING} SELECT x FROM q30`, NESTED_DOUBLING]],
  // Each is read within the limits above, and then walked through level by level.
  [
    "too_complex",
    [
      `SELECT ${"NOT ".repeat(3_900)}true AS n`,
      `SELECT ${"1 + ".repeat(1_900)}1 AS n`,
      `SELECT 1 AS n${" UNION SELECT 1".repeat(1_200)}`,
      `SELECT 'a'${"::text".repeat(1_800)} AS n`,
      `SELECT ${"ARRAY[".repeat(1_300)}1${"]".repeat(1_300)} AS n`,
      `SELECT ${"CASE WHEN true THEN ".repeat(600)}1${" END".repeat(600)} AS n`,
    ],
  ],
  [
    "character_length",
    [
      "SELECT 'a'::char(10000000) AS x",
      "SELECT CAST(status AS bpchar(10485760)) AS x FROM Deal",
      "SELECT char(40000) 'a' AS x",
      "SELECT ARRAY[status]::char(100000)[] AS x FROM Deal",
    ],
  ],
  [
    "too_many_values",
    [
      `SELECT concat(${"status, ".repeat(100)}status) AS x FROM Deal`,
      `SELECT concat_ws('', ${"status, ".repeat(100)}status) AS x FROM Deal`,
    ],
  ],
  [
    "characters_constant",
    [
      "SELECT translate(repeat('a', 900000), repeat('b', 900000), 'x') AS x",
      "SELECT btrim(repeat('a', 900000), repeat('b', 900000) || 'a') AS x",
      "SELECT trim(both repeat('b', 900000) from status) AS x FROM Deal",
      "SELECT ltrim(status, status) AS x FROM Deal",
      "SELECT rtrim(status, {{least}}) AS x FROM Deal",
      `SELECT rtrim(status, '${"b".repeat(300)}') AS x FROM Deal`,
    ],
  ],
  // Each kept the lexer busy for seconds to hours before there was a limit.
  [
    "too_many_signs",
    [
      `SELECT 1 ${"+".repeat(60_000)} 1 AS n`,
      `SELECT 1 ${"+-".repeat(30_000)} 1 AS n`,
      `SELECT 1 ${"-+".repeat(30_000)} 1 AS n`,
      `SELECT 1 ${"<+".repeat(30_000)} 1 AS n`,
      `SELECT 1 @${"-".repeat(60_000)} 1 AS n`,
      `SELECT 1 AS n ${"/**/".repeat(15_000)}`,
      `SELECT 1 AS n ${"/*".repeat(14_000)}${"*/".repeat(14_000)}`,
      `SELECT 1 AS n /*${"/*".repeat(14_000)}`,
      `SELECT '${"+-".repeat(40)}' AS n`,
    ],
  ],
  [
    "too_heavy",
    [`SELECT x || x AS x FROM ${"(SELECT x || x AS x FROM ".repeat(12)}(SELECT 'a' AS x) q${") q".repeat(12)}`],
  ],
  ["too_many_sources", [`SELECT 1 AS n FROM ${Array.from({ length: 70 }, (_, at) => `Deal d${at}`).join(", ")}`]],
];
