/** What the header says of the draft: whether it is saved, and if not, why. */
import type { DraftConflict } from "./draft-conflict.ts";

export type SaveState =
  | { state: "saved" }
  /** Edited, or on its way. */
  | { state: "saving" }
  | { state: "failed"; reason: string }
  /** Somebody else saved, published or discarded the draft: a person decides. */
  | { state: "conflict"; kind: DraftConflict["kind"] };

/** An edit is saved once the person pauses; a save that failed for want of a server is repeated ever more slowly. */
export const SAVE_DELAY_MS = 600;
/** A call without an answer is given up after this time and repeated. */
export const SAVE_TIMEOUT_MS = 30_000;
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000] as const;

export const retryDelay = (failures: number): number =>
  RETRY_DELAYS_MS[Math.min(Math.max(failures, 1), RETRY_DELAYS_MS.length) - 1] ?? 30_000;
