/** What a search through a pipeline's log answers: rows of the database as entries, each at its position. */
import type { Cycle } from "@accord/contracts/sync/monitoring/runs";
import type { LogSeverity } from "@accord/contracts/sync/monitoring/page-filters";
import type { CycleCounts, CycleProblem } from "@accord/sync-engine/run";
import type { QueryResultRow } from "pg";

/** Rows of each kind that one search looks at; what is further away is found by the next one. */
export const SEARCHED_ROWS = 1_000;

interface EntryRow {
  position: string;
  severity: LogSeverity;
  nodeId: string | null;
}

export type StoredLogEntry = EntryRow &
  (
    | { kind: "cycle"; cycle: LoggedCycle }
    | { kind: "node"; cycleNumber: number; reached: number; ended: number; quarantined: number }
    | { kind: "problem"; cycleNumber: number; problem: CycleProblem }
    | { kind: "action"; action: LoggedAction }
    | { kind: "record"; quarantineId: string; code: string; recordId: string | null; externalId: string | null }
  );

interface LoggedCycle {
  number: number;
  isResync: boolean;
  versionNumber: number;
  beganAt: string;
  outcome: Cycle["outcome"];
  counts: CycleCounts;
}

interface LoggedAction {
  label: string;
  action: string;
  state: string;
  code: string | null;
  message: string | null;
  /** Of a log message. */
  text: string | null;
  recordId: string | null;
  externalId: string | null;
}

/** What one kind of row gave. */
export interface FoundEntries {
  entries: StoredLogEntry[];
  /** Position of the last row that was looked at, where there are more. */
  end: string | null;
}

/** There is always one row, without a position where nothing was found. */
export function foundIn(
  rows: readonly QueryResultRow[],
  read: (row: QueryResultRow) => StoredLogEntry,
  lastPlace: string,
): FoundEntries {
  const { looked_at: lookedAt, end } = rows[0] ?? {};
  return {
    entries: rows.filter(({ position }) => position !== null).map(read),
    end: lookedAt === SEARCHED_ROWS ? `${end}${lastPlace}` : null,
  };
}

const entryOf = (row: QueryResultRow): EntryRow => ({
  position: row["position"],
  severity: row["severity"],
  nodeId: row["node_id"],
});

export function readCycleEntry(row: QueryResultRow): StoredLogEntry {
  const cycleNumber = Number(row["number"]);
  const entry = entryOf(row);
  switch (row["kind"]) {
    case "problem":
      return { ...entry, kind: "problem", cycleNumber, problem: row["problem"] };
    case "node": {
      const { reached, ended, failed: quarantined } = row;
      return { ...entry, kind: "node", cycleNumber, reached, ended, quarantined };
    }
    default: {
      const { is_resync: isResync, version_number: versionNumber, began_at: beganAt, outcome, counts } = row;
      return {
        ...entry,
        kind: "cycle",
        cycle: { number: cycleNumber, isResync, versionNumber, beganAt, outcome, counts },
      };
    }
  }
}

export const readActionEntry = (row: QueryResultRow): StoredLogEntry => ({
  ...entryOf(row),
  kind: "action",
  action: {
    label: row["label"],
    action: row["action"],
    state: row["state"],
    code: row["code"],
    message: row["message"],
    text: row["text"],
    recordId: row["record_id"],
    externalId: row["external_id"],
  },
});

export const readRecordEntry = (row: QueryResultRow): StoredLogEntry => ({
  ...entryOf({ ...row, severity: "warning" }),
  kind: "record",
  quarantineId: row["id"],
  code: row["code"],
  recordId: row["record_id"],
  externalId: row["external_id"],
});
