/** What the form says about a sign-in at a system. Pure. */
import type { ConnectorType } from "@accord/contracts/connections/connectors";
import type { ConnectorSignIn, SignInAttempt } from "@accord/contracts/connections/oauth-sign-in";

/** The host of an address as it is typed; null while it is none. */
export function hostOf(address: unknown): string | null {
  if (typeof address !== "string" || !URL.canParse(address)) return null;
  return new URL(address).host || null;
}

/**
 * Where somebody signs in, for buttons and notices: the host of the address that is typed for it, or the name of a system
 * whose address is known, unless another place is typed for that. null while there is none.
 */
export function signInPlace(
  { authMethods, displayName }: Pick<ConnectorType, "authMethods" | "displayName">,
  config: Readonly<Record<string, unknown>>,
): string | null {
  const method = authMethods.find(({ type }) => type === "oauth");
  const isTyped = method?.settings?.some(({ name }) => name === "authorizationUrl") ?? false;
  if (isTyped) return hostOf(config["authorizationUrl"]);
  // As the server finds the page of a described system: there, or where its API is.
  return hostOf(config["signInUrl"] || config["baseUrl"]) ?? displayName;
}

/** The caller's last sign-in, where it says more than what is granted: it is under way, or failed after that. */
export function openAttempt({ attempt, signedInAt }: ConnectorSignIn): SignInAttempt | null {
  if (!attempt || attempt.status === "done") return null;
  const isOlder = signedInAt !== null && Date.parse(attempt.startedAt) < Date.parse(signedInAt);
  return isOlder ? null : attempt;
}

export const momentWords = (at: string): string =>
  new Date(at).toLocaleString("en-US", { dateStyle: "medium", timeStyle: "short" });
