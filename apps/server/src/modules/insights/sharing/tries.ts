/** Ten tries, then a pause: the same for addresses that were invited and for those that were not. */
import { SHARING } from "@accord/contracts/insights/sharing";
import { createHash } from "node:crypto";
import type { Clock } from "../../../platform/clock.ts";
import type { Db } from "../../../platform/db/db.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import * as store from "./shares.store.ts";

export type TryKind = "open" | "code";

export interface Tries {
  /** Counts a try. @throws AppError `too_many_tries` when there were too many. */
  count(kind: TryKind, dashboardId: string, email: string): Promise<void>;
  forget(kind: TryKind, dashboardId: string, email: string): Promise<void>;
  /** Addresses that are locked out of a dashboard now. */
  locked(dashboardId: string, emails: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Mails a person may ask for within one window. */
const MOST: Record<TryKind, number> = { open: SHARING.tries, code: 5 };
const WINDOW_MS = SHARING.lockMinutes * 60_000;

export function countedTries(db: Db, clock: Clock): Tries {
  const keyOf = (kind: TryKind, dashboardId: string, email: string): string =>
    createHash("sha256")
      .update(JSON.stringify([kind, dashboardId, email]))
      .digest("base64url");
  const window = () => new Date(clock.now().getTime() - WINDOW_MS).toISOString();
  return {
    async count(kind, dashboardId, email) {
      const tries = await store.countTry(db, keyOf(kind, dashboardId, email), clock.now().toISOString(), window());
      if (tries > MOST[kind]) throw new AppError("too_many_tries", { minutes: SHARING.lockMinutes });
    },
    forget: (kind, dashboardId, email) => store.forgetTries(db, keyOf(kind, dashboardId, email)),
    async locked(dashboardId, emails) {
      const keys = new Map(emails.map((email) => [keyOf("open", dashboardId, email), email]));
      const tries = await store.readTries(db, [...keys.keys()], window());
      return new Set([...keys].filter(([key]) => (tries.get(key) ?? 0) >= MOST.open).map(([, email]) => email));
    },
  };
}
