/** How one try of an action ended. */
import type { ActionOutcome } from "@accord/sync-engine/actions";

export interface Attempt {
  outcome: ActionOutcome;
  /** false: it may have happened all the same. */
  isCertain: boolean;
  /** Another try may end otherwise without anybody changing anything. */
  mayPass: boolean;
  retryAfterMs?: number;
}

export const succeeded = (body: ActionOutcome["body"] = null): Attempt => ({
  outcome: { succeeded: true, body, code: null, message: null },
  isCertain: true,
  mayPass: false,
});

export const refused = (code: string, message: string): Attempt => ({
  outcome: { succeeded: false, body: null, code, message },
  isCertain: true,
  mayPass: false,
});
