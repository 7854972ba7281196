/** From a dataset to an answer: explored, saved as a card, published, filtered by its marks, by an outsider too. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenProduct, openDemo } from "./kit/open-product.ts";
import { newVisitor, type Visitor } from "./kit/visitor.ts";

let demo: OpenProduct;
let admin: Visitor;
let page: Page;

const BOARD = "Accounts in agreement";
const CARD = "Companies by country";
const GUEST = "kai@partner.example";

beforeAll(async () => {
  demo = await openDemo();
  ({ admin } = demo);
  page = admin.page;
});
afterAll(async () => {
  await demo?.close();
});

const numberIn = (text: string | null): number => Number(/[\d,]+/.exec(text ?? "")?.[0].replaceAll(",", ""));
const chip = (at: Page, country: string) =>
  at.getByRole("button", { name: new RegExp(`^Remove the filter: .*country is ${country}$`, "i") });
const metric = (at: Page) => at.getByRole("region", { name: "Accounts", exact: true }).locator(".ac-metric__value");
const shownTotal = async (at: Page): Promise<number> => numberIn(await metric(at).textContent());

/** Reads the number until it stays as it is: systems are still being read for the first time. */
async function atRest(): Promise<number> {
  let before = 0;
  await expect
    .poll(
      async () => {
        const last = before;
        before = await shownTotal(page);
        return before > 0 && before === last;
      },
      { interval: 3_000, timeout: 180_000 },
    )
    .toBe(true);
  return before;
}

/** The first mark of the card is reached by keys and chosen; returns what it counts. */
async function chooseFirst(at: Page, keys: "Enter" | "Control+Enter"): Promise<{ country: string; count: number }> {
  const card = at.getByRole("region", { name: CARD });
  const chart = card.getByRole("application");
  await chart.focus();
  await chart.press("Escape");
  await chart.press("Home");
  const said = card.locator(".ac-chart-said");
  await expect.poll(async () => /: [\d,]+/.test((await said.textContent()) ?? "")).toBe(true);
  const words = (await said.textContent()) ?? "";
  await chart.press(keys);
  return { country: words.split(", ")[0] ?? "", count: numberIn(/: ([\d,]+)/.exec(words)?.[1] ?? "") };
}

test("a dataset is explored, the card named at last and put on a dashboard, whose cards it then filters", async () => {
  await admin.open("/insights-studio");
  await page.getByText(BOARD, { exact: true }).first().click();
  await atRest();
  await page.getByRole("button", { name: "Create draft", exact: true }).click();
  await page.waitForURL(/\/draft/);
  await admin.open(`${new URL(page.url()).pathname}/datacard/new`);
  await page.getByRole("link", { name: "Explore a dataset instead, and name the card last" }).click();
  await page.getByRole("combobox", { name: "Dataset" }).click();
  await page.getByRole("option", { name: /^Accounts \(/ }).click();
  const proposed = page.getByRole("group", { name: "Proposed charts" });
  await proposed.getByRole("button").first().waitFor();
  expect(await proposed.getByRole("button", { pressed: true }).count()).toBe(1);
  await page.getByRole("region", { name: "Preview" }).getByRole("application").waitFor();
  await admin.isSound();

  // Nothing is lost on Close: it asks.
  await proposed.getByRole("button").nth(1).click();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel", exact: true }).click();

  await page.getByRole("radio", { name: "Column", exact: true }).click();
  await page.getByRole("combobox", { name: "Category (x-axis): Column", exact: true }).click();
  await page.getByRole("option", { name: "Billing country", exact: true }).click();
  await page.getByRole("combobox", { name: "Values (y-axis): Column", exact: true }).click();
  await page.getByRole("option", { name: "Number of rows", exact: true }).click();
  await page.getByLabel("Show at most").fill("3");
  await page.getByText(/more are in Other/).waitFor();
  await page.getByRole("button", { name: "Save as a card…" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as a card" });
  await expect.poll(() => dialog.getByLabel("Display name").inputValue()).toMatch(/ by Billing country$/);
  await dialog.getByLabel("Display name").fill(CARD);
  await dialog.getByRole("button", { name: "Add to dashboard" }).click();
  await page.getByRole("region", { name: CARD }).waitFor();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish dashboard" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith("/draft"));

  const all = await atRest();
  const { country, count } = await chooseFirst(page, "Enter");
  await page
    .getByRole("button", { name: new RegExp(`^Filter the dashboard by .*country is ${country}$`, "i") })
    .press("Enter");
  await chip(page, country).waitFor();
  await expect.poll(() => shownTotal(page)).toBe(count);
  await admin.isSound();
  // A copied link opens filtered; Back takes the filter away.
  const copied = page.url();
  await page.goBack();
  await expect.poll(() => shownTotal(page)).toBe(all);
  await page.goto(copied);
  await chip(page, country).waitFor();
  await expect.poll(() => shownTotal(page)).toBe(count);
  await chip(page, country).click();
  await expect.poll(() => shownTotal(page)).toBe(all);
});

test("an outsider filters the shared dashboard, and takes it away by Escape", async () => {
  const id = /insights-studio\/(\w{24})/.exec(page.url())?.[1] ?? "";
  await page.getByRole("button", { name: "Share with", exact: true }).click();
  await page.locator("main input").first().fill(GUEST);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Share dashboard" }).click();
  await page
    .getByText(/insightssharing/)
    .first()
    .waitFor();
  const words = (await page.locator("main").textContent()) ?? "";
  const link = /\/insightssharing\/user\/[\w-]+\/dashboard\/\w{24}/.exec(words)?.[0] ?? "";
  expect(link).toContain(id);
  const codes = await page.locator("main code").allTextContents();
  const password = codes.find((text) => !text.includes("/"));
  const guest = await newVisitor(demo.browser, demo.product.url);
  await guest.open(link);
  await guest.page.getByLabel("Password", { exact: true }).fill(password ?? "");
  await guest.page.getByRole("button", { name: "Open dashboard" }).click();
  await guest.page.getByRole("region", { name: CARD }).waitFor();
  await expect.poll(() => shownTotal(guest.page)).toBeGreaterThan(0);
  const all = await shownTotal(guest.page);
  const { country, count } = await chooseFirst(guest.page, "Enter");
  await chip(guest.page, country).waitFor();
  await expect.poll(() => shownTotal(guest.page)).toBe(count);
  await guest.isSound();
  await guest.page.keyboard.press("Escape");
  await guest.page.keyboard.press("Escape");
  await expect.poll(() => shownTotal(guest.page)).toBe(all);
  await guest.context.close();
});
