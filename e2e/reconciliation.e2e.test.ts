/** Reconciliation as its user sees it: asked for, watched, read, repaired and asked for again; and what others see of it. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { invitePerson } from "./kit/people.ts";
import { type OpenProduct, openDemo } from "./kit/open-product.ts";
import type { Product } from "./kit/product.ts";
import type { Visitor } from "./kit/visitor.ts";

let demo: OpenProduct;
let product: Product;
let browser: Browser;
let admin: Visitor;

/** The first cycle reads and compares both systems as a whole. */
const FIRST_CYCLE = 150_000;
/** A comparison reads both systems once more. */
const COMPARED = 240_000;

beforeAll(async () => {
  demo = await openDemo();
  ({ product, browser, admin } = demo);
});
afterAll(async () => {
  await demo?.close();
});

const row = (page: Page, text: string | RegExp): Locator => page.getByRole("row").filter({ hasText: text });

/** One of the deeds in the row menu of the pipeline. */
async function menu(item: string): Promise<void> {
  const { page } = admin;
  await admin.open("/sync-studio/details");
  await row(page, "Account")
    .getByRole("button", { name: /actions/i })
    .click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
}

/** Asks for a comparison from where we are, and waits for its report. */
async function compare(): Promise<void> {
  const { page } = admin;
  await page.getByRole("button", { name: "Compare now" }).click();
  await page.waitForURL(/\/reconciliation\/[0-9a-f]{24}/);
  await page.getByRole("grid", { name: "Systems" }).waitFor({ timeout: COMPARED });
}

/** Writes another phone number into the first company of the CRM, on the CRM's own page; answers its name. */
async function changeInCrm(phone: string): Promise<string> {
  const read = async (path: string) => (await admin.page.request.get(`${product.url}/api/v1${path}`)).json();
  const { connectors } = (await read("/connectors")) as { connectors: { id: string; name: string }[] };
  const id = connectors.find(({ name }) => name === "Harbor CRM")?.id;
  const { config } = (await read(`/connectors/${id}`)) as { config: { baseUrl: string } };
  const crm = await admin.context.newPage();
  await crm.goto(new URL(config.baseUrl).origin);
  await crm.locator(".list button").first().click();
  await expect.poll(() => crm.locator("#name").inputValue()).not.toBe("");
  const name = await crm.locator("#name").inputValue();
  await crm.locator("#phone").fill(phone);
  await crm.locator("button.main").click();
  await crm.getByText("Saved.").waitFor();
  await crm.close();
  return name;
}

test(
  "a pipeline that was never compared says so, and a comparison shows how far it is and what it found",
  { timeout: FIRST_CYCLE + COMPARED },
  async () => {
    const { page } = admin;
    await admin.open("/sync-studio/details");
    await expect.poll(() => row(page, "Account").innerText(), { timeout: FIRST_CYCLE }).toMatch(/ago|just now/);
    await menu("Reconcile");
    await page.getByText("Not compared yet").waitFor();
    await admin.isSound();
    await compare();
    const systems = page.getByRole("grid", { name: "Systems" }).getByRole("row");
    await expect.poll(() => systems.filter({ hasText: "Harbor CRM Company" }).count()).toBe(1);
    await page.getByText(/Everything agrees|Nothing differs without a reason/).waitFor();
    await admin.isSound();
  },
);

test("what changed while the pipeline is paused is found with its reason, and is gone once repaired", async () => {
  const { page } = admin;
  await menu("Pause");
  await row(page, "Account").getByText("Paused").first().waitFor();
  await changeInCrm("+43 1 5550303");
  await menu("Reconcile");
  await row(page, "Finished").first().waitFor();
  await admin.isSound();
  await compare();
  await page.getByText("Not read yet").first().waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: /Not read yet/ }).click();
  const differences = page.getByRole("grid", { name: "Differences" });
  await differences.getByText("+43 1 5550303").waitFor();
  await differences.getByText("phone", { exact: true }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await admin.isSound();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Repair these…" }).click();
  const dialog = page.getByRole("dialog", { name: "Ask the pipeline to repair?" });
  await dialog.getByText("Read 1 record again, as news").waitFor();
  await admin.isSound();
  await dialog.getByRole("button", { name: "Repair", exact: true }).click();
  await differences.getByText("Repair asked for").waitFor();

  await menu("Resume");
  await row(page, "Account").getByText("Paused").first().waitFor({ state: "detached" });
  await menu("Reconcile");
  await compare();
  await page.getByText(/Everything agrees|Nothing differs without a reason/).waitFor();
  expect(await page.getByText("Not read yet").count()).toBe(0);
});

test("a comparison can be cancelled, and its report then claims nothing", async () => {
  const { page } = admin;
  await page.getByRole("button", { name: "Compare now" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("This comparison was cancelled").waitFor();
  await page.getByText("Nothing is known about what it had not read yet.").waitFor();
  expect(await page.getByRole("grid", { name: "Systems" }).count()).toBe(0);
  await admin.isSound();
});

test("a report that is not there, and one that can't be read just now, say so; the latter comes by itself", async () => {
  const { page } = admin;
  const address = new URL(page.url()).pathname;
  await page.route("**/api/v1/reconciliations/*", (route) => route.fulfill({ status: 503, body: "" }));
  await admin.open(address);
  await page.getByText("The server can't be reached").waitFor();
  await page.unroute("**/api/v1/reconciliations/*");
  await page.getByText("This comparison was cancelled").waitFor();
  await admin.open(address.replace(/[0-9a-f]{24}$/, "0123456789abcdef01234567"));
  await page.getByRole("button", { name: "Go back" }).waitFor();
});

test("who may not read pipelines is told so in place of a report", async () => {
  await menu("Reconcile");
  await admin.page.getByRole("heading", { name: "Reconciliation" }).waitFor();
  const address = new URL(admin.page.url()).pathname;
  const kit = { browser, url: product.url, admin };
  const people = { lastName: "Reader", password: "four-small-windows-7" };
  const light = await invitePerson(kit, "Dashboard Light Viewer", {
    ...people,
    email: "l@example.com",
    firstName: "Lena",
  });
  await light.open(address);
  await light.page.getByRole("heading", { name: "You don't have access to this" }).waitFor();
  await light.isSound();
});
