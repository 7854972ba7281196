/** How one try of an action ended. */
import type { ActionAttempt as Attempt, ActionOutcome } from "@accord/sync-engine/actions";

export type { Attempt };

export const succeeded = (body: ActionOutcome["body"] = null): Attempt => ({
  outcome: { succeeded: true, body, code: null, message: null },
  isOutcomeKnown: true,
  isTransient: false,
});

export const refused = (code: string, message: string): Attempt => ({
  outcome: { succeeded: false, body: null, code, message },
  isOutcomeKnown: true,
  isTransient: false,
});
