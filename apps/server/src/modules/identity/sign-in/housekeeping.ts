/** Removes what has ended: sessions, links, windows of attempts, remembered answers. */
import type { Deps } from "../../../platform/deps.ts";
import { KEY_LIFETIME_MS } from "../../../platform/http/idempotency/idempotency.ts";
import { forgetKeys } from "../../../platform/http/idempotency/idempotency.store.ts";
import type { SessionBook } from "./sessions.ts";

export async function housekeeping(
  { appDb, clock, rateLimiter }: Pick<Deps, "appDb" | "clock" | "rateLimiter">,
  sessions: SessionBook,
): Promise<void> {
  const now = clock.now();
  await sessions.removeEnded();
  await rateLimiter.removeEnded();
  await forgetKeys(appDb, new Date(now.getTime() - KEY_LIFETIME_MS));
}
