/** T16: statements that the gate lets through end soon after their time limit, and others are answered meanwhile. */
import { getHealth } from "@accord/contracts/operations/health";
import { beforeAll, expect, test } from "vitest";
import { makeDeals } from "../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { instanceSchema } from "../../../platform/db/db.ts";
import { checkStatement } from "../sql-gate/gate.ts";
import { postgresEngine } from "./postgres-engine.store.ts";

const ENGINE = {
  ...{ timeoutMs: 500, parallel: 4, parallelPerInstance: 2, waiting: 50, workMemMb: 64, maxBytes: 1_000_000 },
  allowsSql: true,
};
/** After its time limit: what PostgreSQL does in one step. Without bounds each of these took minutes. */
const MOST_MS = 5_000;

let t: TestApp;
let deals = "";
beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"] });
  await makeDeals(t, t);
  const { rows } = await t.deps.dataPool.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = $1 AND tablename LIKE 'r\\_Deal%'",
    [instanceSchema(t.instanceId)],
  );
  deals = rows[0]?.name ?? "";
}, 60_000);

const engine = (more: Partial<typeof ENGINE> = {}) => postgresEngine(t.deps.dataPool, { ...ENGINE, ...more });

const ask = (text: string, of = engine()) =>
  of.run({
    instanceId: t.instanceId,
    statement: {
      text: `WITH deal AS (SELECT * FROM ${deals}) SELECT n FROM (/* written */\n${text}\n) w`,
      params: [],
      cells: [{ name: "n", type: "plain" }],
    },
    columns: [],
    caller: { client: "somebody", signal: new AbortController().signal },
  });

async function working(): Promise<number> {
  const { rows } = await t.deps.dataPool.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%/* written */%' AND pid <> pg_backend_pid()",
  );
  return rows[0]?.count ?? 0;
}

const times = (count: number, text: string, between: string): string =>
  Array.from({ length: count }, () => text).join(between);
const number = (count: number, of: (at: number) => string, between = ", "): string =>
  Array.from({ length: count }, (_, at) => of(at)).join(between);
/** Rows of one column `x` and one `y`, made once. */
const of = (x: string, y = "1"): string => `(SELECT ${x} AS x, ${y} AS y FROM generate_series(1, 1) OFFSET 0) q`;
const LONG = "repeat('a', 1000000)";
const NEEDLE = "'b' || left(x, 500000)";
const LIST = "string_to_array(repeat('a,', 400000) || 'b', ',')";
const OTHER_LIST = "string_to_array(repeat('c,', 400000) || 'd', ',')";
const SHORT_LIST = (item: number): string => `('[' || repeat('${item},', 3300) || '2]')::jsonb`;

