/** Connections that a person signs in to at the system, with a strict authorisation server of the test's. */
import type * as api from "@accord/contracts/connections/connectors";
import * as signIns from "@accord/contracts/connections/oauth-sign-in";
import type { SignInAttempt } from "@accord/contracts/connections/oauth-sign-in";
import {
  CLIENT,
  startAuthorizationServer,
  type AuthorizationHabits,
  type AuthorizationServer,
} from "@accord/connectors/test-systems/oauth/authorization-server";
import { randomBytes } from "node:crypto";
import type { Answer, Caller } from "../caller.ts";
import type { TestApp } from "../test-app.ts";

export type Member = Caller & { sessionId: string };

/** A server whose addresses the app may call. */
export async function authorizationServerFor(
  app: Pick<TestApp, "deps">,
  habits: Partial<AuthorizationHabits> = {},
): Promise<AuthorizationServer> {
  const server = await startAuthorizationServer(habits);
  app.deps.outbound.allow(new URL(server.url).host);
  return server;
}

const REDIRECT = "http://localhost:3000/api/v1/oauth/callback";

/** A redirect address as the form shows it, which the app at a system is given at once. */
export function redirectNameAt(redirectUris: string[]): string {
  const name = randomBytes(16).toString("hex");
  redirectUris.push(`${REDIRECT}/${name}`);
  return name;
}

/** A JSON API with one entity, signed in to at `server`, whose app knows the redirect address. */
export function oauthBody(
  { url, habits }: Pick<AuthorizationServer, "url" | "habits">,
  name: string,
  config: object = {},
) {
  const fields = [
    { apiName: "id", displayName: "ID" },
    { apiName: "name", displayName: "Name" },
  ];
  const list = { path: "/companies", recordSelector: "items" };
  const entities = [{ apiName: "companies", displayName: "Company", idField: "id", fields, list }];
  const addresses = { baseUrl: url, authorizationUrl: `${url}/authorize`, tokenUrl: `${url}/token` };
  return {
    name,
    oauthRedirectName: redirectNameAt(habits.redirectUris),
    typeId: "http",
    authType: "oauth",
    credentials: { ...CLIENT },
    config: { ...addresses, scope: "companies.read", entities, ...config },
  };
}

/** Somebody who may edit connections, with a session of their own. */
export async function editor({ build, asUser }: Pick<TestApp, "build" | "asUser">): Promise<Member> {
  return asUser(await build.user({ roles: ["SYNC_MANAGER"] }));
}

export const begin = (
  by: Caller,
  connectorId: api.Connector["id"],
  window: "own" | "same" = "own",
  more: { useAccountOf?: SignInAttempt["id"] } = {},
) => by.call(signIns.beginConnectorSignIn, { params: { connectorId }, body: { window, ...more } });

/** Comes back with the answer of a system, as the browser does. */
export const comeBack = (by: Caller, address: URL): Promise<Answer> =>
  by.raw({ url: address.pathname + address.search, headers: { "sec-fetch-site": "cross-site" } });

export const shownSignIn = (by: Caller, connectorId: api.Connector["id"]) =>
  by.call(signIns.getConnectorSignIn, { params: { connectorId } });

/** The whole way: begin, consent, back. */
export async function signIn(
  by: Caller,
  server: Pick<AuthorizationServer, "decide">,
  connectorId: api.Connector["id"],
  choice: "allow" | "deny" = "allow",
): Promise<Answer> {
  const { authorizationUrl } = await begin(by, connectorId);
  return comeBack(by, await server.decide(authorizationUrl, choice));
}
