/** Filling in nodes by keyboard: tokens of the graph on screen, a mail with its preview for a tried record, and choices that follow others. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenProduct, openDemo } from "./kit/open-product.ts";
import type { Visitor } from "./kit/visitor.ts";

let demo: OpenProduct;
let user: Visitor;
let page: Page;

beforeAll(async () => {
  demo = await openDemo();
  user = demo.admin;
  page = user.page;
  await page.setViewportSize({ width: 1280, height: 800 });
});
afterAll(async () => {
  await demo?.close();
});

const node = (name: string): Locator => page.getByRole("group", { name, exact: true });
const form = (name: string): Locator => page.getByRole("complementary", { name: `Configure ${name}` });
const isSaved = (): Promise<void> =>
  page
    .getByRole("status")
    .filter({ hasText: /^Saved$/ })
    .waitFor();

/** Pictures of both colour schemes, where somebody asks for them. */
async function picture(name: string): Promise<void> {
  const folder = process.env["ACCORD_PICTURES"];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: "light" });
}

async function addAfter(after: string, wanted: string): Promise<void> {
  await node(after).hover();
  await page.getByRole("button", { name: `Add a node after ${after}`, exact: true }).click();
  const quickAdd = page.getByRole("dialog", { name: "Add a node" });
  await quickAdd.getByRole("textbox").fill(wanted);
  await quickAdd
    .getByRole("button", { name: new RegExp(`^Add ${wanted}`, "i") })
    .first()
    .waitFor();
  await quickAdd.getByRole("textbox").press("Enter");
  await quickAdd.waitFor({ state: "detached" });
}

test("[SYN-066] an action is filled in with tokens by keyboard, and says what it would do with the record that is tried", async () => {
  await user.open("/sync-studio");
  await page.getByRole("row").filter({ hasText: "Account" }).getByText("Account", { exact: true }).click();
  await page.getByRole("button", { name: "Create draft" }).click();
  await page.waitForURL(/\/draft/);
  await node("Has a name").waitFor();
  await page.locator(".ac-canvas").focus();
  await page.keyboard.press("r");
  // Those of the source before stay in sight while the others are read.
  const found = page.locator('[aria-label="Records found"][aria-busy="false"]').getByRole("button");
  await page.getByRole("combobox", { name: "Source" }).click();
  await page.getByRole("option", { name: /CRM/ }).click();
  await expect.poll(() => page.getByRole("combobox", { name: "Source" }).inputValue()).toContain("CRM");
  await found.first().waitFor();
  const record = await found.first().locator("span").first().innerText();
  await found.first().press("Enter");
  await page.getByRole("complementary", { name: "Try a record" }).getByText("In the core").waitFor();
  await addAfter("Has a name", "send e-mail");
  const mail = form("Send e-mail");
  await mail.getByRole("textbox", { name: "To: Row 1" }).focus();
  await page.keyboard.type("ann@example.com");
  const subject = mail.getByRole("textbox", { name: "Subject" });
  await subject.focus();
  await page.keyboard.type("About {{");
  const list = page.getByRole("listbox", { name: "Insert token: Subject" });
  await list.getByRole("group", { name: /^Source fields: Harbor CRM/ }).waitFor();
  await page.keyboard.type("crm name");
  const option = list.getByRole("option").first();
  await option.getByText(record).waitFor();
  await picture("1-tokens");
  await user.isSound();
  await page.keyboard.press("Enter");
  await list.waitFor({ state: "detached" });
  await expect.poll(() => subject.inputValue()).toMatch(/^About \{\{Harbor CRM\.\w+\.name\}\}$/);
  await mail.getByText(`Gives: About ${record}`).waitFor();
  await mail
    .getByRole("region", { name: "What this node does with the record" })
    .getByText(new RegExp(`ann@example\\.com.*About ${record}`))
    .waitFor();
});

test("a body is written with markup and tokens, and its preview shows the record; it reads back the same after a reload", async () => {
  const mail = form("Send e-mail");
  const body = mail.getByRole("textbox", { name: "Body" });
  await body.focus();
  await page.keyboard.type("Hello ");
  await page.keyboard.press("Control+b");
  await page.keyboard.press("Control+Space");
  await page.keyboard.type("crm name");
  await page.getByRole("listbox", { name: "Insert token: Body" }).getByRole("option").first().waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  await page.keyboard.type(",\n\nthis is new.\n{{nobody}}");
  await mail.getByText("{{nobody}} is not available here. Choose another token.").waitFor();
  await picture("2-body");
  await user.isSound();
  const written = await body.inputValue();
  expect(written).toMatch(/^Hello <b>\{\{Harbor CRM\.\w+\.name\}\}<\/b>,\n\nthis is new\.\n\{\{nobody\}\}$/);
  await mail.getByText("Preview", { exact: true }).click();
  const preview = mail.getByRole("document", { name: "Preview" });
  await preview.locator("b").waitFor();
  await picture("3-preview");
  await user.isSound();
  await isSaved();
  await page.reload();
  await node("Send e-mail").click();
  await body.waitFor();
  await expect.poll(() => body.inputValue()).toBe(written);
});

test("[SYN-046] objects follow the system that is chosen; the old choice stays and is said to be none of them", async () => {
  await page.keyboard.press("Escape");
  await addAfter("Has a name", "lookup external");
  const lookup = form("Lookup external record");
  const choose = async (input: string, option: string | RegExp) => {
    await lookup.getByRole("combobox", { name: input }).click();
    await page.getByRole("option", { name: option }).first().click();
  };
  await choose("Synapse", "Harbor CRM");
  await choose("Object", /Compan/);
  await choose("Field", /Name|name/);
  await choose("Synapse", "Billing");
  await lookup.getByText("This value is not available. Choose another one").first().waitFor();
  await lookup.getByRole("combobox", { name: "Object" }).click();
  await page.getByRole("option", { name: /ustomer/ }).waitFor();
  await picture("4-dependent");
  await user.isSound();
});
