/** Tabs of a pipeline's activity, as addresses spell them. */
import type { Transaction } from "@accord/contracts/sync/monitoring/transactions";

export const ACTIVITY_TABS = ["cycles", "problems", "refused", "waiting", "conflicts", "merges", "quarantine"] as const;
export type ActivityTab = (typeof ACTIVITY_TABS)[number];

/** What the address narrows a tab's list to. */
export interface ActivityNarrowing {
  /** Source or destination. */
  node?: string | undefined;
  /** Field of the core. */
  field?: string | undefined;
  /** Id of the cycle that is opened in the list of cycles, or `latest`. */
  cycle?: string | undefined;
  /** What that cycle did to its records. */
  change?: Transaction["operation"] | undefined;
}
