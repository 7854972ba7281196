/** What the form says about a sign-in at a system. Pure. */
import type { ConnectorSignIn, SignInAttempt } from "@accord/contracts/connections/oauth-sign-in";

/** The host of an address as it is typed; null while it is none. */
export function hostOf(address: unknown): string | null {
  if (typeof address !== "string" || !URL.canParse(address)) return null;
  return new URL(address).host || null;
}

/** The caller's last sign-in, where it says more than what is granted: it is under way, or failed after that. */
export function openAttempt({ attempt, signedInAt }: ConnectorSignIn): SignInAttempt | null {
  if (!attempt || attempt.status === "done") return null;
  const isOlder = signedInAt !== null && Date.parse(attempt.startedAt) < Date.parse(signedInAt);
  return isOlder ? null : attempt;
}

export const momentWords = (at: string): string =>
  new Date(at).toLocaleString("en-US", { dateStyle: "medium", timeStyle: "short" });
