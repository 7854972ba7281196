/** All rows of a table, page by page, for as long as there is time for it. */
import type { FileSettings } from "@accord/contracts/connections/file-settings";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Checkpoint, FileSource, Row } from "../formats/format.ts";
import { releaseReader } from "../formats/index.ts";

const PAGE = { most: 5_000, maxBytes: 1_000_000 } as const;

/** A checkpoint was passed too late. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

export interface Deadline {
  isOver(): boolean;
  checkpoint: Checkpoint;
}

/** `now` and `until` in milliseconds of the same clock. */
export function deadline(now: () => number, until: number): Deadline {
  const isOver = (): boolean => now() > until;
  return {
    isOver,
    checkpoint() {
      if (isOver()) throw new OutOfTime();
    },
  };
}

/** false where time ran out before the end, or `take` has seen enough (`false`). */
export async function eachPage(
  source: FileSource,
  settings: FileSettings,
  { isOver, checkpoint }: Deadline,
  take: (rows: readonly Row[]) => boolean | void,
): Promise<boolean> {
  const owner = {};
  const size = (await source.file.state())?.size ?? 0;
  try {
    for (let from: Row["next"] | null = null; ;) {
      const page = await source.format.read(source, settings, { from, size, ...PAGE, owner, checkpoint });
      if (take(page.rows) === false) return false;
      if (page.finished) return true;
      if (isOver()) return false;
      from = page.rows.at(-1)?.next ?? from;
      await nextTurn();
    }
  } catch (error) {
    if (error instanceof OutOfTime) return false;
    throw error;
  } finally {
    await releaseReader(owner);
  }
}