/** `long`: refused at once, for it would not end at its time limit. */
const STATEMENTS: readonly (readonly [what: string, sql: string, outcome?: "long"])[] = [
  ["a long text in a long text: strpos", `SELECT strpos(x, ${NEEDLE}) AS n FROM ${of(LONG)}`, "long"],
  ["position", `SELECT position(${NEEDLE} IN x) AS n FROM ${of(LONG)}`, "long"],
  ["split_part", `SELECT length(split_part(x, ${NEEDLE}, 2)) AS n FROM ${of(LONG)}`, "long"],
  ["replace", `SELECT length(replace(x, ${NEEDLE}, '')) AS n FROM ${of(LONG)}`, "long"],
  ["string_to_array", `SELECT num_nulls(string_to_array(x, ${NEEDLE})) AS n FROM ${of(LONG)}`, "long"],
  ["string_to_array with blanks", `SELECT num_nulls(string_to_array(x, ${NEEDLE}, '')) AS n FROM ${of(LONG)}`, "long"],
  ["LIKE", `SELECT 1 AS n FROM ${of(LONG)} WHERE x LIKE '%' || ${NEEDLE} || '%'`, "long"],
  ["NOT LIKE", `SELECT 1 AS n FROM ${of(LONG)} WHERE x NOT LIKE '%' || ${NEEDLE} || '%'`, "long"],
  ["ILIKE", `SELECT 1 AS n FROM ${of(LONG)} WHERE x ILIKE '%' || ${NEEDLE} || '%'`, "long"],
  ["NOT ILIKE", `SELECT 1 AS n FROM ${of(LONG)} WHERE x NOT ILIKE '%' || ${NEEDLE} || '%'`, "long"],
  ["~~", `SELECT 1 AS n FROM ${of(LONG)} WHERE x ~~ ('%' || ${NEEDLE})`, "long"],
  ["LIKE ANY", `SELECT 1 AS n FROM ${of(LONG)} WHERE x LIKE ANY (ARRAY['%' || ${NEEDLE} || '%'])`, "long"],
  ...["LIKE", "NOT LIKE", "ILIKE", "NOT ILIKE"].map(
    (like) =>
      [
        `${like} of char`,
        `SELECT 1 AS n FROM ${of(`${LONG}::bpchar`)} WHERE x ${like} '%' || left(${LONG}, 500000) || 'b%'`,
        "long",
      ] as const,
  ),
  [
    "blanks at the end of char",
    `SELECT 1 AS n FROM ${of("repeat(' ', 1000000)::bpchar")} WHERE x LIKE '%' || repeat(' ', 500000) || 'b%'`,
    "long",
  ],
  ["LIKE with many wildcards", `SELECT 1 AS n FROM ${of(LONG)} WHERE x LIKE '${"%a".repeat(20)}%b'`],
  ["a list in a list", `SELECT 1 AS n FROM ${of(LIST, OTHER_LIST)} WHERE x @> y`, "long"],
  ["a list in a list, the other way", `SELECT 1 AS n FROM ${of(LIST, OTHER_LIST)} WHERE x <@ y`, "long"],
  [
    "keys of a list",
    `SELECT 1 AS n FROM ${of(`('[' || repeat('"a",', 240000) || '"b"]')::jsonb`, OTHER_LIST)} WHERE x ?| y`,
    "long",
  ],
  [
    "all keys of a list",
    `SELECT 1 AS n FROM ${of(`('[' || repeat('"a",', 240000) || '"b"]')::jsonb`, LIST)} WHERE x ?& y`,
    "long",
  ],
  [
    "a list without the keys of another",
    `SELECT num_nulls(x - y) AS n FROM ${of(`('[' || repeat('"a",', 249000) || '"a"]')::jsonb`, "string_to_array(repeat(',', 999999), ',')")}`,
    "long",
  ],
  [
    "lists in lists of jsonb",
    `SELECT 1 AS n FROM ${of("('[' || repeat('[1],', 20000) || '[2]]')::jsonb", "('[' || repeat('[1],', 20000) || '[3]]')::jsonb")} WHERE x @> y`,
    "long",
  ],
  [
    "many steps of one row, none of which is long",
    `SELECT greatest(${times(500, "strpos(x, y)", ", ")}) AS n FROM ${of("repeat('a', 20000)", "'b' || repeat('a', 4900)")}`,
  ],
  [
    "many short lists in one row",
    `SELECT ${times(500, "(x @> y)", " AND ")} AS n FROM ${of(SHORT_LIST(1), SHORT_LIST(2))}`,
  ],
  [
    "products of long numbers",
    `SELECT length((${times(200, "(x * x)", " - ")})::text) AS n FROM ${of("repeat('9', 65000)::numeric")}`,
    "long",
  ],
  [
    "quotients",
    `SELECT length((${times(200, "(x / y)", " - ")})::text) AS n FROM ${of("repeat('9', 130000)::numeric", "repeat('7', 65000)::numeric")}`,
    "long",
  ],
  [
    "remainders",
    `SELECT length((${times(200, "(x % y)", " - ")})::text) AS n FROM ${of("repeat('9', 130000)::numeric", "repeat('7', 65000)::numeric")}`,
    "long",
  ],
  [
    "mod",
    `SELECT length((${times(200, "mod(x, y)", " - ")})::text) AS n FROM ${of("repeat('9', 130000)::numeric", "repeat('7', 65000)::numeric")}`,
    "long",
  ],
  [
    "div",
    `SELECT length((${times(200, "div(x, y)", " - ")})::text) AS n FROM ${of("repeat('9', 130000)::numeric", "repeat('7', 65000)::numeric")}`,
    "long",
  ],
  [
    "powers of long numbers",
    `SELECT length((${times(50, "power(x, 10)", " - ")})::text) AS n FROM ${of("repeat('9', 13000)::numeric")}`,
    "long",
  ],
  [
    "powers with long results",
    `SELECT length((${times(50, "x ^ 100000", " - ")})::text) AS n FROM ${of("9.9::numeric")}`,
    "long",
  ],
  [
    "width_bucket",
    `SELECT ${times(50, "width_bucket(x, 0, x, 7)", " + ")} AS n FROM ${of("repeat('9', 100000)::numeric")}`,
    "long",
  ],
  [
    "roots of long numbers",
    `SELECT length((${times(50, "sqrt(x)", " - ")})::text) AS n FROM ${of("repeat('9', 130000)::numeric")}`,
  ],
  ["exp", `SELECT length((${times(50, "exp(x)", " - ")})::text) AS n FROM ${of("5990::numeric")}`],
  [
    "logarithms",
    `SELECT length((${times(50, "log(x, x)", " - ")})::text) AS n FROM ${of("repeat('9', 130000)::numeric")}`,
  ],
  [
    "deviations",
    "SELECT length(stddev(x)::text) AS n FROM (SELECT repeat('9', 65000)::numeric AS x FROM generate_series(1, 100)) q",
  ],
  ["a long format of a number", "SELECT length(to_char(123.45::numeric, repeat('9', 900000))) AS n FROM Deal", "long"],
  ["a long format of a moment", "SELECT length(to_char(now(), repeat('Month', 180000))) AS n FROM Deal", "long"],
  [
    "a long format of an interval",
    "SELECT length(to_char(now() - now(), repeat('HH', 180000))) AS n FROM Deal",
    "long",
  ],
  ["to_date", "SELECT count(to_date(repeat('2026-', 180000), repeat('YYYY-', 180000))) AS n FROM Deal", "long"],
  [
    "to_timestamp",
    "SELECT count(to_timestamp(repeat('2026-', 180000), repeat('YYYY-', 180000))) AS n FROM Deal",
    "long",
  ],
  ["to_number", "SELECT to_number(repeat('9', 900000), repeat('9', 900000)) AS n FROM Deal", "long"],
  ["a pattern that goes back", `SELECT 1 AS n FROM ${of("repeat('a', 3000) || 'b'")} WHERE x ~ '^(a*)*(a*)*\\1\\2c$'`],
  ["a pattern of patterns", `SELECT 1 AS n FROM ${of(LONG)} WHERE x ~ '(a{1,200}){1,200}b'`],
  ["a pattern of 2,000 choices", `SELECT 1 AS n FROM ${of(LONG)} WHERE x ~ '${times(2_000, "a", "|")}b'`],
  ["a pattern as long as a text", `SELECT 1 AS n FROM ${of(LONG)} WHERE x ~ (left(x, 200000) || 'b')`],
  ["SIMILAR TO", `SELECT 1 AS n FROM ${of(LONG)} WHERE x SIMILAR TO left(x, 300000) || 'b'`],
  ["regexp_instr", `SELECT regexp_instr(x, '.*.*.*=') AS n FROM ${of(LONG)}`],
  ["CUBE of 12", `SELECT count(*) AS n FROM Deal GROUP BY CUBE (${number(12, (at) => `(amount + ${at})`)})`],
  ["ROLLUP of ROLLUP", `SELECT count(*) AS n FROM Deal GROUP BY ${times(6, "ROLLUP (status, amount, pieces)", ", ")}`],
  [
    "59 joins of equal columns",
    `SELECT count(*) AS n FROM ${number(59, (at) => `Deal d${at}`)} WHERE ${number(58, (at) => `d${at}.amount = d${at + 1}.amount`, " AND ")}`,
  ],
  ["59 tables without a condition", `SELECT count(*) AS n FROM ${number(59, (at) => `Deal d${at}`, " CROSS JOIN ")}`],
  ["58 natural joins", `SELECT count(*) AS n FROM Deal d ${number(58, (at) => `NATURAL JOIN Deal d${at}`, " ")}`],
  [
    "choices of conditions",
    `SELECT count(*) AS n FROM Deal WHERE ${number(200, (at) => `(amount = ${at} AND pieces = ${at} OR amount > ${at})`, " AND ")}`,
  ],
  ["a series without an end", "SELECT count(*) AS n FROM generate_series(1, 1000000000000) g"],
  [
    "a series in tiny steps",
    "SELECT count(*) AS n FROM generate_series(1::numeric, 1e100::numeric, 1e-100::numeric) g",
  ],
  ["series by series", "SELECT count(*) AS n FROM generate_series(1, 10000000) g, generate_series(1, 10000000) h"],
  [
    "lists by lists",
    "SELECT count(*) AS n FROM Deal a, LATERAL unnest(string_to_array(repeat(',', 999000), ',')) u, LATERAL unnest(string_to_array(repeat(',', 999000), ',')) v",
  ],
  [
    "frames that never fit",
    "SELECT max(m) AS n FROM (SELECT max(g) OVER (ORDER BY g DESC ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS m FROM generate_series(1, 3000000) g) q",
  ],
  ["percentiles", "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY g) AS n FROM generate_series(1, 100000000) g"],
  ["string_agg", "SELECT length(string_agg('xxxxxxxx' || g, ',')) AS n FROM generate_series(1, 100000000) g"],
  [
    "sorting long texts",
    "SELECT count(*) AS n FROM (SELECT repeat('x', 900000) || g AS x FROM generate_series(1, 1000000) g ORDER BY 1 OFFSET 0) q",
  ],
  ["jsonb in jsonb", "SELECT length((repeat('[', 400000) || repeat(']', 400000))::jsonb::text) AS n FROM Deal"],
];

