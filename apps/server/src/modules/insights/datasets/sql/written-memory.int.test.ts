/** T16: statements that build a gigabyte in many ways leave every process of the database within its bound. */
import { readFileSync } from "node:fs";
import { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { previewDataset } from "@accord/contracts/insights/datasets";
import { beforeAll, expect, test } from "vitest";
import { makeDeals } from "../../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../../test-kit/index.ts";

/** What each process of the embedded PostgreSQL may take for itself, by its limit. */
const PROCESS_BYTES = 1_024 * 1_024 * 1_024;
/** The stack, and pages of libraries that the loader wrote to: a process has them for itself, its limit does not count them. */
const BESIDE_BYTES = 8 * 1_024 * 1_024;

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ roles: ["web"] });
  await makeDeals(t, t);
}, 60_000);

const preview = (sql: string) =>
  t
    .as("SYNC_MANAGER")
    .send(previewDataset, { body: { datasetConfig: DatasetConfig.parse({ configMode: "SQL", sql, sqlColumns: [] }) } });

/** Processes of the database that work for this test. */
async function backends(): Promise<number[]> {
  const { rows } = await t.deps.dataPool.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database()",
  );
  return rows.map(({ pid }) => pid);
}

function ownMemory(pid: number): number {
  try {
    return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

/** How it ended, and the most that one process had for itself meanwhile. */
async function peakOf(sql: string) {
  let peak = 0;
  const look = async (): Promise<void> => {
    for (const pid of await backends()) peak = Math.max(peak, ownMemory(pid));
  };
  const timer = setInterval(() => void look(), 20);
  const { status } = await preview(sql);
  clearInterval(timer);
  return { status, peak };
}

const A = "repeat('x', 1000000)";
const doubled = (start: string, step: string, times: number): string =>
  `WITH q0 AS (SELECT ${start} AS x)${Array.from({ length: times }, (_, at) => `, q${at + 1} AS MATERIALIZED (SELECT ${step} AS x FROM q${at})`).join("")} SELECT length(x::text) AS n FROM q${times}`;

const HUGE: readonly (readonly [what: string, sql: string])[] = [
  ["texts joined by || over and over", doubled(A, "x || x", 15)],
  [
    "texts joined in one expression",
    `SELECT length(${Array.from({ length: 400 }, () => "x").join(" || ")}) AS n FROM (SELECT ${A} AS x) q`,
  ],
  ["a text and a number", doubled(A, "x || 1 || x", 12)],
  ["concat", doubled(A, `concat(${Array.from({ length: 100 }, () => "x").join(", ")})`, 2)],
  ["concat_ws", doubled(A, `concat_ws(x, ${Array.from({ length: 90 }, () => "x").join(", ")})`, 2)],
  ["concat of ARRAY", doubled(A, `array_to_string(ARRAY[${Array.from({ length: 150 }, () => "x").join(", ")}], x)`, 2)],
  ["replace", doubled("'a'", "replace(x, 'a', repeat('a', 1000))", 5)],
  ["regexp_replace", doubled("'a'", "regexp_replace(x, 'a', repeat('a', 1000), 'g')", 5)],
  ["lists joined", doubled(`ARRAY[${A}]`, "x || x", 14)],
  ["a list and a value", doubled(`ARRAY[${A}]`, `x || ${A} || ${A}`, 14)],
  ["jsonb joined", doubled(`('["' || repeat('x', 999000) || '"]')::jsonb`, "x || x", 14)],
  ["casts of lists, which escape", doubled("repeat('\\', 1000000)", "(ARRAY[x])::text", 10)],
  ["casts of rows, which escape", doubled("repeat('\"', 1000000)", "ROW(x)::text", 10)],
  ["translate", doubled(A, "translate(x, 'x', '😀')", 3)],
  ["overlay", doubled(A, "overlay(x PLACING x FROM 1000000)", 12)],
  ["filled up", doubled("'a'", "x::char(32768) || x::char(32768)", 12)],
  [
    "many texts beside each other",
    `SELECT ${Array.from({ length: 280 }, (_, at) => `length(repeat('x', ${999_000 - at}) || v)`).join(" + ")} AS n FROM (SELECT 'a'::text AS v FROM generate_series(1, 2) g) q`,
  ],
  [
    "upper of many",
    `SELECT ${Array.from({ length: 450 }, () => "length(upper(x))").join(" + ")} AS n FROM (SELECT ${A} || g AS x FROM generate_series(1, 2) g OFFSET 0) q`,
  ],
  [
    "a hash of one key",
    `SELECT max(length(s.t)) AS n FROM generate_series(1, 10000) g JOIN (SELECT h * 0 + 1 AS k, repeat('x', 100000) || h AS t FROM generate_series(1, 20000) h) s ON s.k = g`,
  ],
  [
    "a hashed list of texts",
    `SELECT count(*) AS n FROM generate_series(1, 100) g WHERE g::text NOT IN (SELECT repeat('x', 100000) || h FROM generate_series(1, 50000) h)`,
  ],
  [
    "INTERSECT of texts",
    `SELECT count(*) AS n FROM (SELECT repeat('x', 100000) || h AS x FROM generate_series(1, 50000) h INTERSECT SELECT repeat('x', 100000) || h AS x FROM generate_series(1, 50000) h) q`,
  ],
  ["string_agg", `SELECT length(string_agg(repeat('x', 1000000), 'x')) AS n FROM generate_series(1, 5000) h`],
  ["to_char", doubled("repeat('Day', 300000)", "to_char(date '2026-01-01', x)", 5)],
  [
    "sorted texts",
    `SELECT count(*) AS n FROM (SELECT repeat('x', 999000) || h AS x FROM generate_series(1, 1000) h ORDER BY 1 OFFSET 0) q`,
  ],
  [
    "groups of texts",
    `SELECT count(*) AS n FROM (SELECT repeat('x', 100000) || h AS x FROM generate_series(1, 10000) h GROUP BY 1 OFFSET 0) q`,
  ],
  [
    "string_to_array",
    `SELECT ${Array.from({ length: 60 }, () => "num_nulls(string_to_array(x, ','))").join(" + ")} AS n FROM (SELECT repeat(',', 999000) || g AS x FROM generate_series(1, 2) g OFFSET 0) q`,
  ],
  [
    "a wide row of texts",
    `SELECT length(${Array.from({ length: 300 }, (_, at) => `c${at}`).join(") + length(")}) AS n FROM (SELECT ${Array.from({ length: 300 }, (_, at) => `x || ${at} AS c${at}`).join(", ")} FROM (SELECT repeat('x', 999000) AS x FROM generate_series(1, 3) g) p ORDER BY 1 OFFSET 0) q`,
  ],
];

test.each(HUGE)(
  "[T16] %s",
  async (_what, sql) => {
    const { status, peak } = await peakOf(sql);
    expect([200, 422]).toContain(status);
    expect(peak).toBeLessThan(PROCESS_BYTES + BESIDE_BYTES);
  },
  60_000,
);
