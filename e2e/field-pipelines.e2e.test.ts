/** Field pipelines: from a mapping row to a graph of one field, its functions, its mark, its publication, and the value that arrives. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenProduct, openDemo } from "./kit/open-product.ts";
import { invitePerson } from "./kit/people.ts";
import type { Product } from "./kit/product.ts";
import type { Visitor } from "./kit/visitor.ts";

let demo: OpenProduct;
let product: Product;
let admin: Visitor;
let page: Page;
/** Of the demo's pipeline, and of its field for names. */
let account: string;
let nameField: string;

/** Long enough for a cycle on a slow machine. */
const SOON = 60_000;
/** The first cycle reads and compares both systems as a whole. */
const FIRST_CYCLE = 150_000;

const get = async <Reply>(path: string): Promise<Reply> =>
  (await (await page.request.get(`${product.url}/api/v1${path}`)).json()) as Reply;

interface FieldRow {
  id: string;
  apiName: string;
  hasPublished: boolean;
  draft: { ready: boolean; hasChanges: boolean } | null;
}
const fieldRow = async (apiName: string): Promise<FieldRow | undefined> =>
  (await get<{ fields: FieldRow[] }>(`/pipelines/${account}/fields`)).fields.find((one) => one.apiName === apiName);

const node = (label: string): Locator => page.getByRole("group", { name: label, exact: true });
const heading = (text: string): Locator => page.getByRole("heading", { name: text, exact: true });
const isSaved = (): Promise<void> =>
  page
    .getByRole("status")
    .filter({ hasText: /^Saved$/ })
    .waitFor();
const openEntity = (version: string, nodeId: string): Promise<void> =>
  admin.open(`/sync-studio/entity/${account}/pipeline/${version}?focusNodeId=${nodeId}`);

beforeAll(async () => {
  demo = await openDemo();
  ({ product, admin } = demo);
  page = admin.page;
  const { rows } = await get<{ rows: { id: string; name: string }[] }>("/pipelines");
  account = rows.find(({ name }) => name === "Account")?.id ?? "";
  nameField = (await fieldRow("name"))?.id ?? "";
});
afterAll(async () => {
  await demo?.close();
});

test("one press on a mapping row opens the field's pipeline, which begins with the mapped fields and leads back to the node", async () => {
  await openEntity("published", "demo-crm-sink");
  await node("Update CRM").click();
  const panel = page.getByRole("complementary", { name: /^Configure/ });
  // By keyboard: the row's link is reached like its inputs.
  await panel.getByRole("link", { name: "Field pipeline of Name: none yet" }).press("Enter");
  await page.getByText("Name has no field pipeline").waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: "Create field pipeline" }).click();
  await heading("Name: field pipeline").waitFor();
  for (const label of [
    "Billing customers name",
    "CRM companies name",
    "Name",
    "Update Billing name",
    "Update CRM name",
  ])
    await node(label).waitFor();
  await admin.isSound();
  await page.getByRole("link", { name: "Back to Update CRM" }).click();
  await heading("Account pipeline").waitFor();
  expect(new URL(page.url()).pathname).toBe(`/sync-studio/entity/${account}/pipeline/draft`);
  await expect.poll(() => new URL(page.url()).searchParams.get("focusNodeId")).toBe("demo-crm-sink");
  await node("Update CRM").click();
  await panel.getByRole("link", { name: "Open the field pipeline of Name" }).click();
  await heading("Name: field pipeline").waitFor();
});

test("[SYN-063] [SYN-064] the palette offers functions of fields and the fields of connected systems; that of the entity others", async () => {
  const palette = page.getByRole("complementary", { name: "Palette" });
  const search = palette.getByRole("textbox");
  const offers = (name: string) => palette.getByRole("button", { name, exact: true });
  await palette
    .getByRole("button", { name: /Billing · customers/ })
    .first()
    .click();
  await offers("Add VAT number of Billing as a source").waitFor();
  await search.fill("attach record");
  await palette.getByText(/Nothing matches/).waitFor();
  await search.fill("vat");
  await offers("Add VAT number of Harbor CRM as a destination").waitFor();
  await search.fill("");
  await openEntity("draft", "demo-crm-sink");
  await search.fill("attach record");
  await offers("Add Attach record").waitFor();
  await search.fill("vat");
  await palette.getByText(/Nothing matches/).waitFor();
});