test("[T16] more than 50 statements are tried", () => {
  expect(STATEMENTS.length).toBeGreaterThan(50);
});

test.each(STATEMENTS.map(([what, sql, outcome]) => ({ what, sql, outcome })))(
  "[T16] $what",
  async ({ sql, outcome }) => {
    const text = checkStatement(sql, { tables: ["Deal"], variables: [] }).parts.join("");
    const error = await ask(text).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    await t.anonymous.call(getHealth);
    if (error !== undefined) expect(error).toBeInstanceOf(AppError);
    if (error instanceof AppError) expect(["query_timeout", "dataset_invalid"]).toContain(error.code);
    const isLate = error instanceof AppError && error.code === "query_timeout";
    if (outcome === "long" && !isLate)
      expect(error).toMatchObject({
        facts: { reason: expect.stringContaining("too long together. Shorten them before") },
      });
    await expect.poll(working, { timeout: MOST_MS }).toBe(0);
  },
  60_000,
);

/** Works on this for some seconds without looking whether it was cancelled. */
const STEP = "SELECT pg_catalog.strpos(repeat('a', 240000), 'b' || repeat('a', 120000)) AS n";

test("[T16] whoever asks is answered in time, and the place is free when the database has left off", async () => {
  const one = engine({ parallelPerInstance: 1 });
  await expect(ask(STEP, one)).rejects.toMatchObject({ code: "query_timeout" });
  expect(await working()).toBe(1);
  expect((await ask("SELECT 1 AS n", one)).rows).toEqual([{ n: 1 }]);
  expect(await working()).toBe(0);
}, 60_000);

