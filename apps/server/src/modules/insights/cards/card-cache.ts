/** Answers of cards, kept for a while. The key carries who asked and what the data was, so that a hit is never another's. */
import { createHash } from "node:crypto";

export interface CacheKey {
  instanceId: string;
  /** Whoever sees the same data shares answers: staff by their permissions, outsiders by their share. */
  principal: string;
  permissionVersion: string;
  dataVersion: string;
  /** Everything the answer follows from beside the data: the statement and its parameters. */
  question: unknown;
}

export interface CardCache<Answer> {
  /**
   * The kept answer, or the one worked out now; callers who ask at once share one working out. It is aborted when all
   * of them have left.
   */
  get(key: CacheKey, options: CacheRequest, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>;
}

export interface CacheRequest {
  refresh: boolean;
  caller: { signal: AbortSignal };
}

interface Entry<Answer> {
  answer: Promise<Answer>;
  at: number;
  /** 0 until it is worked out. */
  bytes: number;
  /** One more waits for it, until the signal. */
  join: (signal: AbortSignal) => void;
  /** Everybody left before it was worked out. */
  aborted: AbortSignal;
}

export function cardCache<Answer extends { bytes: number }>(options: {
  entries: number;
  /** Of all answers together. */
  bytes: number;
  lifeMs: number;
  monotonicMs: () => number;
}): CardCache<Answer> {
  const kept = new Map<string, Entry<Answer>>();
  let bytes = 0;
  const forget = (name: string): void => {
    bytes -= kept.get(name)?.bytes ?? 0;
    kept.delete(name);
  };
  const trim = (): void => {
    for (const oldest of kept.keys()) {
      if (kept.size <= options.entries && bytes <= options.bytes) break;
      forget(oldest);
    }
  };
  return {
    async get(key, { refresh, caller: { signal } }, work) {
      const name = createHash("sha256").update(JSON.stringify(key)).digest("base64url");
      const found = kept.get(name);
      signal.throwIfAborted();
      if (found && !found.aborted.aborted && !refresh && options.monotonicMs() - found.at < options.lifeMs) {
        found.join(signal);
        return found.answer;
      }
      const entry: Entry<Answer> = { ...sharedWork(work), at: options.monotonicMs(), bytes: 0 };
      entry.join(signal);
      forget(name);
      kept.set(name, entry);
      trim();
      entry.answer.then(
        (answer) => {
          if (kept.get(name) !== entry) return;
          entry.bytes = answer.bytes;
          bytes += answer.bytes;
          trim();
        },
        // A failure is nobody's answer.
        () => kept.get(name) === entry && forget(name),
      );
      return entry.answer;
    },
  };
}

/** Starts work for several callers; it is aborted when the last of those who joined leaves before its end. */
function sharedWork<Answer>(
  work: (signal: AbortSignal) => Promise<Answer>,
): Pick<Entry<Answer>, "answer" | "join" | "aborted"> {
  const controller = new AbortController();
  let waiting = 0;
  let ended = false;
  const answer = work(controller.signal).finally(() => (ended = true));
  const leave = (reason: unknown): void => {
    waiting--;
    if (waiting === 0 && !ended) controller.abort(reason);
  };
  return {
    answer,
    aborted: controller.signal,
    join(signal) {
      waiting++;
      signal.addEventListener("abort", () => leave(signal.reason), { once: true });
    },
  };
}
