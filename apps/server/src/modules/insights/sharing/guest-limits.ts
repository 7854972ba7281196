/** How often a shared dashboard may be tried and codes for it be asked for: the same for guests and for strangers. */
import { SHARING } from "@accord/contracts/insights/sharing";
import type { CredentialLimits } from "../../../platform/access/credential-attempts.ts";
import type { RateLimit } from "../../../platform/access/rate-limiter.ts";

const WINDOW_MS = SHARING.lockMinutes * 60_000;
const HOUR = 60 * 60_000;

export const GUEST_LIMITS: CredentialLimits = {
  lane: "guests",
  network: { scope: "shareOpen.network", attempts: 60, windowMs: WINDOW_MS },
  accountAndNetwork: { scope: "shareOpen.guestAndNetwork", attempts: SHARING.tries, windowMs: WINDOW_MS },
  account: { scope: "shareOpen.guest", attempts: 20, windowMs: HOUR, maxGapMs: 5 * 60_000 },
  device: { scope: "shareOpen.device", attempts: SHARING.tries, windowMs: WINDOW_MS },
};

export const CODE_LIMITS = {
  network: { scope: "shareCode.network", attempts: 30, windowMs: WINDOW_MS },
  guestAndNetwork: { scope: "shareCode.guestAndNetwork", attempts: 5, windowMs: WINDOW_MS },
  /** Mails to one guest. Codes live as long as the window: whoever gets no further one has some that work. */
  mail: { scope: "shareCode.mail", attempts: 4, windowMs: SHARING.codeMinutes * 60_000 },
  burstMail: { scope: "shareOpen.burstMail", attempts: 1, windowMs: 24 * HOUR },
} satisfies Record<string, RateLimit>;

/** What attempts of a guest at a dashboard are counted under. */
export const guestOf = (dashboardId: string, email: string): string => `guest ${dashboardId} ${email}`;
