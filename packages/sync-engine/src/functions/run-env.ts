/** What running a node may know of the moment. */
import type { DataResult } from "./data-requests.ts";

/** The present moment and chance come in as values, so that a run can be repeated exactly. */
export interface RunEnv {
  /** UTC milliseconds. */
  now: number;
  /** 0 ≤ x < 1. */
  random: () => number;
  /** What the world answered to a node that asks: by record of the page, in the order of its questions. */
  answers?: readonly (readonly DataResult[])[];
  /** Which turns of loops this is, as `.2.0`; absent outside of loops. */
  turn?: string;
  /** Everything is read again: what passes is no news. */
  isResync?: boolean;
}
