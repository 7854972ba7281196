/** Counts of the cycle that runs: shown while messages of it arrive, replaced by the stored ones once they stop. */

interface Parts<Counts> {
  show: (counts: Counts | null) => void;
  /** Reads the stored counts again; resolves once that was tried. */
  readStored: () => Promise<unknown>;
  /** Without a message for this time the cycle is taken for ended: the message of its end may have been lost. */
  silenceMs: number;
}

export interface RunningFlow<Counts> {
  counted: (counts: Counts) => void;
  /** The cycle has ended, or messages may have been lost: its sums stay until the stored ones have been read. */
  ended: () => void;
  stop: () => void;
}

export function runningFlow<Counts extends object>({
  show,
  readStored,
  silenceMs,
}: Parts<Counts>): RunningFlow<Counts> {
  let shown: Counts | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = (): void => {
    clearTimeout(timer);
    const last = shown;
    if (last === null) return;
    const clear = (): void => {
      // A cycle that began meanwhile keeps its own counts.
      if (shown !== last) return;
      shown = null;
      show(null);
    };
    void readStored().then(clear, clear);
  };
  return {
    counted: (counts) => {
      clearTimeout(timer);
      shown = counts;
      show(counts);
      timer = setTimeout(ended, silenceMs);
    },
    ended,
    stop: () => {
      clearTimeout(timer);
      if (shown !== null) show(null);
      shown = null;
    },
  };
}
