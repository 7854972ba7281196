/** Work that is due, several pieces at once, for a turn: what there is more of waits behind others. */

export interface Turn {
  /** Pieces at once. */
  lanes: number;
  /** Milliseconds after which nothing more is begun. */
  ms: number;
  stopping: AbortSignal;
}

/** `next` does one piece, and answers whether there was one. Answers whether there may be more. */
export async function takeTurn({ lanes, ms, stopping }: Turn, next: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + ms;
  const lane = async (): Promise<boolean> => {
    while (!stopping.aborted && performance.now() < end) if (!(await next())) return false;
    return true;
  };
  return (await Promise.all(Array.from({ length: lanes }, lane))).includes(true);
}
