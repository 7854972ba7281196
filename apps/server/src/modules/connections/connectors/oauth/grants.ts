/** Grants as they are kept: sealed for their connector, client and token address, and no good for other settings. */
import type { AuthorizationSettings, ConnectorDefinition } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import { z } from "zod";
import type { Deps } from "../../../../platform/deps.ts";
import type { GrantBinding, Place, StoredTokens } from "./grants.store.ts";
import type { Tokens } from "./token-requests.ts";

const Sealed = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  /** Seconds that the access token was given for; null: the system did not say. */
  expiresIn: z.number().nullable(),
  /** Origin of the API; null: the configured one. Grants of earlier versions know none. */
  instance: z.string().nullable().default(null),
});
type SealedTokens = z.infer<typeof Sealed>;

export function bindingOf(
  type: Pick<ConnectorDefinition, "destinations">,
  config: Values,
  { authorizationUrl, tokenUrl, clientId }: AuthorizationSettings,
): GrantBinding {
  return {
    authorizationUrl: new URL(authorizationUrl).href,
    tokenUrl: new URL(tokenUrl).href,
    clientId,
    destinations: [...new Set(type.destinations(config, "oauth"))],
  };
}

/** Tokens go nowhere they were not granted for, and count for the client that they were given to alone. */
export const isBoundTo = (granted: GrantBinding, now: GrantBinding): boolean =>
  granted.authorizationUrl === now.authorizationUrl &&
  granted.tokenUrl === now.tokenUrl &&
  granted.clientId === now.clientId &&
  now.destinations.every((origin) => granted.destinations.includes(origin));

const placeOf = ({ at, connectorId }: Place, { tokenUrl, clientId }: GrantBinding) => ({
  instanceId: at,
  table: "oauth_grant",
  id: connectorId,
  field: JSON.stringify([tokenUrl, clientId]),
});

export async function sealTokens(
  { secrets }: Pick<Deps, "secrets">,
  place: Place,
  binding: GrantBinding,
  { accessToken, refreshToken, expiresIn, instance }: Tokens,
): Promise<StoredTokens> {
  const plain: SealedTokens = { accessToken, refreshToken, expiresIn, instance };
  const sealed = await secrets.seal(placeOf(place, binding), JSON.stringify(plain));
  return { sealed, isRenewed: refreshToken !== null, expiresIn };
}

export const openTokens = async (
  { secrets }: Pick<Deps, "secrets">,
  place: Place,
  { binding, sealed }: { binding: GrantBinding; sealed: string },
): Promise<SealedTokens> => Sealed.parse(JSON.parse(await secrets.open(placeOf(place, binding), sealed)));
