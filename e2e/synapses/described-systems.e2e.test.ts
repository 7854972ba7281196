/** Described systems from the library: one found, connected, its customers kept in agreement both ways; one signed in to in the browser. */
import { startHubspot, type HubspotServer } from "@accord/connectors/test-systems/vendors/hubspot/hubspot";
import { SIGN_IN_APP } from "@accord/connectors/test-systems/vendors/sign-in/desk";
import {
  startStripe,
  STRIPE_KEY,
  STRIPE_WRONG_KEY,
  type StripeServer,
} from "@accord/connectors/test-systems/vendors/stripe/stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openProduct, type OpenProduct } from "../kit/open-product.ts";
import type { Visitor } from "../kit/visitor.ts";

let opened: OpenProduct;
let admin: Visitor;
let stripe: StripeServer;
let hubspot: HubspotServer;

/** Long enough for a cycle on a slow machine. */
const SOON = 90_000;

beforeAll(async () => {
  stripe = await startStripe(12);
  hubspot = await startHubspot(12);
  opened = await openProduct({ demo: false, allow: [new URL(stripe.url).host, new URL(hubspot.url).host] });
  ({ admin } = opened);
});
afterAll(async () => {
  await opened?.close();
  await stripe?.stop();
  await hubspot?.stop();
});

test("a system is found in the library, and connected by what it asks for alone", async () => {
  const { page } = admin;
  await admin.open("/synapses/connections/new");
  await page.getByPlaceholder("Find a system").fill("no such thing");
  await page.getByText("No system matches").waitFor();
  await admin.isSound();
  await page.getByPlaceholder("Find a system").fill("customers");
  await page.getByRole("radio", { name: /^PostgreSQL/ }).waitFor({ state: "detached" });
  await page.getByRole("radio", { name: /^Stripe/ }).check();
  await admin.isSound();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Advanced" }).click();
  await page.getByRole("textbox", { name: "Base address of the API" }).fill(`${stripe.url}/v1`);
  await admin.isSound();
  await page.getByRole("button", { name: "Next" }).click();
  const key = page.getByLabel("Secret or restricted key", { exact: false }).first();
  await key.fill(STRIPE_WRONG_KEY);
  await page.getByRole("button", { name: "Test connection" }).click();
  await page
    .getByRole("alert")
    .getByText(/Invalid API Key provided/)
    .waitFor();
  await key.fill(STRIPE_KEY);
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByText(/The connection works/).waitFor();
  await page.getByRole("button", { name: "Create and activate" }).click();
  await page.getByText("Stripe is active").waitFor({ timeout: SOON });
  await page.getByRole("button", { name: "Open synapse" }).click();
  await page.getByRole("row").filter({ hasText: "customers" }).click();
  const panel = page.getByRole("complementary", { name: "Customer" });
  await panel.getByRole("button", { name: "Show sample records" }).click();
  await panel.getByRole("cell", { name: "c12@example.com" }).waitFor();
  await admin.isSound();
});

test("its customers are kept in agreement from one page, and what is corrected here is written there", async () => {
  const { page } = admin;
  await admin.open("/sync-studio/new-pipeline");
  await page.getByRole("button", { name: /^Customer/ }).click();
  await page.getByRole("switch", { name: /^Write changes back to Stripe Customer/ }).click();
  const preview = page.getByRole("region", { name: "Preview" });
  await preview.getByText("c12@example.com").waitFor();
  await page.getByRole("textbox", { name: "Name" }).fill("Client");
  await admin.isSound();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.waitForURL(/\/pipeline\/published/);
  await page
    .getByText(/^12 read$/)
    .first()
    .waitFor({ timeout: SOON });
  const writes = () => stripe.calls.filter((call) => call.startsWith("POST ")).length;
  expect(writes(), "a first load writes nothing back").toBe(0);

  await admin.open("/data-studio");
  await page.getByRole("link", { name: "Client", exact: true }).click();
  await page.getByText("Customer 7", { exact: true }).first().click();
  await page.getByRole("button", { name: "Edit Email" }).first().click({ force: true });
  await page.getByRole("textbox", { name: "Email" }).fill("seventh@example.com");
  await page.getByRole("textbox", { name: "Email" }).press("Enter");
  const seventh = () => [...stripe.customers.values()].find(({ name }) => name === "Customer 7");
  await expect.poll(() => seventh()?.["email"], { timeout: SOON }).toBe("seventh@example.com");
  expect(writes()).toBe(1);

  await stripe.outside.update(String(seventh()?.["id"]));
  await page
    .getByText(/^Changed [0-9a-f]+$/)
    .first()
    .waitFor({ timeout: SOON });
  expect(writes(), "what came from there is not sent back").toBe(1);
});

test("[PLT-151] a system is signed in to in the browser, by the app that is entered, and then its connection works", async () => {
  const { page } = admin;
  await admin.open("/synapses/connections/new?type=hubspot&step=connection");
  await page.getByRole("button", { name: "Advanced" }).click();
  await page.getByRole("textbox", { name: "Base address of the API" }).fill(hubspot.url);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Access token of a private app", { exact: false }).first().waitFor();
  await page.getByRole("combobox", { name: "Sign in with" }).click();
  await page.getByRole("option", { name: "Sign in at HubSpot" }).click();
  const redirect = page.getByRole("group", { name: "Redirect address of this synapse" }).locator("code");
  const address = (await redirect.textContent()) ?? "";
  expect(address.slice(0, -32)).toBe(`${opened.product.url}/api/v1/oauth/callback/`);
  hubspot.signIns.redirectUris.push(address);
  await page.getByRole("textbox", { name: "Client ID" }).fill(SIGN_IN_APP.clientId);
  await page.getByLabel("Client secret").fill(SIGN_IN_APP.clientSecret);
  await page.getByRole("button", { name: "Advanced" }).click();
  await page.getByText(/^Empty: oauth crm.objects.contacts.read/).waitFor();
  await admin.isSound();
  const window = admin.context.waitForEvent("page");
  const { host } = new URL(hubspot.url);
  await page.getByRole("button", { name: `Create and sign in at ${host}` }).click();
  const consent = await window;
  await page.getByText(`Waiting for you to sign in at ${host}`).waitFor();
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
