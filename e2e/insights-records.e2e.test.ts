/** From a number to what is behind it: a card's records, one record's lineage, and all rows of a dataset as a file. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenProduct, openDemo } from "./kit/open-product.ts";
import type { Visitor } from "./kit/visitor.ts";

let demo: OpenProduct;
let admin: Visitor;
let page: Page;

const BOARD = "Accounts in agreement";

beforeAll(async () => {
  demo = await openDemo();
  ({ admin } = demo);
  page = admin.page;
});
afterAll(async () => {
  await demo?.close();
});

const numberIn = (text: string | null): number => Number(/[\d,]+/.exec(text ?? "")?.[0].replaceAll(",", ""));
const records = (count: number): string => `${count.toLocaleString("en-US")} records`;

/** Reads the dashboard again until a text on it stays as it is: systems are still being read for the first time. */
async function atRest(text: () => Promise<string | null>): Promise<string> {
  let before = "";
  await expect
    .poll(
      async () => {
        await page.getByRole("button", { name: "Read the data again" }).click();
        const last = before;
        before = (await text()) ?? "";
        return numberIn(before) > 0 && before === last;
      },
      { interval: 3_000, timeout: 180_000 },
    )
    .toBe(true);
  return before;
}

/** The number of accounts on the dashboard, once all of them have arrived. */
async function accountsOnCard(): Promise<number> {
  const number = page
    .getByRole("region", { name: "Accounts", exact: true })
    .getByRole("button", { name: /^Records of/ });
  return numberIn(await atRest(() => number.textContent()));
}

test("a number of a card leads by keyboard to the records it counts, one of them to where its values came from, and back", async () => {
  await admin.open("/insights-studio");
  await page.getByText(BOARD, { exact: true }).first().click();
  await accountsOnCard();
  const card = page.getByRole("region", { name: "Accounts by country" });
  await card.getByRole("button", { name: "Menu of Accounts by country" }).click();
  await page.getByRole("menuitem", { name: "Show as table" }).click();
  // Countries come with the second system: they fill in after the accounts have arrived.
  await atRest(() => card.getByRole("table").textContent());
  const number = card.getByRole("button", { name: /^Records of DE, Accounts/ });
  const counted = numberIn(await number.textContent());
  await number.press("Enter");
  await page.getByRole("link", { name: `Show ${records(counted)}` }).press("Enter");

  await page.waitForURL("**/data-studio/entity/**");
  await page.getByText(records(counted), { exact: true }).waitFor();
  await page.getByText("Billing country equals DE").waitFor();
  const name = page.getByRole("row").nth(1).getByRole("gridcell").nth(1);
  const company = (await name.textContent()) ?? "";
  await name.click();
  await page.getByRole("tab", { name: "Lineage" }).click();
  await page.getByRole("heading", { name: company, level: 1 }).waitFor();
  await page
    .getByText(/^by (Harbor CRM|Billing)/)
    .first()
    .waitFor();
  await admin.isSound();

  await page.goBack();
  await page.goBack();
  await page.getByText(records(counted), { exact: true }).waitFor();
  await page.goBack();
  // The card is a table still.
  await number.waitFor();
});

test("[INS-134] all rows of a dataset are downloaded as a file, each record once", async () => {
  await admin.open("/insights-studio");
  await page.getByText(BOARD, { exact: true }).first().click();
  const counted = await accountsOnCard();
  await admin.open("/insights-studio/datasets");
  await page.getByRole("button", { name: "More actions: Accounts", exact: true }).click();
  await page.getByRole("menuitem", { name: "Export…" }).click();
  const drawer = page.getByRole("dialog", { name: "Exports of Accounts" });
  await drawer.getByRole("button", { name: "Start export" }).click();
  await drawer.getByText("Completed", { exact: true }).waitFor();
  await drawer.getByText(counted.toLocaleString("en-US"), { exact: false }).first().waitFor();
  await admin.isSound();
  const download = page.waitForEvent("download");
  await drawer.getByRole("link", { name: /^Download/ }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^Accounts .* UTC\.csv$/);
  const lines = (await readFile(await file.path(), "utf8")).split("\r\n");
  expect(lines.length).toBe(counted + 2);
  expect(lines.at(-1)).toBe("");
  expect(new Set(lines).size).toBe(lines.length);
});