test("[SYN-052] a function added to a field pipeline is saved by itself, is there after a reload, and the field counts as changed", async () => {
  await admin.open(`/sync-studio/entity/${account}/field/${nameField}/pipeline/draft`);
  await page.locator('.react-flow__edge[aria-label="Connection from Name to Update CRM name"]').focus();
  await page.keyboard.press("a");
  const quickAdd = page.getByRole("dialog", { name: "Add a node" });
  await quickAdd.getByRole("textbox").fill("upper case");
  await quickAdd.getByRole("button", { name: /^Add Upper case/ }).waitFor();
  await quickAdd.getByRole("textbox").press("Enter");
  await node("Upper case").waitFor();
  await isSaved();
  await page.reload();
  await node("Upper case").waitFor();
  await page.locator('.react-flow__edge[aria-label="Connection from Upper case to Update CRM name"]').waitFor({
    state: "attached",
  });
  expect((await fieldRow("name"))?.draft).toMatchObject({ ready: false, hasChanges: true });
});

/** Pictures of both colour schemes, where somebody asks for them. */
async function picture(name: string): Promise<void> {
  const folder = process.env["ACCORD_PICTURES"];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: "light" });
}

test("a real record is tried in the field pipeline: the value that comes and goes stands beside the form of each node", async () => {
  await page.locator(".ac-canvas").focus();
  await page.keyboard.press("r");
  const panel = page.getByRole("complementary", { name: "Try a record" });
  await panel.getByRole("list", { name: "Records found" }).getByRole("button").first().click();
  await panel.getByText("In the core", { exact: true }).waitFor();
  await admin.isSound();
  await picture("1-tried");
  await panel.getByRole("button", { name: /^Upper case/ }).press("Enter");
  const form = page.getByRole("complementary", { name: /^Configure/ });
  const strip = form.getByRole("region", { name: "What this node does with the record" });
  const row = strip.getByRole("row").filter({ hasText: "value" });
  const values = async () => {
    const [input = "", output = ""] = await row.getByRole("cell").allTextContents();
    return { input, output };
  };
  await expect.poll(async () => (await values()).output).not.toBe("");
  const { input, output } = await values();
  expect(output).toBe(input.toUpperCase());
  expect(output).not.toBe(input);
  await picture("2-beside-the-form");

  // What is tried is kept for the tab: the next test begins without it.
  await page.evaluate(() => sessionStorage.clear());
  await admin.open(`/sync-studio/entity/${account}/field/${nameField}/pipeline/draft`);
  await node("Upper case").waitFor();
});

test("errors keep a field pipeline from being marked as ready, and undone it is marked; an edit takes the mark back", async () => {
  await node("Update CRM name").click();
  await page.keyboard.press("Escape");
  const edge = page.locator('.react-flow__edge[aria-label="Connection from Upper case to Update CRM name"]');
  await edge.press("Delete");
  await edge.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Mark as ready" }).click();
  const problems = page.getByRole("complementary", { name: /can't be published/ });
  await problems.getByText("Update CRM name: nothing leads to this destination field. Connect it.").waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: "Undo" }).click();
  await isSaved();
  await page.getByRole("button", { name: "Mark as ready" }).click();
  await page.getByRole("button", { name: "Mark as not ready" }).waitFor();
  expect((await fieldRow("name"))?.draft).toMatchObject({ ready: true });
  // The problems stand over the right of the graph, and over this node.
  await page
    .getByRole("complementary", { name: "Problems" })
    .getByRole("button", { name: /^Close/ })
    .click();
  await node("Upper case").click();
  const panel = page.getByRole("complementary", { name: "Configure Upper case" });
  await panel.getByRole("textbox", { name: "Description" }).fill("The CRM wants capitals");
  await page.getByRole("button", { name: "Mark as ready" }).waitFor();
  await isSaved();
  expect((await fieldRow("name"))?.draft).toMatchObject({ ready: false });
  await page.getByRole("button", { name: "Mark as ready" }).click();
  await page.getByRole("button", { name: "Mark as not ready" }).waitFor();
  await admin.isSound();
});

