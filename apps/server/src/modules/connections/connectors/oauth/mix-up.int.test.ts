/** Answers of one authorisation server that come to the sign-in at another one (RFC 9700, section 4.4). */
import * as api from "@accord/contracts/connections/connectors";
import type { AuthorizationServer } from "@accord/connectors/test-systems/oauth/authorization-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  authorizationServerFor,
  begin,
  comeBack,
  editor,
  oauthBody,
  shownSignIn,
  type Member,
} from "../../../../../test-kit/systems/oauth-world.ts";
import { testApp, type TestApp } from "../../../../../test-kit/test-app.ts";

let t: TestApp;
let person: Member;
let honest: AuthorizationServer;
let evil: AuthorizationServer;

beforeAll(async () => {
  t = await testApp({ realTime: true });
  person = await editor(t);
  honest = await authorizationServerFor(t, { issuer: "own" });
  evil = await authorizationServerFor(t);
});
afterAll(async () => {
  await honest?.stop();
  await evil?.stop();
});

let made = 0;
const create = (server: AuthorizationServer, config: object = {}) =>
  person.call(api.createConnector, { body: oauthBody(server, `Mixed up ${(made += 1)}`, config) });
const edit = async ({ id }: Pick<api.Connector, "id">, change: object, credentials: Record<string, string> = {}) => {
  const { version, config } = await person.call(api.getConnector, { params: { connectorId: id } });
  const body = { version, config: { ...config, ...change }, credentials };
  await person.call(api.updateConnector, { params: { connectorId: id }, body });
};

test("[T12] a code of one server never goes to the token address of another: the issuer it names is another one", async () => {
  const { id } = await create(evil);
  const { authorizationUrl } = await begin(person, id);
  // The evil server sends the browser on to the honest one, with the state and the challenge of its own sign-in.
  const passedOn = authorizationUrl.replace(evil.url, honest.url);
  await comeBack(person, await honest.decide(passedOn, "allow"));
  expect((await shownSignIn(person, id)).attempt).toMatchObject({
    status: "failed",
    problem: { message: expect.stringContaining('"iss"') },
  });
  expect([evil.tokenRequests, honest.tokenRequests]).toEqual([[], []]);
});

test("[T12] a state counts for the token address and the issuer that it was begun with", async () => {
  const secret = { clientSecret: String(honest.habits.clientSecret) };
  for (const change of [{ tokenUrl: `${evil.url}/token` }, { issuer: "" }, { issuer: evil.url }]) {
    const connector = await create(honest, { issuer: honest.url });
    const { authorizationUrl } = await begin(person, connector.id);
    const address = await honest.decide(authorizationUrl, "allow");
    await edit(connector, change, secret);
    await comeBack(person, address);
    expect((await shownSignIn(person, connector.id)).attempt).toMatchObject({
      status: "failed",
      problem: { message: "Failed OAuth: the settings were changed while you signed in." },
    });
    expect([evil.tokenRequests, honest.tokenRequests]).toEqual([[], []]);
  }
});
