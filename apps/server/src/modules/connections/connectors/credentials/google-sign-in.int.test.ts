/** A spreadsheet of Google that a person signs in to in the browser: consent, reading and writing, renewals, another account. */
import { SPREADSHEET, startGoogle, type Google } from "@accord/connectors/test-systems/vendors/google/google";
import { cell, newTab } from "@accord/connectors/test-systems/vendors/google/grid";
import { SIGN_IN_APP } from "@accord/connectors/test-systems/vendors/sign-in/desk";
import * as api from "@accord/contracts/connections/connectors";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  begin,
  comeBack,
  editor,
  redirectNameAt,
  shownSignIn,
  type Member,
} from "../../../../../test-kit/systems/oauth-world.ts";
import { testApp, type TestApp } from "../../../../../test-kit/test-app.ts";
import { connectionOpener } from "../open-connection.ts";

let t: TestApp;
let person: Member;
let google: Google;

beforeAll(async () => {
  t = await testApp({ realTime: true });
  person = await editor(t);
  google = await startGoogle([
    newTab(0, "Contacts", [
      [cell("id"), cell("name")],
      [cell("a"), cell("Ann")],
    ]),
  ]);
  google.shares.set(google.consent.email, "writer");
  t.deps.outbound.allow(new URL(google.url).host);
});
afterAll(() => google.stop());

async function signIn(connectorId: api.Connector["id"]) {
  const { authorizationUrl } = await begin(person, connectorId);
  expect(new URL(authorizationUrl).origin).toBe(google.url);
  return comeBack(person, google.consent.open(new URL(authorizationUrl).searchParams));
}

test("whoever signed in reads and writes, also once the token has ended, and another account is noticed", async () => {
  const { id } = await person.call(api.createConnector, {
    body: {
      name: "Spreadsheet",
      oauthRedirectName: redirectNameAt(google.consent.redirectUris),
      typeId: "google-sheets",
      authType: "oauth",
      credentials: { ...SIGN_IN_APP },
      config: { spreadsheet: SPREADSHEET, baseUrl: google.url },
    },
  });
  const params = { connectorId: id };
  const check = () => person.call(api.testConnector, { params });
  expect(await check()).toMatchObject({ ok: false });
  await signIn(id);
  expect(await check()).toMatchObject({ ok: true });
  expect(await shownSignIn(person, id)).toMatchObject({ account: { id: expect.stringMatching(/^\d+$/) } });

  google.tokens.revokeTokens();
  await t.deps.appPool.query("UPDATE oauth_grant SET renewed_at = now() - interval '11 s' WHERE connector_id = $1", [
    id,
  ]);
  const connection = await connectionOpener(t.deps)(t.instanceId, id, { anyStatus: true });
  for await (const { entity } of connection.discover({})) {
    const values = { name: "Anna" };
    const operations = [{ kind: "update", id: "a", values, idempotencyKey: "k" } as const];
    expect(await connection.write?.({ entity, operations })).toEqual([{ status: "done", id: "a", values }]);
  }
  await connection.close();
  expect(google.tabs[0]?.rows[1]?.[1]?.value).toBe("Anna");
  expect(google.consent.requests).toEqual(["authorization_code", "refresh_token"]);

  google.consent.email = "somebody.else@example.com";
  await signIn(id);
  expect(await check()).toMatchObject({ ok: true });
  const { account, attempt } = await shownSignIn(person, id);
  expect(attempt).toMatchObject({ status: "failed", otherAccount: { former: { id: account?.id } } });
});
