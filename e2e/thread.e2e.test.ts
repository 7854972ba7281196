/** The main job, end to end, on the demo: two systems in agreement, a repaired record, a dashboard shared outside. */
import type { Browser, Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProduct, type Product } from "./kit/product.ts";
import { newVisitor, openBrowser, type Visitor } from "./kit/visitor.ts";

let product: Product;
let browser: Browser;
let admin: Visitor;
let crm: Page;

/** Long enough for a cycle on a slow machine. */
const SOON = 60_000;
/** The first cycle reads and compares both systems as a whole. */
const FIRST_CYCLE = 150_000;
const OUTSIDER = "lena.meyer@partner.example";

beforeAll(async () => {
  product = await startProduct({ demo: true, isFirstStart: true });
  browser = await openBrowser();
  admin = await newVisitor(browser, product.url);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Address of the CRM's own page, which stands beside Accord. */
async function crmAddress(page: Page): Promise<string> {
  const read = async (path: string) => (await page.request.get(`${product.url}/api/v1${path}`)).json();
  const { connectors } = (await read("/connectors")) as { connectors: { id: string; name: string }[] };
  const id = connectors.find(({ name }) => name === "Harbor CRM")?.id;
  const { config } = (await read(`/connectors/${id}`)) as { config: { baseUrl: string } };
  return new URL(config.baseUrl).origin;
}

const row = (page: Page, text: string): Locator => page.getByRole("row").filter({ hasText: text });

test("an administrator signs in and sees two systems being kept in agreement", async () => {
  const { page } = admin;
  await admin.open("/");
  await admin.signIn();
  await page.getByRole("heading", { name: /Hello/ }).waitFor();
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
  await page.getByRole("link", { name: "Account", exact: true }).first().waitFor();
  await page.getByText("Billing, Harbor CRM").first().waitFor();
  await admin.isSound();

  await admin.open("/synapses");
  for (const name of ["Billing", "Harbor CRM", "Flights"])
    await page.getByText(name, { exact: true }).first().waitFor();
  await admin.isSound();

  await admin.open("/sync-studio");
  await row(page, "Account").getByText("Published").waitFor();
  await admin.isSound();
});

test("the pipeline is changed in a draft, checked, and published as a new version", async () => {
  const { page } = admin;
  await admin.open("/sync-studio");
  await row(page, "Account").getByText("Account", { exact: true }).click();
  await page.getByRole("heading", { name: "Account pipeline" }).waitFor();
  await page.getByRole("group", { name: "Match with Billing", exact: true }).waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: "Create draft" }).click();
  await page.waitForURL(/\/draft/);

  await page.getByRole("group", { name: "Has a name", exact: true }).click();
  const palette = page.getByRole("complementary", { name: "Palette" });
  await palette.getByRole("textbox").fill("set value");
  await palette.getByRole("button", { name: "Add Set value" }).click();
  const panel = page.getByRole("complementary", { name: "Configure Set value" });
  await panel.getByRole("combobox", { name: "Field" }).click();
  await page.getByRole("option", { name: "Description", exact: true }).click();
  await panel.getByRole("textbox", { name: "Value" }).fill("Known to the CRM");
  await panel.getByRole("textbox", { name: "Label" }).fill("Say who knows it");
  await admin.isSound();
  await panel.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("group", { name: "Say who knows it", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Redo" }).click();
  await page.getByRole("group", { name: "Say who knows it", exact: true }).waitFor();

  await page
    .getByRole("status")
    .filter({ hasText: /^Saved$/ })
    .waitFor();
  await page.getByRole("button", { name: "Validate" }).click();
  await admin.isSound();
  await page.getByRole("button", { name: "Publish" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^[1-9]\d* of 100 records differ$/).waitFor({ timeout: 60_000 });
  await dialog.getByText(/records with other values/).waitFor();
  await dialog.getByRole("button", { name: /^Show \d+ records$/ }).click();
  await dialog.getByText("nothing → Known to the CRM", { exact: true }).first().waitFor();
  await admin.isSound();
  await dialog.getByLabel("Version name").fill("Says who knows it");
  const bringIn = dialog.getByRole("checkbox");
  if (await bringIn.isChecked()) await bringIn.click();
  await admin.isSound();
  await dialog.getByRole("button", { name: /Publish/ }).click();
  await page.waitForURL(/\/published/);
  await page.getByRole("group", { name: "Say who knows it", exact: true }).waitFor();
});

test("versions are kept, compared and restored, and a draft's unsaved work outlives an ended session", async () => {
  const { page } = admin;
  await page.getByRole("button", { name: "Versions" }).click();
  const versions = page.getByRole("complementary", { name: "Versions" });
  await versions.getByRole("button", { name: /Says who knows it/ }).waitFor();
  await versions.getByRole("combobox", { name: /Compare/ }).click();
  await page.getByRole("option", { name: /^Version 1/ }).click();
  await versions
    .getByRole("list", { name: "Differences" })
    .getByRole("button", { name: /Say who knows it/ })
    .first()
    .waitFor();
  await admin.isSound();
  await versions.getByRole("button", { name: /^1/ }).click();
  await page.waitForURL(/\/versions\/[0-9a-f]{24}/);
  await page.getByRole("group", { name: "Say who knows it", exact: true }).waitFor({ state: "detached" });
  await admin.isSound();
  await versions.getByRole("button", { name: "Restore as draft" }).click();
  await page.waitForURL(/\/draft/);

  await page
    .getByRole("status")
    .filter({ hasText: /^Saved$/ })
    .waitFor();
  await page.getByRole("group", { name: "Domain of e-mail", exact: true }).click({ modifiers: ["Control"] });
  await page.getByRole("group", { name: "Fill the website", exact: true }).click({ modifiers: ["Control"] });
  // The session ends while the edit is on its way: no other call can notice it before.
  const endSession = async (route: Route): Promise<void> => {
    await admin.context.clearCookies();
    await route.continue();
  };
  await page.route(/\/pipelines\/[0-9a-f]+\/draft$/, endSession, { times: 1 });
  await page.getByRole("toolbar", { name: "Selected nodes" }).getByRole("button", { name: "Group" }).click();
  await page.getByRole("dialog", { name: "Create group" }).getByRole("button", { name: "Create group" }).click();
  // The edit is saved by itself, which nobody is signed in for any more.
  await page.waitForURL(/\/login/);
  await admin.signIn();
  await page.waitForURL(/\/draft/);
  await page.getByRole("button", { name: /Name of the group/ }).waitFor();
  await page
    .getByRole("status")
    .filter({ hasText: /^Saved$/ })
    .waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard draft" }).click();
  await page.waitForURL(/\/published/);
});

test("on a phone a pipeline opens as a list, with what can be added to its draft below", async () => {
  const { page } = admin;
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const node = (name: string) => page.locator('[role="gridcell"]:first-child', { hasText: new RegExp(`^${name}$`) });
  await node("Match with Billing").waitFor();
  await page.getByRole("button", { name: "Create draft" }).click();
  await page.waitForURL(/\/draft/);
  const palette = page.getByRole("complementary", { name: "Palette" });
  await palette.waitFor();
  await node("Has a name").click();
  const panel = page.getByRole("complementary", { name: "Configure Filter" });
  await panel.getByRole("button", { name: "Close" }).click();
  await palette.getByRole("button", { name: "Add Set value" }).click();
  await page.getByRole("complementary", { name: "Configure Set value" }).getByRole("button", { name: "Close" }).click();
  await node("Set value").waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard draft" }).click();
  await page.waitForURL(/\/published/);
  if (wide) await page.setViewportSize(wide);
});

test("a change made by hand in the CRM shows in the open record, and a repair there goes back to the CRM", async () => {
  const { page } = admin;
  await admin.open("/sync-studio");
  await expect.poll(() => row(page, "Account").innerText(), { timeout: FIRST_CYCLE }).toMatch(/ago|just now/);
  crm = await admin.context.newPage();
  await crm.goto(await crmAddress(page));
  await crm.locator(".list button").first().click();
  await expect.poll(() => crm.locator("#name").inputValue()).not.toBe("");
  const name = await crm.locator("#name").inputValue();

  await admin.open("/data-studio");
  await page.getByRole("link", { name: "Accounts" }).click();
  await admin.isSound();
  await page.getByRole("searchbox").fill(name);
  await page.getByRole("link", { name, exact: true }).first().click();
  await page.getByRole("heading", { name, exact: true }).waitFor();
  await page.getByText("In these systems").waitFor();
  await admin.isSound();

  await crm.locator("#phone").fill("+43 1 5550101");
  await crm.locator("button.main").click();
  await crm.getByText("Saved.").waitFor();
  await page.getByText("+43 1 5550101").waitFor({ timeout: SOON });

  await page.getByRole("button", { name: "Edit Phone" }).click();
  await page.getByRole("textbox", { name: "Phone" }).fill("+43 1 5550202");
  await page.getByRole("textbox", { name: "Phone" }).press("Enter");
  await page.getByText("+43 1 5550202").waitFor();
  const phoneInCrm = async () => {
    await crm.reload();
    await crm.locator(".list button").filter({ hasText: name }).first().click();
    await expect.poll(() => crm.locator("#name").inputValue()).toBe(name);
    return crm.locator("#phone").inputValue();
  };
  await expect.poll(phoneInCrm, { timeout: SOON, interval: 1000 }).toBe("+43 1 5550202");

  await page.getByRole("tab", { name: "Lineage" }).click();
  await page.getByText("+43 1 5550202").first().waitFor();
  await admin.isSound();
  await crm.close();
});

test("a record says who set each value, how it was before, and why each system holds what it holds", async () => {
  const { page } = admin;
  await page.getByRole("tab", { name: "Fields" }).click();
  await page.getByRole("link", { name: /^Phone was set by/ }).click();
  await page.waitForURL(/\/lineage\?field=phone/);
  await page.getByTitle("Show the record as it was then").last().click();
  const asOf = page.getByRole("region", { name: "As it was" });
  await asOf.getByLabel("At", { exact: true }).waitFor();
  await page.getByText("now +43 1 5550202").waitFor();
  expect(await page.getByRole("button", { name: "Edit Phone" }).count()).toBe(0);
  await admin.isSound();
  await asOf.getByRole("button", { name: "Back to now" }).click();
  await page.getByText("+43 1 5550202", { exact: true }).waitFor();

  await page.getByRole("link", { name: "Why in these, and not in others?" }).click();
  const there = page.getByRole("article", { name: "Harbor CRM companies" }).first();
  await there.getByText("In agreement").waitFor();
  await there.getByText(/^\d+ values$/).click();
  await there.getByRole("row", { name: /Phone/ }).getByText("is there already").waitFor();
  await admin.isSound();
});

test("a value that was kept out shows under the one that won, and is taken over from there", async () => {
  const { page } = admin;
  const read = async (path: string) => (await page.request.get(`${product.url}/api/v1${path}`)).json();
  const [, entityId = ""] = /entity\/([0-9a-f]{24})/.exec(page.url()) ?? [];
  const { conflicts } = (await read(`/pipelines/${entityId}/conflicts?field=phone&count=1`)) as {
    conflicts: { recordId: string; competing: { value: string }[] }[];
  };
  const [conflict] = conflicts;
  const other = conflict?.competing[0]?.value ?? "";
  await admin.open(`/data-studio/entity/${entityId}/record/${conflict?.recordId}/fields`);
  await page.getByText("Harbor CRM says").first().waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: `Take ${other} of Harbor CRM as Phone` }).click();
  await page.getByText("Phone taken over; every system is told").waitFor();
  await page.locator(".ac-value").getByText(other, { exact: true }).waitFor();
  await page.getByRole("link", { name: /^Phone was set by/ }).waitFor();
});

test("a dashboard is shared with an outsider, who gets in with the password and not without", async () => {
  const { page } = admin;
  await admin.open("/insights-studio");
  await page.getByRole("link", { name: /Accounts in agreement/ }).click();
  await page.getByRole("region", { name: "Accounts", exact: true }).waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: "Share with" }).click();
  await page.getByRole("combobox", { name: "E-mail addresses" }).fill(OUTSIDER);
  await page.keyboard.press("Enter");
  await admin.isSound();
  await page.getByRole("button", { name: "Share dashboard" }).click();
  const password = (await page.locator("main code").first().innerText()).trim();
  await admin.isSound();

  await admin.open("/settings/outbox");
  await row(page, OUTSIDER).first().click();
  const mail = page.getByRole("complementary");
  const link = await mail.getByRole("link").first().getAttribute("href");
  expect(await mail.innerText(), "the password never travels with the link").not.toContain(password);

  const outsider = await newVisitor(browser, product.url);
  await outsider.open(new URL(link ?? "").pathname);
  await outsider.page.waitForURL(/enter-password/);
  await outsider.page.getByLabel("Password", { exact: true }).fill("not the password");
  await outsider.page.getByRole("button", { name: /Open/ }).click();
  await outsider.page.getByRole("alert").waitFor();
  await outsider.isSound();
  await outsider.page.getByLabel("Password", { exact: true }).fill(password);
  await outsider.page.getByRole("button", { name: /Open/ }).click();
  await outsider.page.getByRole("heading", { name: "Accounts in agreement" }).waitFor();
  await outsider.page.getByRole("region", { name: "Accounts", exact: true }).waitFor();
  await outsider.isSound();
  await outsider.open("/data-studio");
  await outsider.page.waitForURL(/\/login/);
  await outsider.context.close();
});
