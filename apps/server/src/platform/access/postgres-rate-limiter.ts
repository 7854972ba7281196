/** Attempts counted in PostgreSQL, with a short memory of refusals in the process so that a flood costs few queries. */
import { createHash } from "node:crypto";
import type { Deps } from "../deps.ts";
import { AppError } from "../http/app-error.ts";
import * as store from "./rate-limiter.store.ts";
import type { AttemptKey, RateLimit, RateLimiter } from "./rate-limiter.ts";

/** A caller is kept waiting in the call for no longer; then they are told when to come back. */
const MAX_HOLD_MS = 8_000;
/** How long a refusal is believed without asking the database again: a flood costs one query in this time. */
const REFUSAL_REMEMBERED_MS = 2_000;
const MAX_REMEMBERED = 10_000;

export function rateLimiter({ appDb, clock }: Pick<Deps, "appDb" | "clock">): RateLimiter {
  const inOrder = makeSerializer();
  const refusals = new Map<string, { refusedAt: number; until: number }>();

  /** The time at which a remembered refusal ends; null: ask the database. */
  function rememberedRefusal(id: string): number | null {
    const refusal = refusals.get(id);
    const now = clock.now().getTime();
    if (refusal && now < refusal.until && now - refusal.refusedAt < REFUSAL_REMEMBERED_MS) return refusal.until;
    refusals.delete(id);
    return null;
  }

  function refuse(id: string, until: number): never {
    if (refusals.size >= MAX_REMEMBERED) refusals.clear();
    const now = clock.now().getTime();
    refusals.set(id, { refusedAt: now, until });
    throw tooManyAttempts(until - now);
  }

  /** One attempt of a key after the other: the second of a flood sees what became of the first. */
  function consume<Result>(
    limit: RateLimit,
    key: AttemptKey,
    work: (id: string, attempt: store.Attempt) => Promise<Result>,
  ) {
    const id = `${limit.scope} ${hashKey(key)}`;
    return inOrder(id, async () => {
      const until = rememberedRefusal(id);
      const now = clock.now();
      if (until !== null) throw tooManyAttempts(until - now.getTime());
      const windowEndsAt = new Date(now.getTime() + limit.windowMs);
      return work(id, { scope: limit.scope, key: hashKey(key), now, windowEndsAt });
    });
  }

  const consumeAttempt: RateLimiter["consumeAttempt"] = (limit, key) =>
    consume(limit, key, async (id, attempt) => {
      const { attempts, windowEndsAt } = await store.countAttempt(appDb, attempt);
      return attempts <= limit.attempts ? attempts : refuse(id, windowEndsAt.getTime());
    });

  return {
    consumeAttempt,

    tryAttempt: (limit, key) =>
      consumeAttempt(limit, key).then(
        () => true,
        (error: unknown) => {
          if (error instanceof AppError && error.code === "too_many_tries") return false;
          throw error;
        },
      ),

    async awaitAttempt(limit, key) {
      const pace = { free: limit.attempts, maxGapMs: limit.maxGapMs, maxHoldMs: MAX_HOLD_MS };
      const { attempts, waitMs } = await consume(limit, key, async (_, attempt) => {
        const { turnAt, nextAt, attempts } = await store.reserveTurn(appDb, attempt, pace);
        if (turnAt === null) throw tooManyAttempts(nextAt.getTime() - attempt.now.getTime());
        return { attempts, waitMs: turnAt.getTime() - attempt.now.getTime() };
      });
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      return attempts;
    },

    refundAttempt: (limit, key) => store.uncountAttempt(appDb, limit.scope, hashKey(key)),

    async resetAttempts(limit, key) {
      const subject = `${limit.scope} ${hashKey(key)}`;
      for (const id of refusals.keys()) if (id === subject || id.startsWith(`${subject}:`)) refusals.delete(id);
      await store.deleteAttempts(appDb, limit.scope, hashKey(key));
    },

    async countAttempts(limit, subjects) {
      const keys = new Map(subjects.map((subject) => [hashKey(subject), subject]));
      const counts = await store.readAttempts(appDb, limit.scope, [...keys.keys()], clock.now());
      return new Map([...counts].map(([key, attempts]) => [keys.get(key) ?? key, attempts]));
    },

    removeEnded: () => store.deleteEndedWindows(appDb, clock.now()),
  };
}

/** Refuses with the time to wait, in words and, for programs, in seconds. */
export function tooManyAttempts(waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const wait = seconds <= 90 ? inUnits(seconds, "second") : inUnits(Math.ceil(seconds / 60), "minute");
  return new AppError("too_many_tries", { wait, retryAfterSeconds: seconds });
}

const inUnits = (value: number, unit: "second" | "minute") =>
  new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long" }).format(value);

/** Bounds the length and keeps addresses out of the table. */
const hashText = (text: string) => createHash("sha256").update(text).digest("hex");
const hashKey = (key: AttemptKey) =>
  typeof key === "string" ? hashText(key) : `${hashText(key[0])}:${hashText(key[1])}`;

/** Runs what has the same name one after another. */
function makeSerializer() {
  const tails = new Map<string, Promise<unknown>>();
  return <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const done = (tails.get(name) ?? Promise.resolve()).then(work, work);
    const tail = done
      .catch(() => {})
      .finally(() => {
        if (tails.get(name) === tail) tails.delete(name);
      });
    tails.set(name, tail);
    return done;
  };
}
