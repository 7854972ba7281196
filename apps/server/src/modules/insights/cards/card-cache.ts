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
  /** The kept answer, or the one worked out now; callers who ask at once share one working out. */
  get(key: CacheKey, options: { refresh: boolean }, work: () => Promise<Answer>): Promise<Answer>;
}

export function cardCache<Answer>(options: {
  entries: number;
  lifeMs: number;
  monotonicMs: () => number;
}): CardCache<Answer> {
  const kept = new Map<string, { answer: Promise<Answer>; at: number }>();
  return {
    async get(key, { refresh }, work) {
      const name = createHash("sha256").update(JSON.stringify(key)).digest("base64url");
      const found = kept.get(name);
      if (found && !refresh && options.monotonicMs() - found.at < options.lifeMs) return found.answer;
      const entry = { answer: work(), at: options.monotonicMs() };
      kept.delete(name);
      kept.set(name, entry);
      for (const oldest of kept.keys()) {
        if (kept.size <= options.entries) break;
        kept.delete(oldest);
      }
      // A failure is nobody's answer.
      entry.answer.catch(() => kept.get(name) === entry && kept.delete(name));
      return entry.answer;
    },
  };
}
