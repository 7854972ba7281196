/** Why a question is not answered here, and which errors say that the file of the copies is broken. */
import type { CopyProblem, MirrorQuestion, Refusal } from "./protocol.ts";

export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly reason: Refusal;
  constructor(reason: Refusal) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * DuckDB can't read or write its files, or has given up its database. All else is the matter of one question, or of
 * PostgreSQL, and no reason to copy tables anew.
 */
const BROKEN = /^(?:IO|FATAL|Serialization) Error\b|has been invalidated/;

export const isBrokenFile = (error: unknown): boolean => error instanceof Error && BROKEN.test(error.message);

/** What of an error people may know: its text names files of the server, or values. */
export function problemOf(error: unknown): CopyProblem {
  if (isBrokenFile(error)) return "files";
  if (!(error instanceof Error)) return "other";
  if (error.name === "GaveWayError") return "busy";
  if (/^Out of Memory Error\b/.test(error.message)) return "memory";
  // As PostgreSQL's errors have.
  return "code" in error && typeof error.code === "string" ? "database" : "other";
}

/** Ends with the signal, whatever becomes of the work. */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new RefusedError("late"));
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

const REMEMBER_MS = 5 * 60_000;
const MAX_REMEMBERED = 1_000;

/** Questions that DuckDB could not answer: asked again at once, they would fail again, after the same work. */
export class FailedQuestions {
  readonly #until = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  has(question: MirrorQuestion): boolean {
    return (this.#until.get(keyOf(question)) ?? 0) > this.#now();
  }

  add(question: MirrorQuestion): void {
    if (this.#until.size >= MAX_REMEMBERED) this.#until.clear();
    this.#until.set(keyOf(question), this.#now() + REMEMBER_MS);
  }
}

const keyOf = ({ text, params }: MirrorQuestion): string => JSON.stringify([text, params]);
