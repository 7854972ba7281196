/** Removes what has ended: sessions, links, windows of tries, remembered answers. */
import { forgetEndedWindows } from "../../../platform/access/throttle.store.ts";
import type { Deps } from "../../../platform/deps.ts";
import { KEY_LIFETIME_MS } from "../../../platform/http/idempotency.ts";
import { forgetKeys } from "../../../platform/http/idempotency.store.ts";
import type { SessionBook } from "./sessions.ts";

export async function housekeeping(
  { appDb, clock }: Pick<Deps, "appDb" | "clock">,
  sessions: SessionBook,
): Promise<void> {
  const now = clock.now();
  await sessions.removeEnded();
  await forgetEndedWindows(appDb, now);
  await forgetKeys(appDb, new Date(now.getTime() - KEY_LIFETIME_MS));
}
