/** What one fake system is like, and the plainest one. */
import type { ReaderFaults, ReadingKind } from "./row-passes.ts";
import type { ClockOptions } from "./system-clock.ts";
import type { Rewriting } from "./text-rewriting.ts";
import type { TypedValues } from "./typed-values.ts";

/** In what a system differs from one with a right clock and a feed of changes. */
export interface SystemOptions {
  clock: ClockOptions;
  reading: ReadingKind;
  /** Its pages say that they show present states. */
  isCurrent: boolean;
  readerFaults?: ReaderFaults;
  /** Fields that hold other values than texts, and which of their spellings it has. */
  types: TypedValues | null;
  style: number;
  /** How it stores the texts that it is given; null: as they are. */
  rewriting?: Rewriting | null;
}

export const PLAIN_SYSTEM: SystemOptions = {
  clock: { offsetMs: 0, jumps: [] },
  reading: "feed",
  isCurrent: false,
  types: null,
  style: 0,
};
