/** What goes wrong when people sign in at systems and tokens are renewed, in words that say who has to do what. */
import { ConnectorError, type AuthorizationSettings } from "@accord/connector-sdk";
import type { SystemAccount } from "@accord/contracts/connections/oauth-sign-in";

const MAX_WORDS = 300;

/** A system's own words, as text for one line. */
export const plainText = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu, " ")
    .trim()
    .slice(0, MAX_WORDS);

type Hinted = Pick<AuthorizationSettings, "authorizationUrl" | "clientSecret">;

export const signInAgain = ({ authorizationUrl }: Pick<AuthorizationSettings, "authorizationUrl">): string =>
  `Somebody who may edit this synapse has to sign in at ${new URL(authorizationUrl).host} again, in its connection's settings.`;

const named = (account: SystemAccount | null): string => {
  if (account === null) return "an account that the system does not name";
  return account.name === null ? account.id : `${account.name} (${account.id})`;
};

/** Records of one account would be taken for those of the other. */
export const otherAccount = (former: SystemAccount, found: SystemAccount | null): ConnectorError =>
  new ConnectorError(
    "authentication",
    `Failed OAuth: you signed in with another account: ${named(found)}. So far it was ${named(former)}.`,
    {
      neverSent: true,
      hint: "Nothing has changed. Sign in with the former account; or use this one, if its records are the same.",
    },
  );

/** Codes of RFC 6749 (sections 4.1.2.1 and 5.2), and which of them another sign-in, other settings or time make good. */
const KINDS: Readonly<Record<string, ConnectorError["kind"]>> = {
  access_denied: "authentication",
  invalid_client: "authentication",
  invalid_grant: "authentication",
  unauthorized_client: "authentication",
  server_error: "unavailable",
  temporarily_unavailable: "unavailable",
};

function hintOf(code: string, settings: Hinted): string {
  switch (code) {
    case "access_denied":
      return "Sign in again and consent to what Accord asks for.";
    case "invalid_client":
    case "unauthorized_client":
      return settings.clientSecret === null
        ? "Check the client id, and whether the system wants a client secret."
        : "Check client id and client secret, and how they are sent.";
    case "invalid_grant":
      return signInAgain(settings);
    case "invalid_scope":
      return "Check the scopes.";
    case "server_error":
    case "temporarily_unavailable":
      return "Try again later.";
    default:
      return "Check the settings of the sign-in, here and in the system.";
  }
}

/** A refusal by the system, with its own words. */
export function failedOAuth(code: string, description: string | undefined, settings: Hinted): ConnectorError {
  const [shown, words] = [plainText(code), plainText(description ?? "")];
  return new ConnectorError(
    KINDS[code] ?? "configuration",
    `Failed OAuth: ${shown}${words === "" ? "" : `: ${words}`}`,
    {
      neverSent: true,
      hint: hintOf(code, settings),
    },
  );
}
