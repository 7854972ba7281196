/** Cycles that break off before their end: how long their pipeline is left alone, and what people learn of it. */
import { fill } from "@accord/contracts/messages/fill";
import { notices } from "@accord/contracts/messages/en/notices";
import { storageTexts as words } from "@accord/contracts/messages/en/storage";
import { type CycleSummary, RETRY_WINDOW } from "@accord/sync-engine/run";
import type { Deps } from "../../../../platform/deps.ts";
import { PROBE_MS, notifyOfCycle } from "./cycle-finish.ts";
import { emptySummary, standingAfter } from "./cycle-summaries.ts";
import type { DatabaseTime } from "../schedule/database-time.ts";
import type { Acquired } from "../schedule/pipeline-rows.store.ts";
import type { RunsDependencies } from "./plans.ts";
import type { ScheduleStore } from "../schedule/schedule.store.ts";

/** Longest time that a pipeline whose cycles break off one after the other is left alone. */
const MAX_BREAK_MS = 300_000;
/** A moment without the database is nothing to tell; the third cycle in a row is. */
const MAX_BREAKS_REPORTED = 3;

interface Parts {
  deps: Pick<Deps, "log" | "dataPool">;
  needs: Pick<RunsDependencies, "schema" | "notify">;
  schedule: Pick<ScheduleStore, "putOff">;
}

/**
 * What broke off would break off at once again, and keep others waiting: its pipeline is due a little later each time.
 * It stops in error like after an outage once that has gone on for too long. Throws when the database is away.
 */
export async function abortCycle(
  parts: Parts,
  { acquired, time }: { acquired: Acquired; time: DatabaseTime },
  error: unknown,
): Promise<void> {
  const times = acquired.brokenTimes + 1;
  const isTooLong = acquired.brokenSince !== null && time() - acquired.brokenSince > RETRY_WINDOW;
  const summary = times < MAX_BREAKS_REPORTED ? null : summaryOfBreak(acquired, times, error);
  const reason = reasonOf(error);
  const stopped = isTooLong
    ? { message: words.cyclesBrokeOff, detail: [reason, notices.pipelineProbes].filter(Boolean).join(" ") }
    : null;
  await parts.schedule.putOff(acquired, {
    dueInMs: isTooLong ? PROBE_MS : Math.min(MAX_BREAK_MS, 500 * 2 ** times),
    summary,
    error: stopped,
    standing: summary === null ? [] : standingAfter(summary, acquired.lastCycle, null),
  });
  if (!summary || !stopped) return;
  const entity = await parts.needs.schema.getEntity(acquired.instanceId, acquired.pipelineId);
  if (entity) await notifyOfCycle(parts, { acquired, entity, summary, pipeline: null }, stopped);
}

function summaryOfBreak(acquired: Acquired, times: number, error: unknown): CycleSummary {
  const message = fill(words.cyclesBreakOff, { count: String(times) });
  const problem = { code: "cycle_broke_off", message, detail: reasonOf(error) };
  return emptySummary(problem, acquired.failures);
}

/** Ends like a sentence: what stands behind it goes on. */
const reasonOf = (error: unknown): string | null =>
  error instanceof Error && error.message ? `${error.message.replace(/\.$/, "")}.` : null;
