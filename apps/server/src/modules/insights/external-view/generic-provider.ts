/**
 * Any product that can be framed and checks a JSON Web Token: the token stands in the address of its page, and in the
 * `authorization` of the calls for its lists. What it has to check stands in docs/external-view.md.
 */
import type { Id } from "@accord/contracts";
import type { ExternalViewDefinition } from "@accord/contracts/insights/external-view";
import type { Clock } from "../../../platform/clock.ts";
import type { NewId } from "../../../platform/ids.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import type { CallTurns } from "./call-turns.ts";
import { kindsOfPage, pageAddress, withToken } from "./embed-address.ts";
import { checkAccess, fetchDataset, fetchItems, fetchRows, type ListCall } from "./list-client.ts";
import type { ExternalToken, ExternalViewer, ExternalViewProvider } from "./provider.ts";
import { signToken } from "./sign-token.ts";

export interface GenericProviderNeeds {
  clock: Clock;
  newId: NewId;
  outbound: Outbound;
  turns: CallTurns;
  /** Origin of this server. */
  issuer: string;
  instanceId: Id<"instance">;
  definition: ExternalViewDefinition;
  secret: string;
}

export function genericProvider(needs: GenericProviderNeeds): ExternalViewProvider {
  const { definition, outbound } = needs;
  const { origin } = new URL(definition.address);
  const callOf = (viewer: ExternalViewer): ListCall => ({
    ...{ outbound, system: definition.name, listAddress: definition.listAddress },
    token: makeToken(needs, viewer).token,
    signal: viewer.signal,
    inTurn: (call) => needs.turns.run({ ...viewer, instanceId: needs.instanceId }, call),
  });
  return {
    origin,
    hasLists: definition.listAddress !== "",
    async getToken(viewer) {
      if (definition.checksAccess && definition.listAddress !== "") await checkAccess(callOf(viewer));
      return makeToken(needs, viewer);
    },
    kindsOf(page) {
      const address = pageAddress(definition, page);
      return address === null ? [] : kindsOfPage(definition, address);
    },
    embedAddress(page, { token }) {
      const address = pageAddress(definition, page);
      return address === null ? null : withToken(address, definition, token);
    },
    list: (list, viewer) => fetchItems(callOf(viewer), list),
    getDataset: (key, viewer) => fetchDataset(callOf(viewer), key),
    previewRows: (key, viewer) => fetchRows(callOf(viewer), key),
  };
}

function makeToken(
  { clock, newId, issuer, instanceId, definition, secret }: GenericProviderNeeds,
  { userId, name, email }: ExternalViewer,
): ExternalToken {
  const issuedAt = Math.floor(clock.now().getTime() / 1_000);
  const exp = issuedAt + definition.tokenSeconds;
  const claims = {
    ...{ iss: issuer, sub: userId, aud: definition.audience || new URL(definition.address).origin },
    ...{ instance: instanceId, iat: issuedAt, exp, jti: newId() },
    ...(definition.sendsPerson ? { name, email } : {}),
  };
  return { token: signToken(claims, secret), expiresAt: new Date(exp * 1_000) };
}
