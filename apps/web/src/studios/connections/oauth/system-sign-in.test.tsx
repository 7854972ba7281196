/** The form of a described system that somebody may sign in to in the browser, beside a key that is entered. */
import { InputDefinition } from "@accord/contracts/config/inputs";
import { listConnectorTypes, updateConnector, type ConnectorType } from "@accord/contracts/connections/connectors";
import { beginConnectorSignIn, getConnectorSignIn } from "@accord/contracts/connections/oauth-sign-in";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { notifications } from "@mantine/notifications";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showInRouter } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { connectorDetail } from "../files/connector.fixtures.ts";
import { ConnectionSettings } from "../parts/connection-settings.tsx";
import { isMovedSignIn, signInPlace } from "./granted.model.ts";

const input = (name: string, label: string, more: object = {}) =>
  InputDefinition.parse({ name, label, datatype: "string", ...more });
const SECRET = { datatype: "password", secret: true, required: true };

const HUBSPOT: ConnectorType = {
  ...{ id: "hubspot", displayName: "HubSpot", category: "application", capabilities: [], description: "" },
  ...{ icon: "contacts", backgroundColor: "gold", configFields: [] },
  authMethods: [
    { type: "bearerToken", label: "Private app token", fields: [input("token", "Access token", SECRET)] },
    {
      type: "oauth",
      label: "Sign in at HubSpot",
      settings: [
        input("scope", "Scopes", { fieldSet: "Advanced", helpText: "Empty: oauth crm.objects.contacts.read" }),
      ],
      fields: [input("clientId", "Client ID", { required: true }), input("clientSecret", "Client secret", SECRET)],
    },
  ],
};
const SHARED = `${window.location.origin}/api/v1/oauth/callback`;
const NAME = "0123456789abcdef0123456789abcdef";
const REDIRECT = `${SHARED}/${NAME}`;
const { connectorId } = connectorDetail;
const stored = {
  ...{ ...connectorDetail, name: "HubSpot", metadataId: "hubspot", connectorMetaDefinitionId: "hubspot" },
  ...{ typeName: "HubSpot", config: {}, authType: "bearerToken", credentialFields: ["token"] },
  oauthRedirectName: NAME,
};
const NOBODY = {
  ...{
    host: "app.hubspot.com",
    redirectUrl: REDIRECT,
    account: null,
    state: "none",
    signedInBy: null,
    signedInAt: null,
  },
  ...{ expiresAt: null, isRenewed: false, problem: null, attempt: null },
};

const PAGE = "https://app.hubspot.com/oauth/authorize?client_id=app-1";
const network = globalThis.fetch;
const openWindow = window.open.bind(window);
let sent: { method: string; path: string; body: unknown }[] = [];

beforeEach(async () => {
  sent = [];
  queryClient.clear();
  await page.viewport(1280, 900);
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["WRITE_CONNECTOR"], orgName: "Org" });
  queryClient.setQueryData(keyOf(listConnectorTypes, {}), { types: [HUBSPOT], oauthRedirectUrl: SHARED });
  queryClient.setQueryData(keyOf(getConnectorSignIn, { params: { connectorId } }), NOBODY);
  globalThis.fetch = async (path, init) => {
    const method = init?.method ?? "GET";
    if (typeof path !== "string" || !path.includes("/connectors/")) return network(path, init);
    if (method === "GET") return Response.json(NOBODY);
    sent.push({ method, path, body: JSON.parse(String(init?.body)) });
    if (method === updateConnector.method) return Response.json({ ...stored, authType: "oauth", version: 2 });
    return Response.json({ attemptId: "b".repeat(24), authorizationUrl: PAGE });
  };
});
afterEach(async () => {
  window.open = openWindow;
  globalThis.fetch = network;
  notifications.clean();
  await page.viewport(414, 896);
});

