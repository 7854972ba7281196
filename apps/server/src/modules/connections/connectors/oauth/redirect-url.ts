/** Where systems send people back to who signed in there: an address for each connection, bound to where it signs in. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import { API_PREFIX } from "@accord/contracts";
import { SIGN_IN_CALLBACK } from "@accord/contracts/connections/oauth-sign-in";
import type { Values } from "@accord/contracts/data/values";
import { randomBytes } from "node:crypto";
import type { Config } from "../../../../config.ts";
import type { GrantBinding } from "./grants.store.ts";

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
  /** The name that it takes the place of. */
  former: string | null;
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

/** What is known of a connection that was made before each had an address of its own. */
export interface Shared {
  /** What it was signed in with last; null: nobody is signed in. */
  grant: Pick<GrantBinding, "authorizationUrl" | "tokenUrl"> | null;
  /** Its type is somebody's own, whose versions may sign in at other systems. */
  isCustom: boolean;
}

/**
 * Origins that the shared address was used for. `unknown`: a custom type may have been published anew since, and nothing says
 * where its connection signed in; it gets an address of its own, which is right in any case.
 */
export function sharedOrigins(
  { grant, isCustom }: Shared,
  now: RedirectOrigins | null,
): RedirectOrigins | "unknown" | null {
  if (grant) return [new URL(grant.authorizationUrl).origin, new URL(grant.tokenUrl).origin];
  return isCustom && now !== null ? "unknown" : now;
}

export const isMoved = (former: RedirectOrigins | "unknown" | null, now: RedirectOrigins | null): boolean =>
  former === "unknown" || isOtherSystem(former, now);

/** Nothing was kept of where it signs in. */
export const isShared = (row: Pick<Former, "redirect_name" | "redirect_origins">): boolean =>
  row.redirect_name === null && row.redirect_origins === null;

/** The address stays, unless the edited connection signs in at another system, or gives up the shared address. */
export function redirectAfter(
  row: Former,
  edited: (Signing & { authType: string }) | null,
  { ownAddress, shared }: { ownAddress: true | undefined; shared: Shared | null },
): Redirect {
  const stored = row.redirect_origins ?? redirectOriginsOf(row.type, row.config, row.auth_type);
  const now = edited ? redirectOriginsOf(edited.type, edited.config, edited.authType) : stored;
  const isOther = edited !== null && isMoved(shared ? sharedOrigins(shared, stored) : stored, now);
  const isNew = isOther || (ownAddress === true && row.redirect_name === null);
  return {
    name: isNew ? newRedirectName() : row.redirect_name,
    origins: edited || isNew ? (now ?? stored) : row.redirect_origins,
    former: row.redirect_name,
  };
}