test("[T16] a statement is the work of one process, whose search path begins with what bounds it", async () => {
  const settings = ["max_parallel_workers_per_gather", "search_path", "enable_parallel_hash"];
  const text = `SELECT ${settings.map((name) => `current_setting('${name}')`).join(" || ' ' || ")} AS n`;
  expect((await ask(text)).rows).toEqual([{ n: "0 accord_written, pg_catalog off" }]);
});

test("[T16] char and keys of jsonb mean the same where they are bounded", async () => {
  const meanings = [
    ...["LIKE 'ab'", "LIKE 'ab  '", "NOT LIKE 'ab'", "NOT LIKE 'a%'", "LIKE NULL"],
    ...["ILIKE 'AB  '", "ILIKE 'AB'", "NOT ILIKE 'AB'", "NOT ILIKE 'A%'", "LIKE ANY (ARRAY['x', 'ab__'])"],
  ].map((like) => `'ab'::char(4) ${like}`);
  const keys = ["ARRAY['a']", "ARRAY['a', 'b']", "NULL::text[]", "'b'", "'{a}'::text[]"];
  meanings.push(...keys.map((without) => `'{"a":1,"b":2}'::jsonb - ${without}`), `'["a","b"]'::jsonb - 0`, "3 - 1");
  const text = `SELECT ${meanings.map((one) => `coalesce((${one})::text, 'null')`).join(" || ' ' || ")} AS n`;
  const own = await t.deps.dataPool.query<{ n: string }>(text);
  expect((await ask(text)).rows).toEqual(own.rows);
  expect(own.rows[0]?.n).toMatch(/^false true true false null /);
});