test("[SYN-016] the graph, its versions, its validation and its errors open cold, and an unknown field leads to its pipeline", async () => {
  const base = `/sync-studio/entity/${account}/field/${nameField}/pipeline`;
  const leadsTo = async (address: string, end: string): Promise<void> => {
    await admin.open(address);
    await expect.poll(() => page.url()).toBe(new URL(end, product.url).href);
  };
  await leadsTo(base, `${base}/draft`);
  await heading("Name: field pipeline").waitFor();
  await leadsTo(`${base}/DRAFT`, `${base}/draft`);
  await leadsTo(`${base}/validation`, `${base}/draft/validation`);
  await page.getByRole("complementary", { name: "Problems" }).getByText("No problems.").waitFor();
  await leadsTo(`${base}/pipeline-error`, `${base}/draft/pipeline-error`);
  await page.getByRole("complementary", { name: "Problems of runs" }).waitFor();
  await admin.isSound();
  await admin.page.goto(`${base}/published`);
  await page.getByText("The field pipeline of Name has not been published").waitFor();
  await admin.page.goto(base.replace(nameField, "f".repeat(24)));
  await heading("Account has no such field").waitFor();
  await admin.isSound();
  await page.getByRole("link", { name: "Open the entity pipeline" }).click();
  await heading("Account pipeline").waitFor();
});

test("published with its entity pipeline, a field pipeline transforms what arrives in the destination and nothing else", async () => {
  await expect
    .poll(async () => (await get<{ lastSyncTime: string | null }>(`/pipelines/${account}/status`)).lastSyncTime, {
      timeout: FIRST_CYCLE,
    })
    .not.toBeNull();
  await openEntity("draft", "demo-crm-sink");
  await node("Update CRM").click();
  const panel = page.getByRole("complementary", { name: /^Configure/ });
  await panel.getByText("Ready", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Publish" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "All that are ready (1)", checked: true }).waitFor();
  await dialog.getByRole("radio", { name: "Only these" }).click();
  await dialog.getByRole("checkbox", { name: "Name", exact: true, checked: true }).waitFor();
  await admin.isSound();
  await dialog.getByLabel("Version name").fill("Capitals for the CRM");
  await dialog.getByRole("checkbox", { name: /Also bring in/ }).uncheck();
  await dialog.getByRole("button", { name: /Publish/ }).click();
  await page.waitForURL(/\/pipeline\/published/);
  expect(await fieldRow("name")).toMatchObject({ hasPublished: true, draft: null });

  const { connectors } = await get<{ connectors: { id: string; name: string }[] }>("/connectors");
  const id = connectors.find(({ name }) => name === "Harbor CRM")?.id;
  const { config } = await get<{ config: { baseUrl: string } }>(`/connectors/${id}`);
  const crm = await admin.context.newPage();
  await crm.goto(new URL(config.baseUrl).origin);
  await admin.open("/data-studio");
  await page.getByRole("link", { name: "Accounts" }).click();
  await page.getByRole("gridcell").getByRole("link").first().click();
  await page.getByText("In these systems").waitFor();
  await page.getByRole("button", { name: "Edit Name" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Quiet Harbour Trading");
  await page.getByRole("textbox", { name: "Name" }).press("Enter");
  await heading("Quiet Harbour Trading").waitFor();
  /** Names of companies in the CRM that are called so, in any spelling. */
  const inCrm = async (): Promise<string[]> => {
    await crm.locator("#find").fill("");
    await crm.locator("#find").fill("quiet harbour");
    return await crm.locator(".list button div").allInnerTexts();
  };
  await expect.poll(inCrm, { timeout: SOON, interval: 1_000 }).toEqual(["QUIET HARBOUR TRADING"]);
  await crm.close();
  await page.reload();
  await heading("Quiet Harbour Trading").waitFor();
});

test("what is published can be looked at and not edited; without the permission nothing is offered to change", async () => {
  const address = `/sync-studio/entity/${account}/field/${nameField}/pipeline/published`;
  await admin.open(address);
  await node("Upper case").waitFor();
  await page.getByRole("button", { name: "Create draft" }).waitFor();
  expect(await page.getByRole("complementary", { name: "Palette" }).count()).toBe(0);
  const viewer = await invitePerson({ browser: demo.browser, url: product.url, admin }, "Viewer", {
    email: "nora.berg@example.com",
    firstName: "Nora",
    lastName: "Berg",
    password: "four-green-lanterns-7",
  });
  await viewer.open(address);
  await viewer.page.getByRole("group", { name: "Upper case", exact: true }).waitFor();
  await viewer.page.getByText(/Changing it needs the permission/).waitFor();
  expect(await viewer.page.getByRole("button", { name: /ready|Create draft|Discard/ }).count()).toBe(0);
  await viewer.isSound();
  await viewer.page.goto(address.replace("published", "draft"));
  await viewer.page.getByText("The field pipeline of Name has no draft").waitFor();
  expect(await viewer.page.getByRole("button", { name: "Create draft" }).count()).toBe(0);
  await viewer.isSound();
});
