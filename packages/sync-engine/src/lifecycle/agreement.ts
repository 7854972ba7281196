/** Which published pipelines agree, which don't, and which of those wait for a person: counted and listed by the same rules. */
import type { PipelineRow } from "@accord/contracts/sync/pipelines";

type Judged = Pick<PipelineRow, "health">;

/** Waits for somebody to fix something. */
export const needsAttention = ({ health }: Judged): boolean => health?.severity === "error";

/** Published, and nothing of it is in quarantine, refused, failing, waiting or paused. */
export const isInAgreement = ({ health }: Judged): boolean => health?.state === "IN_AGREEMENT";

/** Waits for its first cycle: nothing can be said about agreement yet. */
export const isAwaitingFirstRun = ({ health }: Judged): boolean =>
  health?.reasons.every(({ message }) => message === "firstCycle") === true && !isInAgreement({ health });

/** Published, and something stands between it and agreement. */
export const isApart = (row: Judged): boolean => row.health !== null && !isInAgreement(row) && !isAwaitingFirstRun(row);
