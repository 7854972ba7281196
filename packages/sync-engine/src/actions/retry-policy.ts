/** What an action promises when something breaks on the way: whether it is done again, how often, and how it ends. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import type { ActionCall, ActionOutcome } from "./call.ts";

/** How one try of an action ended. */
export interface ActionAttempt {
  outcome: ActionOutcome;
  /** false: it may have happened all the same. */
  isOutcomeKnown: boolean;
  /** Another try may end otherwise without anybody changing anything. */
  isTransient: boolean;
  retryAfterMs?: number;
}

export type ActionEnd =
  | { state: "DONE" | "FAILED" | "UNKNOWN"; outcome: ActionOutcome }
  /** Another try is due in so many milliseconds. */
  | { state: "DUE"; outcome: ActionOutcome; inMs: number };

/** Tries of an action that nobody waits for; a page that waits for the answer tries as its node says. */
const TRIES = 5;
/** 5 s, 20 s, 80 s, 320 s after the first, second … try. */
const retryDelay = (attempts: number): number => 5_000 * 4 ** Math.min(attempts - 1, 4);

/** Begun, and nobody knows how it ended. */
export const OUTCOME_UNKNOWN: ActionAttempt = {
  isOutcomeKnown: false,
  isTransient: false,
  outcome: {
    succeeded: false,
    body: null,
    code: "outcome_unknown",
    message: nodeFailures.outcomeUnknown,
  },
};

/** How an action ends whose page waits for it. */
export const toFinalState = ({ outcome, isOutcomeKnown }: ActionAttempt): Exclude<ActionEnd, { state: "DUE" }> => ({
  state: outcome.succeeded ? "DONE" : isOutcomeKnown ? "FAILED" : "UNKNOWN",
  outcome,
});

/** How an action ends that nobody waits for, or when it is tried again. `attempts`: this one included. */
export function nextState(work: ActionCall["work"], attempts: number, attempt: ActionAttempt): ActionEnd {
  const { outcome, isTransient, isOutcomeKnown, retryAfterMs } = attempt;
  const isWorthAnother =
    !outcome.succeeded && isTransient && (isOutcomeKnown || isIdempotent(work)) && attempts < TRIES;
  return isWorthAnother ? { state: "DUE", outcome, inMs: retryAfterMs ?? retryDelay(attempts) } : toFinalState(attempt);
}

/** Whether doing it twice is like doing it once. */
export function isIdempotent(work: ActionCall["work"]): boolean {
  switch (work.kind) {
    case "http":
      return work.isRepeatable || work.method === "GET" || work.method === "PUT" || work.method === "DELETE";
    case "custom":
    case "chat":
    case "createExternal":
    case "createCore":
      return false;
    case "email":
    case "notify":
    case "log":
    case "updateExternal":
    case "deleteExternal":
    case "updateCore":
    case "deleteCore":
      return true;
  }
}
