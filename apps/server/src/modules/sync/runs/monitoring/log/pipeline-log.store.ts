/**
 * Entries of a pipeline's log, read from what is stored of its cycles, actions and quarantined records. Each is at a
 * position, a text that sorts as the log does: milliseconds, kind of row, key of the row, place within it.
 */
import type { LogKind, LogSeverity } from "@accord/contracts/sync/monitoring/page-filters";
import { instanceSchema, type Pool } from "../../../../../platform/db/db.ts";
import { quoteIdentifier } from "../../../../data/schema/index.ts";
import {
  type FoundEntries,
  foundIn,
  readActionEntry,
  readCycleEntry,
  readRecordEntry,
  SEARCHED_ROWS,
} from "./pipeline-log-rows.ts";

/** Characters of a text that an entry has. */
const MAX_TEXT = 4_000;

export interface LoggedNode {
  nodeId: string;
  isSource: boolean;
  /** Those that end at it. */
  edges: readonly string[];
}

export interface LogSearch {
  pipelineId: string;
  severities: readonly LogSeverity[];
  kinds: readonly LogKind[];
  nodeId: string | null;
  /** In lower case. */
  text: string | null;
  /** Milliseconds; both ends belong to it. */
  from: number | null;
  to: number | null;
  /** Exclusive; null begins at the end that the direction comes from. */
  cursor: string | null;
  direction: "next" | "previous";
  count: number;
  /** Those whose logging is on. */
  nodes: readonly LoggedNode[];
  /** Levels of nodes that write log messages, where the message itself no longer says. */
  levels: Readonly<Record<string, LogSeverity>>;
  /** Nothing of what actions were answered may be searched. */
  isHidden: boolean;
}

const MS_CHARACTERS = 11;
export const msOf = (position: string): number => Number.parseInt(position.slice(0, MS_CHARACTERS), 16);
const hexMs = (ms: number): string => Math.max(0, ms).toString(16).padStart(MS_CHARACTERS, "0");

/** Where no cursor stands: before and behind every position. */
const [FIRST, LAST] = ["0", "g"];

