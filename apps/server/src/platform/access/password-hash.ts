/**
 * Password hashes (argon2id) of staff and guests, through one queue. Only a stored hash is worth the work of comparing;
 * an account without one is answered after the same time.
 */
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { fairQueue, type QueuePlace } from "./fair-queue.ts";

/** OWASP's smallest argon2id setting: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** A flood of sign-ins leaves a core to everything else. */
const MAX_PARALLEL = Math.min(3, Math.max(1, availableParallelism() - 1));
const queue = fairQueue({ maxParallel: MAX_PARALLEL, maxWaiting: 200 });
/** For passwords that are set, not tried: nobody can make many of them without being signed in. */
const SETTING: QueuePlace = { lane: "set", client: "" };

export const hashPassword = (password: string): Promise<string> =>
  queue.run(SETTING, () => hash(normalize(password), COST));

/** `stored` null: there is no such account or it has no password; the answer is no, after as long as it takes otherwise. */
export async function verifyPassword(
  stored: string | null,
  password: string,
  place: QueuePlace = SETTING,
): Promise<boolean> {
  if (stored === null) {
    await takeAsLong(place);
    return false;
  }
  return queue.run(place, () => measured(stored, password));
}

/** Milliseconds that comparisons took lately. */
const durations: number[] = [];
const MAX_DURATIONS = 16;
/** A longer line of comparisons is not made longer for accounts that are not there. */
const MAX_WAITING_FOR_NOTHING = 4;
let dummyHash: Promise<string> | undefined;

async function measured(stored: string, password: string): Promise<boolean> {
  const startedAt = performance.now();
  const isRight = await verify(stored, normalize(password)).catch(() => false);
  durations.unshift(performance.now() - startedAt);
  durations.splice(MAX_DURATIONS);
  return isRight;
}

/**
 * Does the work for nothing, which takes exactly as long. In a flood only the time passes: each waits for its turn and
 * then as long as others took, so that made-up accounts cost nothing and delay nobody.
 */
async function takeAsLong(place: QueuePlace): Promise<void> {
  const lately = durations[Math.floor(Math.random() * durations.length)];
  if (lately === undefined || queue.waiting(place.lane) < MAX_WAITING_FOR_NOTHING) {
    const expected = await (dummyHash ??= hash("nobody has this password", COST));
    await queue.run(place, () => measured(expected, "nor this one"));
    return;
  }
  await queue.run(place, async () => {});
  await new Promise((resolve) => setTimeout(resolve, lately));
}

/** The same password typed on two keyboards is the same text. */
const normalize = (password: string) => password.normalize("NFKC");
