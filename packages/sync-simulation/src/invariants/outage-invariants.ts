/** Invariants of histories in which a system was down for long. */
import type { MemoryStore } from "../memory/memory-store.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** Records that may be sent to a system that is down: while that is found out, and later. */
const CALLS_AT_FIRST = 60;
const CALLS_PER_MINUTE = 1;

interface AfterOutages {
  scenario: Scenario;
  store: MemoryStore;
  /** Records sent to systems that took no writes. */
  sentInVain: number;
}

/** A system that is down is asked now and then, not all the time; and nothing waits for a person after it. */
export function outageViolations({ scenario: { outages }, store, sentInVain }: AfterOutages): string[] {
  if (outages.length === 0) return [];
  const minutes = outages.reduce((sum, { fromMs, untilMs }) => sum + (untilMs - fromMs) / 60_000, 0);
  const isLeftAlone = sentInVain <= CALLS_AT_FIRST + CALLS_PER_MINUTE * minutes;
  return [
    ...(isLeftAlone ? [] : ["a system that was down was not left alone"]),
    ...(store.waitsForPerson() ? ["after an outage something waits for a person"] : []),
  ];
}