export function pipelineLogStore(reads: Pool) {
  const tableOf = (at: string, name: string): string => `${quoteIdentifier(instanceSchema(at))}.${name}`;

  /** `head`: SQL of a row's position without its place within the row. */
  function windowOf(search: LogSearch, head: string, bind: (value: unknown) => string) {
    const isNext = search.direction === "next";
    const cursor = bind(search.cursor ?? (isNext ? LAST : FIRST));
    return {
      isInside: isNext ? `(${head} || '000') < ${cursor}` : `(${head} || '999') > ${cursor}`,
      isBeyond: isNext ? `position < ${cursor}` : `position > ${cursor}`,
      order: isNext ? "DESC" : "ASC",
    };
  }

  /** Milliseconds that rows have to lie between, as far as filter and cursor say. */
  function bounds({ from, to, cursor, direction }: LogSearch): { from: number | null; to: number | null } {
    if (cursor === null) return { from, to };
    const ms = msOf(cursor);
    return direction === "next" ? { from, to: Math.min(to ?? ms, ms) } : { from: Math.max(from ?? ms, ms), to };
  }

  async function cyclesOf(at: string, search: LogSearch): Promise<FoundEntries> {
    const values: unknown[] = [];
    const bind = (value: unknown): string => `$${values.push(value)}`;
    const head = `lpad(to_hex(floor(extract(epoch FROM finished_at) * 1000)::bigint), ${MS_CHARACTERS}, '0') || 'c' ||
      lpad(to_hex(number), 24, '0')`;
    const { isInside, isBeyond, order } = windowOf(search, head, bind);
    const { from, to } = bounds(search);
    const time = (ms: number): string => `'epoch'::timestamptz + ${bind(ms)}::float8 * interval '1 millisecond'`;
    const rows = [
      `pipeline_id = ${bind(search.pipelineId)}`,
      isInside,
      ...(from === null ? [] : [`finished_at >= ${time(from)}`]),
      ...(to === null ? [] : [`finished_at < ${time(to + 1)}`]),
    ];
    const problem = "position({text} IN lower(concat_ws(' ', p->>'message', p->>'detail', p->>'code'))) > 0";
    const entries = [
      isBeyond,
      `kind = ANY(${bind(search.kinds)}::text[])`,
      `severity = ANY(${bind(search.severities)}::text[])`,
      ...(search.nodeId === null ? [] : [`node_id = ${bind(search.nodeId)}`]),
      // Cycles and nodes have counts and no words.
      ...(search.text === null ? [] : [`p IS NOT NULL AND ${problem.replace("{text}", bind(search.text))}`]),
    ];
    const { rows: answered } = await reads.query(
      `WITH w AS MATERIALIZED (
         SELECT *, ${head} AS head FROM ${tableOf(at, "cycle")} WHERE ${rows.join(" AND ")}
         ORDER BY finished_at ${order}, number ${order} LIMIT ${SEARCHED_ROWS}
       ), e AS (
         SELECT w.*, e.*, w.head || lpad(e.place::text, 3, '0') AS position FROM w CROSS JOIN LATERAL (
           SELECT 900 AS place, 'cycle' AS kind, CASE WHEN outcome IN ('failed', 'lost') THEN 'error' ELSE 'info' END AS severity,
                  NULL AS node_id, NULL::jsonb AS p, 0::bigint AS reached, 0::bigint AS ended, 0::bigint AS failed
           UNION ALL
           SELECT 800 - i::int, 'problem', p->>'severity', p->>'nodeId', p, 0, 0, 0
           FROM jsonb_array_elements(problems) WITH ORDINALITY AS problem(p, i)
           UNION ALL
           SELECT 500 - i::int, 'node', 'info', n->>'nodeId', NULL, ${REACHED} AS reached, ${ENDED}, ${FAILED}
           FROM jsonb_array_elements(${bind(JSON.stringify(search.nodes))}::jsonb) WITH ORDINALITY AS node(n, i)
         ) e
         WHERE kind <> 'node' OR reached > 0
       )
       SELECT position, kind, severity, node_id, number, is_resync, version_number, began_at, outcome,
              CASE WHEN kind = 'cycle' THEN counts - 'flow' END AS counts, ${shortProblem("p")} AS problem,
              reached::float8, ended::float8, failed::float8, (SELECT count(*) FROM w)::int AS looked_at,
              (SELECT ${order === "DESC" ? "min" : "max"}(head) FROM w) AS end
       FROM (SELECT * FROM e WHERE ${entries.join(" AND ")} ORDER BY finished_at ${order}, number ${order}, place ${order}
             LIMIT ${bind(search.count + 1)}) found
       RIGHT JOIN (SELECT) one ON true`,
      values,
    );
    return foundIn(answered, readCycleEntry, order === "DESC" ? "000" : "999");
  }

  async function actionsOf(at: string, search: LogSearch): Promise<FoundEntries> {
    const values: unknown[] = [];
    const bind = (value: unknown): string => `$${values.push(value)}`;
    const { isInside, isBeyond, order } = windowOf(search, "left(id, 11) || 'a' || id", bind);
    const rows = [
      `instance_id = ${bind(at)}`,
      `pipeline_id = ${bind(search.pipelineId)}`,
      isInside,
      ...idsBetween(bounds(search), bind),
    ];
    const words = `label, outcome->>'code', outcome->>'message', external_id, record_id${search.isHidden ? "" : ", text"}`;
    const entries = [
      isBeyond,
      `severity = ANY(${bind(search.severities)}::text[])`,
      ...(search.nodeId === null ? [] : [`node_id = ${bind(search.nodeId)}`]),
      ...(search.text === null ? [] : [`position(${bind(search.text)} IN lower(concat_ws(' ', ${words}))) > 0`]),
    ];
    const { rows: answered } = await reads.query(
      `WITH w AS MATERIALIZED (
         SELECT id, node_id, label, action, state, record_id, external_id, outcome, left(id, 11) || 'a' || id AS head
         FROM sync_action WHERE ${rows.join(" AND ")} ORDER BY id ${order} LIMIT ${SEARCHED_ROWS}
       ), e AS (
         SELECT *, head || '000' AS position, CASE WHEN action = 'logMessage' THEN outcome->'body'->>'text' END AS text,
           CASE WHEN state IN ('FAILED', 'UNKNOWN') THEN 'warning'
                WHEN action = 'logMessage' THEN coalesce(outcome->'body'->>'level', ${bind(search.levels)}::jsonb->>node_id, 'info')
                ELSE 'info' END AS severity
         FROM w
       )
       SELECT position, severity, node_id, label, action, state, record_id, external_id, outcome->>'code' AS code,
              left(outcome->>'message', ${MAX_TEXT}) AS message, left(text, ${MAX_TEXT}) AS text,
              (SELECT count(*) FROM w)::int AS looked_at, (SELECT ${order === "DESC" ? "min" : "max"}(head) FROM w) AS end
       FROM (SELECT * FROM e WHERE ${entries.join(" AND ")} ORDER BY position ${order} LIMIT ${bind(search.count + 1)}) found
       RIGHT JOIN (SELECT) one ON true`,
      values,
    );
    return foundIn(answered, readActionEntry, "000");
  }

  async function recordsOf(at: string, search: LogSearch): Promise<FoundEntries> {
    const values: unknown[] = [];
    const bind = (value: unknown): string => `$${values.push(value)}`;
    const { isInside, isBeyond, order } = windowOf(search, "left(id, 11) || 'q' || id", bind);
    const rows = [`pipeline_id = ${bind(search.pipelineId)}`, isInside, ...idsBetween(bounds(search), bind)];
    const entries = [
      isBeyond,
      ...(search.nodeId === null ? [] : [`node_id = ${bind(search.nodeId)}`]),
      ...(search.text === null
        ? []
        : [`position(${bind(search.text)} IN lower(concat_ws(' ', message, code, external_id, record_id))) > 0`]),
    ];
    const { rows: answered } = await reads.query(
      `WITH w AS MATERIALIZED (
         SELECT id, node_id, code, message, record_id, external_id, left(id, 11) || 'q' || id AS head
         FROM ${tableOf(at, "quarantine")} WHERE ${rows.join(" AND ")} ORDER BY id ${order} LIMIT ${SEARCHED_ROWS}
       ), e AS (SELECT *, head || '000' AS position FROM w)
       SELECT position, id, node_id, code, record_id, external_id, (SELECT count(*) FROM w)::int AS looked_at,
              (SELECT ${order === "DESC" ? "min" : "max"}(head) FROM w) AS end
       FROM (SELECT * FROM e WHERE ${entries.join(" AND ")} ORDER BY position ${order} LIMIT ${bind(search.count + 1)}) found
       RIGHT JOIN (SELECT) one ON true`,
      values,
    );
    return foundIn(answered, readRecordEntry, "000");
  }

  return {
    /** Kinds of rows that nothing is wanted of are not read. */
    search(at: string, search: LogSearch): Promise<FoundEntries[]> {
      const { kinds, severities } = search;
      return Promise.all([
        ...(kinds.some((kind) => kind !== "action" && kind !== "record") ? [cyclesOf(at, search)] : []),
        ...(kinds.includes("action") ? [actionsOf(at, search)] : []),
        ...(kinds.includes("record") && severities.includes("warning") ? [recordsOf(at, search)] : []),
      ]);
    },

    /** The cycles that ran at these times, in milliseconds, where they have ended. */
    async cyclesAt(at: string, pipelineId: string, times: readonly number[]): Promise<ReadonlyMap<number, number>> {
      if (times.length === 0) return new Map();
      const { rows } = await reads.query(
        `SELECT t.ms, c.number FROM unnest($2::float8[]) AS t(ms) CROSS JOIN LATERAL (
           SELECT number, began_at FROM ${tableOf(at, "cycle")}
           WHERE pipeline_id = $1 AND finished_at >= 'epoch'::timestamptz + t.ms * interval '1 millisecond'
           ORDER BY finished_at LIMIT 1
         ) c WHERE c.began_at <= 'epoch'::timestamptz + (t.ms + 1) * interval '1 millisecond'`,
        [pipelineId, times],
      );
      return new Map(rows.map((row) => [row.ms, Number(row.number)]));
    },
  };
}

