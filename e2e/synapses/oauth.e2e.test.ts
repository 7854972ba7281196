/** A JSON API that a person signs in to at the system: from an empty connection to its records, then consent denied. */
import {
  CLIENT,
  startAuthorizationServer,
  type AuthorizationServer,
} from "@accord/connectors/test-systems/oauth/authorization-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openProduct, type OpenProduct } from "../kit/open-product.ts";
import type { Visitor } from "../kit/visitor.ts";

let system: AuthorizationServer;
let opened: OpenProduct;
let admin: Visitor;

beforeAll(async () => {
  system = await startAuthorizationServer({ issuer: "own" });
  opened = await openProduct({ demo: false, allow: [new URL(system.url).host] });
  ({ admin } = opened);
});
afterAll(async () => {
  await opened?.close();
  await system?.stop();
});

const host = () => new URL(system.url).host;

/** Clicks what opens the system's page in a window of its own. */
async function openConsent(button: string | RegExp) {
  const window = admin.context.waitForEvent("page");
  await admin.page.getByRole("button", { name: button }).click();
  const consent = await window;
  await consent.getByRole("heading", { name: "Accord wants to read your companies" }).waitFor();
  return consent;
}

test("[PLT-151] from an empty form through consent at the system to a connection that works", async () => {
  const { page } = admin;
  await admin.open("/synapses/connections/new?type=http&step=connection");
  await page.getByRole("textbox", { name: "Name" }).fill("Company register");
  await page.getByRole("textbox", { name: "Base address" }).fill(system.url);
  await page.getByRole("textbox", { name: "Path to test the connection" }).fill("/companies");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("combobox", { name: "Sign in with" }).click();
  await page.getByRole("option", { name: "OAuth 2 (sign in at the system)" }).click();
  const redirect = page.getByRole("group", { name: "Redirect address of this synapse" }).locator("code");
  const address = (await redirect.textContent()) ?? "";
  expect(address.slice(0, -32)).toBe(`${opened.product.url}/api/v1/oauth/callback/`);
  system.habits.redirectUris.push(address);
  await page.getByRole("textbox", { name: "Authorisation address" }).fill(`${system.url}/authorize`);
  await page.getByRole("textbox", { name: "Token address" }).fill(`${system.url}/token`);
  await page.getByRole("textbox", { name: "Scopes" }).fill("companies.read");
  await page.getByRole("textbox", { name: "Client id" }).fill(CLIENT.clientId);
  await page.getByLabel("Client secret").fill(CLIENT.clientSecret);
  await admin.isSound();

  const consent = await openConsent(`Create and sign in at ${host()}`);
  await page.getByText(`Waiting for you to sign in at ${host()}`).waitFor();
  await consent.getByRole("button", { name: "Allow" }).click();
  await page.getByText("Signed in by").waitFor();
  await page.getByText(/The access token is renewed by itself/).waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: "Test connection" }).last().click();
  await page
    .getByText(/^The connection works/)
    .first()
    .waitFor();
});

test("its first entity is described, and sample records are read with the token", async () => {
  const { page } = admin;
  await page.getByRole("button", { name: "Describe an entity" }).click();
  // The screen before has a name to fill in as well.
  await page.getByRole("heading", { name: "Describe an entity" }).waitFor();
  await page.getByLabel("Name", { exact: false }).first().fill("Companies");
  await page.getByLabel("Path", { exact: false }).first().fill("/companies");
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText("2 records").waitFor();
  await page.getByRole("button", { name: "Use proposed fields" }).click();
  await page.getByRole("button", { name: "Save entity" }).click();
  await page.getByRole("heading", { name: "Company register" }).waitFor();
  await page.getByRole("row").filter({ hasText: "companies" }).click();
  const panel = page.getByRole("complementary", { name: "Companies" });
  await panel.getByRole("button", { name: "Show sample records" }).click();
  await panel.getByRole("cell", { name: "Ada & Sons" }).waitFor();
});

test("[PLT-143] consent denied: Failed OAuth with the system's words as text, and the sign-in before stays", async () => {
  const { page } = admin;
  await admin.open("/synapses/connections");
  await page.getByText("Company register").first().click();
  await page.getByRole("tab", { name: "Connection" }).click();
  const consent = await openConsent(`Sign in again at ${host()}`);
  await consent.getByRole("button", { name: "Deny" }).click();
  await consent.getByText("Failed OAuth: access_denied: The person said <b>no</b>.").waitFor();
  await page.getByText("Failed OAuth: access_denied: The person said <b>no</b>.").waitFor();
  await page.getByText("The sign-in before it still counts.").waitFor();
  await page.getByText("Signed in by").waitFor();
  await admin.isSound();
});
