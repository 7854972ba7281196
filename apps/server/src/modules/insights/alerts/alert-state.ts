/** The states of an alert: unknown, ok and crossed follow from values; failures and empty values stand beside them. */
import type { Verdict } from "@accord/cards/definitions";
import { ALERT_LIMITS } from "@accord/contracts/insights/card-alerts";
import type { Standing } from "./alert-checks.store.ts";
import type { Outcome } from "./alerts.store.ts";

/** What an evaluation came to: a verdict, or why there is none. */
export type Evaluation = Verdict | { state: "FAILED"; problem: string };

export interface Step extends Pick<Standing, "latch" | "failures"> {
  outcome: Outcome;
  /** `crossed`: the recipients are notified. `failing`: the owner is. */
  notice: "crossed" | "failing" | null;
}

/**
 * Where an evaluation leads. Only a value moves the latch, so that each crossing is notified once: an alert that fails
 * while it is crossed is still crossed when it works again.
 */
export function stepOf({ latch, failures }: Pick<Standing, "latch" | "failures">, { state }: Evaluation): Step {
  switch (state) {
    case "FAILED": {
      const inARow = failures + 1;
      const notice = inARow === ALERT_LIMITS.failuresBeforeNotice ? "failing" : null;
      return { latch, failures: inARow, outcome: "FAILED", notice };
    }
    case "NO_VALUE":
      return { latch, failures: 0, outcome: "NO_VALUE", notice: null };
    case "OK":
      return { latch: "OK", failures: 0, outcome: "VALUE", notice: null };
    case "CROSSED": {
      const notice = latch === "CROSSED" ? null : "crossed";
      return { latch: "CROSSED", failures: 0, outcome: "VALUE", notice };
    }
  }
}
