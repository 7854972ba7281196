/** Limits tries: by account, by address, by whatever is named. Counted before the work, so parallel tries count too. */
import { createHash } from "node:crypto";
import type { Deps } from "../deps.ts";
import { AppError } from "../http/app-error.ts";
import { countTry, forgetTries } from "./throttle.store.ts";

export interface Limit {
  /** What is being tried: `signIn.account`. */
  scope: string;
  tries: number;
  windowMs: number;
}

type Needs = Pick<Deps, "appDb" | "clock">;

/** Counts a try. @throws AppError `too_many_tries` with the minutes to wait. */
export async function takeTry({ appDb, clock }: Needs, limit: Limit, key: string): Promise<void> {
  const now = clock.now();
  const windowEndsAt = new Date(now.getTime() + limit.windowMs);
  const counted = await countTry(appDb, { scope: limit.scope, key: hashed(key), now, windowEndsAt });
  if (counted.tries <= limit.tries) return;
  const minutes = Math.max(1, Math.ceil((counted.windowEndsAt.getTime() - now.getTime()) / 60_000));
  throw new AppError("too_many_tries", { minutes });
}

/** Forgets the tries of a key, after it succeeded. */
export async function clearTries({ appDb }: Pick<Needs, "appDb">, limit: Limit, key: string): Promise<void> {
  await forgetTries(appDb, limit.scope, hashed(key));
}

/** Bounds the length and keeps addresses out of the table. */
const hashed = (key: string) => createHash("sha256").update(key).digest("hex");
