/** The form of a connection that somebody signs in to at the system: its inputs, who signed in, what failed. */
import { getConnectorSignIn, type ConnectorSignIn } from "@accord/contracts/connections/oauth-sign-in";
import { listConnectorTypes } from "@accord/contracts/connections/connectors";
import { id } from "@accord/contracts";
import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showInRouter } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { connectorDetail } from "../files/connector.fixtures.ts";
import { Granted } from "./granted.tsx";
import { RedirectAddress } from "./redirect-address.tsx";

afterEach(() => queryClient.clear());

const ATTEMPT = id("signIn").parse("a".repeat(24));
const NONE: ConnectorSignIn = {
  ...{ host: "login.example.com", redirectUrl: "", account: null, state: "none", signedInBy: null, signedInAt: null },
  ...{ expiresAt: null, isRenewed: false, problem: null, attempt: null },
};
const GRANTED: ConnectorSignIn = {
  ...NONE,
  ...{ state: "signedIn", signedInBy: "Ada Lovelace", signedInAt: "2026-01-01T10:00:00.000Z", isRenewed: true },
};

function show(signIn: ConnectorSignIn, { isChanged = false } = {}) {
  const { connectorId } = connectorDetail;
  queryClient.setQueryData(keyOf(getConnectorSignIn, { params: { connectorId } }), signIn);
  showInRouter(() => (
    <Granted
      connector={connectorDetail}
      place="login.example.com"
      isChanged={isChanged}
      hasErrors={false}
      readOnly={false}
      save={async () => {}}
    />
  ));
}

test("before anybody signed in there is one thing to do, and what is typed is saved with it", async () => {
  show(NONE, { isChanged: true });
  await expect.element(page.getByText("Nobody has signed in yet.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Save and sign in at login.example.com" })).toBeEnabled();
});

test("[PLT-143] a failed sign-in stands as text beside the one that still counts", async () => {
  const problem = { kind: "authentication", message: "Failed OAuth: access_denied: <b>no</b>", hint: "Sign in again." };
  const times = { startedAt: "2026-01-01T11:00:00.000Z", expiresAt: "2026-01-01T11:10:00.000Z" };
  show({ ...GRANTED, attempt: { id: ATTEMPT, status: "failed", problem, otherAccount: null, ...times } });
  await expect.element(page.getByText(/Failed OAuth: access_denied: <b>no<\/b>/)).toBeVisible();
  await expect.element(page.getByText(/Signed in by Ada Lovelace/)).toBeVisible();
  await expect.element(page.getByText("The sign-in before it still counts.")).toBeVisible();
});

test("settings that have changed since ask to sign in again", async () => {
  show({ ...GRANTED, state: "outdated" });
  await expect.element(page.getByText(/not the ones that Ada Lovelace signed in with/)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Sign in again at login.example.com" })).toBeEnabled();
});

test("another account: both are named, the former stays, and using the other is a choice of its own", async () => {
  const times = { startedAt: "2026-01-01T11:00:00.000Z", expiresAt: "2026-01-01T11:10:00.000Z" };
  const [former, found] = [
    { id: "acct-1", name: "Northwind" },
    { id: "acct-2", name: "Southwind" },
  ];
  const problem = { kind: "authentication", message: "Failed OAuth: another account: Southwind (acct-2)." };
  const otherAccount = { former, found };
  show({ ...GRANTED, account: former, attempt: { id: ATTEMPT, status: "failed", problem, otherAccount, ...times } });
  await expect.element(page.getByText("Account: Northwind (acct-1)")).toBeVisible();
  await expect.element(page.getByText(/Records of the other account would be taken/)).toBeVisible();
  const opened = window.open.bind(window);
  const network = globalThis.fetch;
  const sent: unknown[] = [];
  window.open = () => null;
  globalThis.fetch = async (_, init) => {
    sent.push(JSON.parse(String(init?.body)));
    return Response.json({ code: "invalid_state" }, { status: 409 });
  };
  try {
    await page.getByRole("button", { name: "Sign in again and use account Southwind" }).click();
    await expect.poll(() => sent).toEqual([{ window: "same", useAccountOf: ATTEMPT }]);
    await page.getByRole("button", { name: "Sign in again at login.example.com" }).click();
    await expect.poll(() => sent.at(1)).toEqual({ window: "same" });
  } finally {
    window.open = opened;
    globalThis.fetch = network;
  }
});

test("[PLT-052] the redirect address is shown, and where to open Accord when that is somewhere else", async () => {
  const oauthRedirectUrl = "https://accord.example.com/api/v1/oauth/callback";
  const name = "0123456789abcdef0123456789abcdef";
  queryClient.setQueryData(keyOf(listConnectorTypes, {}), { types: [], oauthRedirectUrl });
  showInRouter(() => <RedirectAddress name={name} />);
  await expect.element(page.getByText(`${oauthRedirectUrl}/${name}`, { exact: true })).toBeVisible();
  await expect.element(page.getByText(/Open Accord at https:\/\/accord.example.com/)).toBeVisible();
  await expect.element(page.getByText(/Other synapses share this address/)).not.toBeInTheDocument();
});

test("the shared address of an older connection says so, and how to get one of its own", async () => {
  const oauthRedirectUrl = `${window.location.origin}/api/v1/oauth/callback`;
  queryClient.setQueryData(keyOf(listConnectorTypes, {}), { types: [], oauthRedirectUrl });
  let asked = 0;
  showInRouter(() => <RedirectAddress name={null} onOwn={() => (asked += 1)} />);
  await expect.element(page.getByText(oauthRedirectUrl, { exact: true })).toBeVisible();
  await expect.element(page.getByText(/Other synapses share this address/)).toBeVisible();
  await page.getByRole("button", { name: "Use an address of its own" }).click();
  expect(asked).toBe(1);
});
