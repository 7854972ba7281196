/** Datasets in SQL as their author uses them: written, checked, run, saved, shown. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenProduct, openProduct } from "./kit/open-product.ts";
import type { Visitor } from "./kit/visitor.ts";

let demo: OpenProduct;
let admin: Visitor;
let page: Page;
/** A column of the demo's accounts that holds texts. */
const COUNTRY = "billingCountry";

beforeAll(async () => {
  demo = await openProduct({ demo: true });
  ({ admin } = demo);
  page = admin.page;
  await admin.open("/insights-studio");
  await page.getByText("Accounts in agreement", { exact: true }).first().waitFor({ timeout: 60_000 });
});
afterAll(async () => {
  await demo?.close();
});

const mode = (name: "Basic" | "SQL") =>
  page.getByRole("radiogroup", { name: "How this dataset is defined" }).getByText(name, { exact: true });
const code = () => page.getByRole("textbox", { name: "Statement" });
const checked = () => page.locator(".ac-sql__check");

async function write(sql: string): Promise<void> {
  await code().click();
  await page.keyboard.press("ControlOrMeta+a");
  // Written over a selection, the browser itself would keep its colours by a style of its own, which the page forbids.
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(sql);
}

async function choose(select: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: select, exact: true }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

async function complete(option: string): Promise<void> {
  await page.keyboard.press("Control+Space");
  await page.locator(".cm-tooltip-autocomplete li").filter({ hasText: option }).first().click();
}

const dataset = (name: string) => page.getByRole("gridcell", { name, exact: true }).first();

const rows = () => page.locator(".ac-dataset__preview tbody tr");

test("[INS-073] [INS-074] a statement with a variable is written, an error shown at its place, run and saved", async () => {
  await admin.open("/insights-studio/datasets/new");
  await page.getByLabel("Display name").first().fill("Countries by SQL");
  await mode("SQL").click();
  await code().waitFor();
  await page.getByRole("button", { name: "Add a variable" }).click();
  const form = page.getByRole("dialog").filter({ has: page.getByRole("button", { name: "Save variable" }) });
  await form.getByRole("textbox", { name: "Display name" }).fill("Part");
  await form.getByRole("textbox", { name: /Default value/ }).fill("e");
  await form.getByRole("button", { name: "Save variable" }).click();
  await form.waitFor({ state: "detached" });

  // Completion offers the tables after FROM, and the columns of the table that is named.
  await write("SELECT 1 AS one FROM Accoun");
  await complete("Account");
  await page.keyboard.insertText(" WHERE billingCoun");
  await complete(COUNTRY);
  await code().getByText(`FROM Account WHERE ${COUNTRY}`, { exact: false }).first().waitFor();

  await write(`SELECT ${COUNTRY},\n  pg_sleep(1) AS n\nFROM Account`);
  await checked().getByText("Line 2, column 3: The function “pg_sleep” can't be used here.").waitFor();
  await checked().getByRole("button").click();
  // The cursor stands at the fault: what is typed goes there.
  await page.keyboard.insertText("/*here*/ ");
  await page.getByText("/*here*/", { exact: false }).first().waitFor();
  await admin.isSound();

  await write(
    `SELECT ${COUNTRY}, count(*) AS n\nFROM Account\nWHERE lower(${COUNTRY}) LIKE '%' || {{part}} || '%'\nGROUP BY 1 ORDER BY 2 DESC`,
  );
  await checked().getByText("No problems").waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await rows().first().waitFor();
  for (const text of await rows().allInnerTexts()) expect(text.toLowerCase()).toContain("e");
  await page.getByRole("textbox", { name: "Display name of n" }).fill("How many");
  await admin.isSound();
  await page.getByRole("button", { name: "Save dataset", exact: true }).click();
  await page.waitForURL(/\/insights-studio\/datasets$/);
  await dataset("Countries by SQL").click();
  await code().waitFor();
  await page.getByText("GROUP BY", { exact: false }).first().waitFor();
  await admin.isSound();
});

test("[INS-073] a card is made of it", async () => {
  await admin.open("/insights-studio");
  await page.getByRole("button", { name: "New dashboard" }).click();
  const drawer = page.getByRole("dialog", { name: "New dashboard" });
  await drawer.getByLabel("Display name").fill("By statement");
  await drawer.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "By statement", level: 1, exact: true }).waitFor();
  await page.getByRole("button", { name: "New card" }).click();
  await page.getByLabel("Display name").fill("Countries");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("radio", { name: "Use an existing dataset" }).click();
  await page.getByRole("combobox", { name: "Dataset" }).click();
  await page.getByRole("option", { name: /^Countries by SQL/ }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("radio", { name: "Column", exact: true }).click();
  await choose("Category (x-axis): Column", "Billing country");
  await choose("Values (y-axis): Column", "How many");
  await page.getByRole("button", { name: "Add to dashboard" }).click();
  await page.getByRole("region", { name: "Countries" }).waitFor();
  await admin.isSound();
});

test("[INS-073] a dataset of the basic mode becomes SQL and basic again; what basic can't say keeps it in SQL", async () => {
  await admin.open("/insights-studio/datasets");
  await dataset("Accounts").click();
  await mode("SQL").click();
  await code().waitFor();
  await page.getByText("FROM Account", { exact: false }).first().waitFor();
  await checked().getByText("No problems").waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await rows().first().waitFor();
  await admin.isSound();
  await mode("Basic").click();
  await page.getByRole("checkbox", { name: "Billing country" }).waitFor();

  await mode("SQL").click();
  await write(`SELECT DISTINCT ${COUNTRY} FROM Account`);
  await checked().getByText("No problems").waitFor();
  await mode("Basic").click();
  const dialog = page.getByRole("dialog", { name: "The basic mode can't say this" });
  await dialog.getByText("DISTINCT can't be said in the basic mode.", { exact: false }).waitFor();
  await admin.isSound();
  await dialog.getByRole("button", { name: "Stay in SQL" }).click();
  await code().getByText("DISTINCT", { exact: false }).first().waitFor();
});