test("[PLT-151] signing in at the system stands beside the key, with its own inputs and the address to copy", async () => {
  showInRouter(() => <ConnectionSettings connector={stored} />);
  const methods = page.getByRole("combobox", { name: "Sign in with" });
  await expect.element(methods).toHaveValue("Private app token");
  await expect.element(page.getByRole("button", { name: "Access token" })).toBeVisible();
  await methods.click();
  await page.getByRole("option", { name: "Sign in at HubSpot" }).click();
  await expect.element(page.getByText(REDIRECT, { exact: true })).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Client ID" })).toBeVisible();
  await expect.element(page.getByLabelText(/^Client secret/)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Access token" })).not.toBeInTheDocument();
  await expect.element(page.getByText("Nobody has signed in yet.")).toBeVisible();
  // Nobody is sent to the system before the app is entered that it knows.
  const button = page.getByRole("button", { name: "Save and sign in at HubSpot" });
  await expect.element(button).toBeDisabled();
  await page.getByRole("textbox", { name: "Client ID" }).fill("app-1");
  await page.getByLabelText(/^Client secret/).fill("s3cret");
  await expect.element(button).toBeEnabled();
});

test("what is typed is saved, and then the system's page opens in a window of its own", async () => {
  // A window that goes nowhere: the system's page is not for tests to load.
  const opened: string[] = [];
  const location = { replace: (address: string) => void opened.push(address) };
  const own = { document: { body: document.createElement("body") }, location, opener: window };
  window.open = () => Object.assign(Object.create(null), own);
  showInRouter(() => <ConnectionSettings connector={stored} />);
  await page.getByRole("combobox", { name: "Sign in with" }).click();
  await page.getByRole("option", { name: "Sign in at HubSpot" }).click();
  await page.getByRole("textbox", { name: "Client ID" }).fill("app-1");
  await page.getByLabelText(/^Client secret/).fill("s3cret");
  await page.getByRole("button", { name: "Save and sign in at HubSpot" }).click();
  await expect.poll(() => opened).toEqual([PAGE]);
  expect(sent.map(({ method }) => method)).toEqual([updateConnector.method, beginConnectorSignIn.method]);
  expect(sent).toMatchObject([
    { body: { authType: "oauth", credentials: { clientId: "app-1", clientSecret: "s3cret" } } },
    { body: { window: "own" } },
  ]);
});

test("where another place is entered than the system's own, it stands on the button before anybody goes there", async () => {
  const baseUrl = "https://sandbox.example.com/api";
  showInRouter(() => <ConnectionSettings connector={{ ...stored, authType: "oauth", config: { baseUrl } }} />);
  await expect.element(page.getByRole("button", { name: "Sign in at sandbox.example.com", exact: true })).toBeVisible();
  await expect.element(page.getByRole("button", { name: /HubSpot/ })).not.toBeInTheDocument();
});

test("settings that sign in elsewhere say that the address will be another one; a shared one is given up by a button", async () => {
  const connector = { ...stored, authType: "oauth", credentialFields: ["clientSecret"], oauthRedirectName: null };
  showInRouter(() => <ConnectionSettings connector={{ ...connector, config: { baseUrl: "https://a.example.com" } }} />);
  await expect.element(page.getByText(SHARED, { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Use an address of its own" }).click();
  await expect.poll(() => sent).toMatchObject([{ body: { ownRedirectAddress: true } }]);
  const saved = { baseUrl: "https://a.example.com/v1" };
  expect(isMovedSignIn(HUBSPOT, saved, { baseUrl: "https://a.example.com/v2" })).toBe(false);
  expect(isMovedSignIn(HUBSPOT, saved, { baseUrl: "https://b.example.com/v1" })).toBe(true);
  expect(isMovedSignIn(HUBSPOT, saved, { ...saved, signInUrl: "https://c.example.com" })).toBe(true);
});

test("a system is called by its name where its address is known, and by the host that is typed otherwise", () => {
  const authMethods = [
    { type: "oauth", label: "OAuth 2", fields: [], settings: [input("authorizationUrl", "Address")] },
  ];
  const api = { displayName: "JSON API", authMethods };
  expect(signInPlace(HUBSPOT, { authorizationUrl: "https://evil.example.com" })).toBe("HubSpot");
  expect(signInPlace(HUBSPOT, { signInUrl: "", baseUrl: "" })).toBe("HubSpot");
  expect(signInPlace(HUBSPOT, { baseUrl: "https://sandbox.example.com/api" })).toBe("sandbox.example.com");
  const both = { signInUrl: "https://login.example.com:8443", baseUrl: "https://sandbox.example.com" };
  expect(signInPlace(HUBSPOT, both)).toBe("login.example.com:8443");
  expect(signInPlace(api, { authorizationUrl: "https://login.example.com/authorize" })).toBe("login.example.com");
  expect(signInPlace(api, {})).toBeNull();
});
