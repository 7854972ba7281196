/** One-time links: where each kind leads and how long it works. The token is in the link alone; its hash is stored. */
import { randomBytes } from "node:crypto";
import { LINK_LIFETIME } from "@accord/contracts/identity/sign-in";
import { hashToken, newToken } from "../../../platform/access/token.ts";
import type { Deps } from "../../../platform/deps.ts";
import type { OneTimeLink } from "../../../platform/mail/mail.ts";
import { insertLink } from "./sessions.store.ts";

const INVITATION_MS = LINK_LIFETIME.invitationDays * 86_400_000;
const RESET_MS = LINK_LIFETIME.resetMinutes * 60_000;

export interface MadeLink {
  address: string;
  expiresAt: Date;
}

/** Makes a new link; earlier ones of the person stay as they are. */
export async function createOneTimeLink(
  { appDb, clock, config }: Pick<Deps, "appDb" | "clock" | "config">,
  { kind, userId }: OneTimeLink,
): Promise<MadeLink> {
  const token = kind === "invitation" ? randomBytes(12).toString("hex") : newToken();
  const path =
    kind === "invitation" ? `/invited-user/setpassword/${token}` : `/authentication/resetpassword?token=${token}`;
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + (kind === "invitation" ? INVITATION_MS : RESET_MS));
  await insertLink(appDb, {
    token_hash: hashToken(token),
    kind,
    user_id: userId,
    created_at: now,
    expires_at: expiresAt,
  });
  return { address: `${config.baseUrl}${path}`, expiresAt };
}
