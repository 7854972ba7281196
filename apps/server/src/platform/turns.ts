/** Work that comes again and again: never twice at once, and over when it is stopped. */

/** Works every so many milliseconds, first after as many. Answers how to stop: resolves when the turn under way is over. */
export function takeTurns(
  everyMs: number,
  work: (stopping: AbortSignal) => Promise<void>,
  failed: (error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  let turn: Promise<void> | null = null;
  const timer = setInterval(() => {
    turn ??= work(stopping.signal)
      .catch(failed)
      .finally(() => (turn = null));
  }, everyMs);
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await turn;
  };
}
