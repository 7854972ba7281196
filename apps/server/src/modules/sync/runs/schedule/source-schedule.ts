/** Which sources a cycle reads, and when the next cycle is due: each source by its own schedule. */
import { nextRunAt } from "@accord/sync-engine/lifecycle";
import type { SourcePlan } from "@accord/sync-engine/run";
import type { StoredPosition } from "./cycle-starts.store.ts";

type TimedSource = Pick<SourcePlan, "nodeId" | "schedule" | "isAlsoSink">;

/** What is known when a cycle begins. */
export interface ScheduleContext {
  /** Where each source stands, by node id; those never read are missing. */
  positions: ReadonlyMap<string, StoredPosition>;
  /** Milliseconds. */
  now: number;
  /** When the running version was published, milliseconds: schedules count from it until the first reading. */
  publishedAt: number;
  /** Somebody or something asked for this cycle, as a change by hand does. */
  wasRequested: boolean;
  /** A person asked that everything be read. */
  isReadAll: boolean;
}

/** Turns come at whole polls: one that is due within half of it is due. */
const TOLERANCE_MS = 500;

/** A source with a timetable of its own leaves the shared cycle, unless what is written there must be read first. */
const hasTimetable = ({ schedule, isAlsoSink }: TimedSource): boolean =>
  !isAlsoSink && (schedule.kind === "cron" || (schedule.kind === "interval" && schedule.unit !== "seconds"));

export function isDue(source: TimedSource, turns: ScheduleContext): boolean {
  if (turns.isReadAll || (turns.wasRequested && !hasTimetable(source))) return true;
  const position = turns.positions.get(source.nodeId);
  // A reading that broke off goes on; what is behind it would wait for the next turn else.
  if (position ? !position.isComplete : source.schedule.kind !== "cron") return true;
  return nextRunAt(source.schedule, readAt(source, turns)) <= turns.now + TOLERANCE_MS;
}

/** How far a cycle has come with a source. */
export interface SourceProgress {
  nodeId: string;
  state: "waiting" | "open" | "done" | "failed";
  /** When it was last asked in this cycle, milliseconds; null before. */
  readAt: number | null;
}

/** Sources whose turn has come again while their cycle goes on; `progress` of those that had one in it. */
export function dueAgain(
  sources: readonly TimedSource[],
  progress: readonly SourceProgress[],
  { now, isRequested }: Pick<ScheduleContext, "now"> & { isRequested: boolean },
): string[] {
  const due = sources.filter((source) => {
    const own = progress.find(({ nodeId }) => nodeId === source.nodeId);
    if (own && own.state !== "done") return false;
    const isItsTurn = own?.readAt != null && nextRunAt(source.schedule, own.readAt) <= now + TOLERANCE_MS;
    return isItsTurn || (isRequested && !hasTimetable(source));
  });
  return due.map(({ nodeId }) => nodeId);
}

/**
 * Milliseconds until the first source is due again, counted from `ended`. Those that had their turn in this cycle count
 * from its end: one that failed comes back by its failures' delays, not at once. Infinity when none will ever be due.
 */
export function nextTurnIn(sources: readonly TimedSource[], turns: ScheduleContext, ended: number): number {
  const next = sources.map((source) =>
    nextRunAt(source.schedule, isDue(source, turns) ? ended : readAt(source, turns)),
  );
  return Math.max(0, Math.min(...next) - ended);
}

function readAt({ nodeId }: TimedSource, { positions, now, publishedAt }: ScheduleContext): number {
  const position = positions.get(nodeId);
  return position ? now - position.ageMs : publishedAt;
}
