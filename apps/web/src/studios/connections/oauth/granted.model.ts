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

/** What is typed signs in, or gets tokens, at another host than what is saved. */
export function isMovedSignIn(
  type: Pick<ConnectorType, "authMethods" | "displayName">,
  saved: Readonly<Record<string, unknown>>,
  typed: Readonly<Record<string, unknown>>,
): boolean {
  const placesOf = (config: Readonly<Record<string, unknown>>) =>
    [signInPlace(type, config), hostOf(config["tokenUrl"]), hostOf(config["baseUrl"])] as const;
  const [before, now] = [placesOf(saved), placesOf(typed)];
  const isTyped = type.authMethods.some(({ settings }) => settings?.some(({ name }) => name === "tokenUrl"));
  // Of a JSON API the base address alone says nothing of the sign-in.
  const compared = isTyped ? [0, 1] : [0, 2];
  return compared.some((at) => before[at] !== null && now[at] !== null && before[at] !== now[at]);
}

/** 128 random bits: the last part of a redirect address. Works where pages are not encrypted, too. */
export const newRedirectName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The caller's last sign-in, where it says more than what is granted: it is under way, or failed after that. */
export function openAttempt({ attempt, signedInAt }: ConnectorSignIn): SignInAttempt | null {
  if (!attempt || attempt.status === "done") return null;
  const isOlder = signedInAt !== null && Date.parse(attempt.startedAt) < Date.parse(signedInAt);
  return isOlder ? null : attempt;
}

export const momentWords = (at: string): string =>
  new Date(at).toLocaleString("en-US", { dateStyle: "medium", timeStyle: "short" });
