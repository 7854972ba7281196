/** From a question to a card on a dashboard: the assistant is configured, asked, refined, and its card saved. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenProduct, openDemo } from "./kit/open-product.ts";
import type { Visitor } from "./kit/visitor.ts";

let demo: OpenProduct;
let admin: Visitor;
let page: Page;

beforeAll(async () => {
  demo = await openDemo();
  ({ admin } = demo);
  page = admin.page;
});
afterAll(async () => {
  await demo?.close();
});

test("[INS-004] [INS-013] a question becomes a card on a draft, once somebody chose who answers", async () => {
  await admin.open("/insights-studio");
  await page.getByText("Accounts in agreement", { exact: true }).first().click();
  await page.getByRole("button", { name: "Create draft", exact: true }).click();
  await page.waitForURL(/\/draft/);
  await page.getByRole("button", { name: "Add card", exact: true }).click();
  await page.getByRole("button", { name: "Ask for a card" }).click();
  await page.waitForURL(/\/draft\/aiassisted$/);
  await page.getByText("No assistant is configured").waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: "Configure" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByText("Answered by built-in rules").waitFor();
  await admin.isSound();

  await page.getByLabel("Question", { exact: true }).fill("Number of accounts by country");
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Proposal" }).getByText("Billing country").waitFor();
  await page.getByRole("region", { name: "Preview" }).getByRole("application").waitFor();
  await page.getByLabel("Change the proposal").fill("top 5 where status is active");
  await page.keyboard.press("Enter");
  const changes = page.getByRole("region", { name: "What the last question changed" });
  await changes.getByText("Status equals Active").waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: "Save as a card…" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as a card" });
  await expect.poll(() => dialog.getByLabel("Display name").inputValue()).toBe("Number of rows by Billing country");
  await dialog.getByLabel("Display name").fill("Asked for");
  await dialog.getByRole("button", { name: "Add to dashboard" }).click();
  await page.getByRole("region", { name: "Asked for" }).getByRole("application").waitFor();
});