export type PipelineLogStore = ReturnType<typeof pipelineLogStore>;

/** SQL conditions on ids, which begin with the milliseconds they were made in. */
function idsBetween(
  { from, to }: { from: number | null; to: number | null },
  bind: (value: unknown) => string,
): string[] {
  return [
    ...(from === null ? [] : [`id >= ${bind(hexMs(from))}`]),
    ...(to === null ? [] : [`id < ${bind(hexMs(to + 1))}`]),
  ];
}

// SQL over `counts` of a cycle and `n`, a logged node. On the way out each destination counts for itself.
const passed = (
  edge: string,
): string => `coalesce((counts #>> ARRAY['flow', 'sources', 'passed', ${edge}])::bigint, 0) +
  coalesce((SELECT max((sink.value->'passed'->>${edge})::bigint) FROM jsonb_each(counts->'flow'->'sinks') sink), 0)`;
const REACHED = `CASE WHEN (n->>'isSource')::boolean THEN coalesce((counts->'read'->>(n->>'nodeId'))::bigint, 0)
  ELSE (SELECT coalesce(sum(${passed("edge")}), 0)::bigint FROM jsonb_array_elements_text(n->'edges') edge) END`;
const ENDED = `coalesce((counts #>> ARRAY['flow', 'sources', 'ended', n->>'nodeId'])::bigint, 0) +
  coalesce((SELECT max((sink.value->'ended'->>(n->>'nodeId'))::bigint) FROM jsonb_each(counts->'flow'->'sinks') sink), 0)`;
const FAILED = `coalesce((counts #>> ARRAY['flow', 'failed', n->>'nodeId'])::bigint, 0)`;

const shortProblem = (problem: string): string => `CASE WHEN kind = 'problem' THEN ${problem} || jsonb_build_object(
  'message', left(${problem}->>'message', ${MAX_TEXT}), 'detail', left(${problem}->>'detail', ${MAX_TEXT})) END`;
