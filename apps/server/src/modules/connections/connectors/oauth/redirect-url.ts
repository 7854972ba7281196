/** Where systems send people back to who signed in there: an address for each connection, bound to where it signs in. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import { API_PREFIX } from "@accord/contracts";
import { SIGN_IN_CALLBACK } from "@accord/contracts/connections/oauth-sign-in";
import type { Values } from "@accord/contracts/data/values";
import { randomBytes } from "node:crypto";
import type { Config } from "../../../../config.ts";

/** The address below which all others are, which older connections share. */
export const sharedRedirectUrl = ({ baseUrl }: Pick<Config, "baseUrl">): string =>
  `${baseUrl}${API_PREFIX}${SIGN_IN_CALLBACK}`;

/** `name`: of the connection's own address; null: it uses the shared one. */
export const redirectUrlOf = (config: Pick<Config, "baseUrl">, name: string | null): string =>
  name === null ? sharedRedirectUrl(config) : `${sharedRedirectUrl(config)}/${name}`;

export const newRedirectName = (): string => randomBytes(16).toString("hex");

/** Origins of the authorisation and the token address. */
export type RedirectOrigins = readonly [authorization: string, token: string];

/** Where a connection signs in; null: it does not do so at the system, or its settings are not complete. */
export function redirectOriginsOf(
  type: Pick<ConnectorDefinition, "authorization" | "signInProblems">,
  config: Values,
  authType: string,
): RedirectOrigins | null {
  if (authType !== "oauth" || !type.authorization || type.signInProblems(config, "oauth").length > 0) return null;
  const { authorizationUrl, tokenUrl } = type.authorization(config, {});
  return [new URL(authorizationUrl).origin, new URL(tokenUrl).origin];
}

/**
 * An address that one system's app was given must not serve another system: that could ask for its codes (RFC 9700, section
 * 4.4). Unknown origins are no others.
 */
export const isOtherSystem = (former: RedirectOrigins | null, now: RedirectOrigins | null): boolean =>
  former !== null && now !== null && (former[0] !== now[0] || former[1] !== now[1]);

export interface Redirect {
  name: string | null;
  origins: RedirectOrigins | null;
}

interface Signing {
  type: Pick<ConnectorDefinition, "authorization" | "signInProblems">;
  config: Values;
}

interface Former extends Signing {
  auth_type: string;
  redirect_name: string | null;
  redirect_origins: RedirectOrigins | null;
}

/** The address stays, unless the edited connection signs in at another system, or gives up the shared address. */
export function redirectAfter(
  row: Former,
  edited: (Signing & { authType: string }) | null,
  ownAddress: true | undefined,
): Redirect {
  const former = row.redirect_origins ?? redirectOriginsOf(row.type, row.config, row.auth_type);
  const now = edited ? redirectOriginsOf(edited.type, edited.config, edited.authType) : former;
  const isNew = isOtherSystem(former, now) || (ownAddress === true && row.redirect_name === null);
  return { name: isNew ? newRedirectName() : row.redirect_name, origins: now ?? former };
}
