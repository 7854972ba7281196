/** Tests of a pipeline, made and run in its editor: a record of a system, a wrong expectation, its correction, and real records. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProduct, type Product } from "./kit/product.ts";
import { newVisitor, openBrowser, type Visitor } from "./kit/visitor.ts";

let product: Product;
let browser: Browser;
let user: Visitor;
let page: Page;

beforeAll(async () => {
  product = await startProduct({ demo: true });
  browser = await openBrowser();
  user = await newVisitor(browser, product.url);
  page = user.page;
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const tests = (): Locator => page.getByRole("complementary", { name: "Tests", exact: true });

/** By keyboard: a button that waits for something takes no key. */
async function enter(button: Locator): Promise<void> {
  await expect.poll(() => button.isEnabled()).toBe(true);
  await button.press("Enter");
}

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

test("[SYN-111] [SYN-112] a test is made of a real record; a wrong expectation is marked, and passes once corrected", async () => {
  await user.open("/");
  await user.signIn();
  await page.getByRole("heading", { name: /Hello/ }).waitFor();
  await user.open("/sync-studio");
  await page.getByRole("row").filter({ hasText: "Account" }).getByText("Account", { exact: true }).click();
  await page.getByRole("button", { name: "Create draft" }).click();
  await page.waitForURL(/\/draft/);
  const opener = page.getByRole("button", { name: "Tests", exact: true });
  await enter(opener);
  await tests().getByText("No tests yet").waitFor();
  await user.isSound();
  await picture("1-closed-and-empty");

  await enter(tests().getByRole("button", { name: "New test" }));
  await tests().getByRole("textbox", { name: "Name" }).fill("Website of the e-mail");
  const pick = tests().getByRole("combobox", { name: "Take a record of the source" });
  await expect.poll(() => pick.isEnabled()).toBe(true);
  await pick.click();
  await page.getByRole("option").first().waitFor();
  await page.getByRole("option").first().click();
  await expect.poll(() => tests().getByRole("textbox", { name: "Values as JSON" }).inputValue()).toContain('"name"');
  await tests()
    .getByRole("textbox", { name: "Values as JSON" })
    .fill('{ "name": "Acme", "email": "office@acme.example", "domain": null }');
  await tests().getByRole("combobox", { name: "Field" }).fill("Website");
  await page.getByRole("option", { name: "Website", exact: true }).click();
  await tests().getByRole("textbox", { name: "Expected value" }).fill("www.acme.example");
  await user.isSound();
  await picture("2-form");
  await enter(tests().getByRole("button", { name: "Save test" }));

  await enter(tests().getByRole("button", { name: "Run", exact: true }));
  await tests().getByText("but was acme.example").waitFor();
  await user.isSound();
  await picture("3-failed");
  await enter(tests().getByRole("button", { name: /^Domain of e-mail/ }));
  await tests().getByRole("row").filter({ hasText: "email" }).first().waitFor();
  await expect.poll(() => page.url()).toContain("demo-billing-domain");
  await picture("4-node");

  await enter(tests().getByRole("button", { name: "Edit", exact: true }));
  await tests().getByRole("textbox", { name: "Expected value" }).fill("acme.example");
  await enter(tests().getByRole("button", { name: "Save test" }));
  await enter(tests().getByRole("button", { name: "Run", exact: true }));
  await tests().getByRole("heading", { name: "Website of the e-mail" }).waitFor();
  await expect.poll(() => tests().getByText("but was").count()).toBe(0);
  await tests().getByText("Passed", { exact: true }).first().waitFor();
  await user.isSound();
  await picture("5-passed");
});

test("a draft whose test fails is not published where all tests have to pass, and the dialog names the test", async () => {
  await enter(tests().getByRole("button", { name: "Edit", exact: true }));
  await tests().getByRole("textbox", { name: "Expected value" }).fill("other.example");
  await enter(tests().getByRole("button", { name: "Save test" }));
  await enter(tests().getByRole("button", { name: "All tests" }));
  const setting = tests().getByRole("switch", { name: "Publish only when all tests pass" });
  const stored = page.waitForResponse((answer) => answer.url().includes("/settings") && answer.ok());
  await setting.check({ force: true });
  await stored;
  await page.reload();
  await tests().getByRole("switch", { name: "Publish only when all tests pass" }).waitFor({ state: "attached" });
  await expect.poll(() => setting.isChecked()).toBe(true);
  await picture("5b-setting");
  await enter(page.getByRole("button", { name: "Publish", exact: true }));
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Version name" }).fill("With a failing test");
  await enter(dialog.getByRole("button", { name: /^Publish version/ }));
  await dialog.getByText("Website of the e-mail").waitFor();
  await picture("5c-refused");
  await enter(dialog.getByRole("button", { name: "Cancel" }));
  await enter(page.getByRole("button", { name: "Tests", exact: true }));
});

test("[SYN-113] a live run is offered in the live view alone, and its results appear once it has ended", async () => {
  await tests().getByText("Live", { exact: true }).click();
  await tests().getByRole("textbox", { name: "Records of each source" }).fill("3");
  await enter(tests().getByRole("button", { name: "Run with real records" }));
  await tests().getByText("Completed", { exact: true }).first().waitFor({ timeout: 120_000 });
  await enter(tests().getByRole("button", { name: /^CRM companies/ }));
  await tests().getByRole("table").first().waitFor();
  await user.isSound();
  await picture("6-live");
  await tests().getByText("Simulated", { exact: true }).click();
  await tests().getByRole("button", { name: "Run all" }).waitFor();
  expect(await tests().getByRole("button", { name: "Run with real records" }).count()).toBe(0);
});

const form = (): Locator => page.getByRole("complementary", { name: "Configure Decision" });

test("a real record is tried while a condition is typed: its branch changes beside the form, and the focus stays", async () => {
  await enter(tests().getByRole("button", { name: "Close" }));
  await page.locator(".ac-canvas").focus();
  await page.keyboard.press("r");
  const panel = page.getByRole("complementary", { name: "Try a record" });
  const found = panel.locator('[aria-label="Records found"][aria-busy="false"]').getByRole("button");
  await found.first().waitFor();
  await user.isSound();
  await enter(found.first());
  await panel.getByText("In the core").waitFor();
  await user.isSound();
  await picture("7-tried");
  await enter(panel.getByRole("button", { name: /^Is a customer/ }));
  const result = form().getByRole("region", { name: "What this node does with the record" });
  await result.getByText("Leaves by True").waitFor();
  const number = await result
    .getByRole("row")
    .filter({ hasText: "accountNumber" })
    .getByRole("cell")
    .first()
    .innerText();
  await form().getByRole("combobox", { name: "Comparison" }).click();
  await page.getByRole("option", { name: "equals", exact: true }).click();
  const value = form().getByRole("textbox", { name: "Value", exact: true });
  await value.fill(`${number}0`);
  await result.getByText("Leaves by False").waitFor();
  await value.press("Backspace");
  await result.getByText("Leaves by True").waitFor();
  expect(await value.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await value.inputValue()).toBe(number);
  await user.isSound();
  await picture("8-branch");
});
