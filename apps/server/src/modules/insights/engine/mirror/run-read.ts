/** Runs a question in DuckDB no longer than somebody waits for it. */
import type { MirrorRead } from "./mirror-database.store.ts";
import type { MirrorAnswer } from "./protocol.ts";
import { RefusedError, untilAborted } from "./refusals.ts";

/** What is interrupted between two of its steps does not notice: it is interrupted again. */
const INTERRUPT_MS = 200;
/** DuckDB did not stop although it was interrupted: its threads are lost. */
const STUCK_MS = 30_000;

interface ReadOptions {
  signal: AbortSignal;
  onStuck(): void;
}

export async function runRead(
  read: MirrorRead,
  question: Parameters<MirrorRead["run"]>[0],
  { signal, onStuck }: ReadOptions,
): Promise<MirrorAnswer> {
  if (signal.aborted) {
    read.end();
    throw new RefusedError("late");
  }
  let again: NodeJS.Timeout | undefined;
  let stuck: NodeJS.Timeout | undefined;
  const stop = (): void => {
    read.interrupt();
    again = setInterval(() => read.interrupt(), INTERRUPT_MS);
    stuck = setTimeout(onStuck, STUCK_MS);
  };
  signal.addEventListener("abort", stop, { once: true });
  const running = read.run(question).finally(() => {
    signal.removeEventListener("abort", stop);
    clearInterval(again);
    clearTimeout(stuck);
  });
  return untilAborted(running, signal);
}
