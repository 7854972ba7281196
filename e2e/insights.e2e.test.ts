/** Insights studio as its builder uses it: dashboards in two versions, the card wizard, datasets and their variables. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenProduct, openDemo } from "./kit/open-product.ts";
import type { Product } from "./kit/product.ts";
import { newVisitor, type Visitor } from "./kit/visitor.ts";

let demo: OpenProduct;
let product: Product;
let browser: Browser;
let admin: Visitor;
let page: Page;
/** The demo's dashboard on accounts. */
let accounts: string;

const BOARD = "Accounts in agreement";
const GUEST = "noa@partner.example";

interface Listed {
  id: string;
  displayName: string;
  draftStatus: string;
  draft: string | null;
}

async function read<Reply>(path: string): Promise<Reply> {
  return (await page.request.get(`${product.url}/api/v1${path}`)).json();
}
const listed = async (name: string) =>
  (await read<{ dashboards: Listed[] }>("/dashboards")).dashboards.find(({ displayName }) => displayName === name);

/** The words of the newest mail to the guest, from the outbox. */
async function newestMail(): Promise<string> {
  const { mails } = await read<{ mails: { id: string; to: string }[] }>("/mails");
  return JSON.stringify(await read(`/mails/${mails.find(({ to }) => to === GUEST)?.id}`));
}

beforeAll(async () => {
  demo = await openDemo();
  ({ product, browser, admin } = demo);
  page = admin.page;
  await admin.open("/insights-studio");
  await page.getByText(BOARD, { exact: true }).first().waitFor({ timeout: 60_000 });
  accounts = (await listed(BOARD))?.id ?? "";
});
afterAll(async () => {
  await demo?.close();
});

const toolbar = (name: string): Locator => page.getByRole("button", { name, exact: true });
const more = async (item: string): Promise<void> => {
  await toolbar("More").click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};
const version = (name: "Draft" | "Published"): Locator => page.getByRole("radio", { name, exact: true });
const heading = (name: string): Promise<void> => page.getByRole("heading", { name, level: 1, exact: true }).waitFor();

const chooseType = (name: string): Promise<void> => page.getByRole("radio", { name, exact: true }).click();
/** The wizard for a new card on the draft, at its last step, on the dataset of accounts. */
async function newCard(name: string): Promise<void> {
  await admin.open(`/insights-studio/${accounts}/draft/datacard/new`);
  await page.getByLabel("Display name").fill(name);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("radio", { name: "Use an existing dataset" }).click();
  await page.getByRole("combobox", { name: "Dataset" }).click();
  await page.getByRole("option", { name: /^Accounts \(/ }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await chooseType("Column");
  await page.getByRole("combobox", { name: "Category (x-axis): Column" }).waitFor();
}
async function choose(select: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: select, exact: true }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}
async function offered(select: string): Promise<string[]> {
  await page.getByRole("combobox", { name: select, exact: true }).click();
  await page.getByRole("option").first().waitFor();
  const names = await page.getByRole("option").allTextContents();
  await page.keyboard.press("Escape");
  return names;
}

test("[INS-122] the studio asks who is there; without a session it leads to sign-in and back", async () => {
  const stranger = await newVisitor(browser, product.url);
  const isUser = (answer: { url: () => string }) => new URL(answer.url()).pathname === "/api/v1/user";
  const refused = stranger.page.waitForResponse(isUser);
  await stranger.open("/insights-studio");
  expect((await refused).status()).toBe(401);
  await stranger.page.waitForURL((url) => url.pathname === "/login");
  expect(await stranger.page.getByText(BOARD, { exact: true }).count()).toBe(0);
  const answered = stranger.page.waitForResponse((answer) => isUser(answer) && answer.ok());
  await stranger.signIn();
  await answered;
  await stranger.page.waitForURL((url) => url.pathname === "/insights-studio");
  await stranger.page.getByRole("link", { name: BOARD }).waitFor();
  await stranger.isSound();
  await stranger.context.close();
});

test("[INS-006] [INS-024] the home opens cold with its dashboards; a version that isn't there can't be chosen", async () => {
  await admin.open("/insights-studio");
  await page.getByRole("link", { name: BOARD }).waitFor();
  await admin.isSound();
  await page.getByRole("link", { name: BOARD }).click();
  await heading(BOARD);
  await expect.poll(() => version("Draft").isDisabled()).toBe(true);
  expect(await version("Published").isChecked()).toBe(true);
  await admin.isSound();
});

test("[INS-024] [INS-025] [INS-026] a dashboard keeps its words; a refused one says why in the drawer and loses nothing", async () => {
  const fill = async (displayName: string, name: string) => {
    await admin.open("/insights-studio");
    await page.getByRole("button", { name: "New dashboard" }).click();
    const drawer = page.getByRole("dialog", { name: "New dashboard" });
    await drawer.getByLabel("Display name").fill(displayName);
    await drawer.getByRole("textbox", { name: "Name", exact: true }).fill(name);
    await drawer.getByLabel("Description").fill("What the board wants to know");
    await drawer.getByLabel("Tags").fill("board");
    await page.keyboard.press("Enter");
    await drawer.getByRole("button", { name: "Create" }).click();
    return drawer;
  };
  await fill("Board meeting", "board_meeting");
  await heading("Board meeting");
  // It was never published: there is no such version.
  expect(await version("Published").isDisabled()).toBe(true);
  await more("Settings");
  const settings = page.getByRole("dialog", { name: "Dashboard settings" });
  expect(await settings.getByLabel("Display name").inputValue()).toBe("Board meeting");
  expect(await settings.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("board_meeting");
  expect(await settings.getByLabel("Description").inputValue()).toBe("What the board wants to know");
  await settings.getByText("board", { exact: true }).waitFor();
  await admin.isSound();

  const refused = await fill("Another meeting", "board_meeting");
  await refused.getByRole("alert").or(refused.locator(".mantine-InputWrapper-error")).first().waitFor();
  expect(await refused.getByLabel("Display name").inputValue()).toBe("Another meeting");
  expect(await refused.getByLabel("Description").inputValue()).toBe("What the board wants to know");
  await admin.isSound();
});

test("[INS-007] [INS-008] [INS-023] [INS-080] a draft has its own address and changes nothing until its publishing is confirmed", async () => {
  await admin.open(`/insights-studio/${accounts}`);
  await toolbar("Create draft").click();
  await page.waitForURL(/\/draft$/);
  await more("Settings");
  const settings = page.getByRole("dialog", { name: "Dashboard settings" });
  await settings.getByLabel("Display name").fill("Accounts, rethought");
  await settings.getByRole("button", { name: "Save" }).click();
  await heading("Accounts, rethought");

  await admin.open(`/insights-studio/${accounts}`);
  await heading(BOARD);
  await admin.open(`/insights-studio/${accounts}/published`);
  await heading(BOARD);
  await admin.open(`/insights-studio/${accounts}/draft`);
  await heading("Accounts, rethought");
  await page.getByRole("main").getByText("Draft", { exact: true }).first().waitFor();
  await admin.open(`/insights-studio/${accounts}/yesterday`);
  await heading("This page doesn't exist");

  await admin.open(`/insights-studio/${accounts}/draft`);
  await toolbar("Publish").click();
  const dialog = page.getByRole("dialog", { name: "Publish this dashboard?" });
  await admin.isSound();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await listed(BOARD))?.draftStatus).toBe("APPROVED");
  await toolbar("Publish").click();
  await dialog.getByRole("button", { name: "Publish dashboard" }).click();
  await page.waitForURL((url) => url.pathname === `/insights-studio/${accounts}`);
  await page.getByText("Published", { exact: true }).first().waitFor();
  await heading("Accounts, rethought");
  expect(await listed("Accounts, rethought")).toMatchObject({ id: accounts, draftStatus: "APPROVED", draft: null });
});

test("[INS-042] [INS-094] [INS-095] [INS-097] the wizard has three named steps and says what each one lacks", async () => {
  await admin.open(`/insights-studio/${accounts}`);
  await toolbar("Create draft").click();
  await page.waitForURL(/\/draft$/);
  await admin.open(`/insights-studio/${accounts}/draft/datacard/new`);
  const steps = page.getByRole("list").filter({ hasText: "Dataset configuration" });
  await expect
    .poll(async () => (await steps.getByRole("listitem").allTextContents()).map((text) => text.replace(/^\d/, "")))
    .toEqual(["Basic", "Dataset configuration", "Data card configuration"]);
  const next = page.getByRole("button", { name: "Next" });
  await next.click();
  await page.getByText("Display name cannot be empty.").waitFor();
  await page.getByLabel("Display name").fill("Where they are");
  await next.click();
  await page.getByRole("radio", { name: "Make a new dataset" }).click();
  await next.click();
  await page.getByText("Select Data cannot be empty.").waitFor();
  await page.getByRole("radio", { name: "Use an existing dataset" }).click();
  await next.click();
  await page.getByText("Select existing Data set cannot be empty.").waitFor();
  await admin.isSound();
});

test("[INS-105] [INS-106] [INS-107] [INS-108] [INS-144] a card's form offers what fits, and asks before it drops a series", async () => {
  await newCard("Revenue");
  const preview = page.locator(".ac-card-preview__box");
  await expect.poll(() => preview.evaluate((box) => Number.parseFloat(getComputedStyle(box).height))).toBe(300);
  const values = "Values (y-axis): Column";
  expect((await offered(values)).toSorted()).toEqual(["Annual revenue", "Employees", "Number of rows"]);

  await choose("Category (x-axis): Column", "Industry");
  await choose(values, "Annual revenue");
  await choose("Series: Column", "Status");
  await page.getByRole("button", { name: "Add a value" }).click();
  const asked = page.getByRole("dialog", { name: "Replace the series?" });
  await admin.isSound();
  await asked.getByRole("button", { name: "Cancel" }).click();
  await asked.waitFor({ state: "detached" });
  expect(await page.getByRole("combobox", { name: "Series: Column" }).inputValue()).toBe("Status");
  expect(await page.getByRole("combobox", { name: values }).count()).toBe(1);
  await page.getByRole("button", { name: "Add a value" }).click();
  await asked.getByRole("button", { name: "Remove series and add value" }).click();
  await expect.poll(() => page.getByRole("combobox", { name: values }).count()).toBe(2);
  await expect.poll(() => page.getByRole("combobox", { name: "Series: Column" }).isDisabled()).toBe(true);

  await chooseType("Metric");
  expect((await offered("Columns: Column")).toSorted()).toEqual(["Annual revenue", "Employees", "Number of rows"]);
  await chooseType("Funnel");
  expect((await offered("Measure: Column")).toSorted()).toEqual(["Annual revenue", "Employees", "Number of rows"]);
  // On a card that has no category yet, since a card that changes its type keeps the one it has.
  await newCard("Shares");
  await chooseType("Donut");
  const sub = page.getByRole("combobox", { name: "Sub-category: Column" });
  await expect.poll(() => sub.isDisabled()).toBe(true);
  await choose("Category: Column", "Industry");
  await expect.poll(() => sub.isDisabled()).toBe(false);
  await admin.isSound();
});

test("[INS-103] the wizard can't be left while ranges contradict themselves", async () => {
  await newCard("Revenue in ranges");
  await chooseType("Gauge");
  await choose("Columns: Column", "Annual revenue");
  const range = (label: string) => page.getByRole("textbox", { name: label, exact: true }).first();
  await range("Name").fill("On plan");
  await range("From").fill("100");
  await range("To").fill("10");
  const finish = page.getByRole("button", { name: "Add to dashboard" });
  await expect.poll(() => finish.isDisabled()).toBe(true);
  await range("To").fill("1000");
  await expect.poll(() => finish.isDisabled()).toBe(false);
});

test("[INS-009] [INS-010] a card is edited and copied at its own address, and keeps what was saved", async () => {
  const cardsOf = async (id: string) =>
    (await read<{ cards: { id: string; displayName: string }[] }>(`/dashboards/${id}`)).cards;
  const draft = (await listed("Accounts, rethought"))?.draft ?? "";
  const card = (await cardsOf(accounts)).find(({ displayName }) => displayName === "Countries");
  const at = `/insights-studio/${accounts}/draft/datacard/${card?.id}`;
  await admin.open(at);
  const shownAs = page.getByRole("textbox", { name: "Columns: Shown as" });
  await expect.poll(() => shownAs.inputValue()).toBe("with customers");
  await shownAs.fill("on the map");
  await page.getByRole("button", { name: "Save card" }).click();
  await page.waitForURL(/\/draft$/);
  await admin.open(at);
  await expect.poll(() => shownAs.inputValue()).toBe("on the map");

  const before = (await cardsOf(draft)).length;
  await admin.open(`${at}/copy`);
  await page.getByRole("button", { name: /Save card/ }).click();
  await page.waitForURL(/\/draft$/);
  const named = async () =>
    (await read<{ dataCards: { displayName: string }[] }>("/datacards")).dataCards.filter(
      ({ displayName }) => displayName === "Countries 2",
    ).length;
  expect(await named()).toBe(1);
  expect((await cardsOf(draft)).length).toBe(before);
  await admin.open(`${at}/copy-add`);
  await page.getByRole("button", { name: /Add to dashboard/ }).click();
  await page.waitForURL(/\/draft$/);
  await page.getByText("Data card added").waitFor();
  expect(await named()).toBe(2);
  expect((await cardsOf(draft)).map(({ displayName }) => displayName)).toContain("Countries 2");
  expect((await cardsOf(draft)).length).toBe(before + 1);
  await admin.open(at);
  await expect.poll(() => shownAs.inputValue()).toBe("on the map");
});

test("[INS-039] [INS-145] a card in full size takes the window's height less 300 and half or most of its width", async () => {
  await page.setViewportSize({ width: 1440, height: 1000 });
  await admin.open(`/insights-studio/${accounts}`);
  for (const [card, share] of [
    ["Accounts by country", 0.9],
    ["Employees", 0.5],
  ] as const) {
    await page.getByRole("button", { name: `Menu of ${card}`, exact: true }).click();
    await page.getByRole("menuitem", { name: "Full size" }).click();
    const dialog = page.getByRole("dialog", { name: card });
    await expect.poll(() => dialog.locator(".ac-full").evaluate((box) => box.getBoundingClientRect().height)).toBe(700);
    await expect
      .poll(() => dialog.evaluate((box) => Math.round(box.getBoundingClientRect().width)))
      .toBe(Math.round(1440 * share));
    await admin.isSound();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }
  expect(new URL(page.url()).pathname).toBe(`/insights-studio/${accounts}`);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("[INS-045] [INS-046] [INS-091] [INS-092] [INS-093] a dataset's variable is made and changed in a popover that stays until it is right", async () => {
  const { datasets } = await read<{ datasets: { id: string; displayName: string }[] }>("/datasets");
  await admin.open(`/insights-studio/datasets/${datasets.find(({ displayName }) => displayName === "Accounts")?.id}`);
  await page.getByRole("button", { name: "Add a variable" }).click();
  const save = page.getByRole("button", { name: "Save variable" });
  const form = page.getByRole("dialog").filter({ has: save });
  const name = form.getByRole("textbox", { name: "Display name" });
  const told = form.getByRole("alert");
  await save.click();
  await told.filter({ hasText: "A variable needs a display name." }).waitFor();
  await name.fill("a$b");
  await save.click();
  await told.filter({ hasText: "No special characters" }).waitFor();
  await name.fill("Country");
  await form.getByRole("checkbox", { name: "Required" }).click();
  await save.click();
  await told.filter({ hasText: "A required variable needs a default value." }).waitFor();
  await admin.isSound();
  await form.getByRole("textbox", { name: /Default value/ }).fill("DE");
  await save.click();
  await form.waitFor({ state: "detached" });
  await page.getByText("{{country}}").waitFor();

  await page.getByRole("button", { name: "Add a variable" }).click();
  await name.fill("country");
  await save.click();
  await told.filter({ hasText: "There is already a variable of this name." }).waitFor();
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Edit Country" }).click();
  await save.click();
  await form.waitFor({ state: "detached" });
});

/** The first rows alone, as many as a variable says, in an order that does not change. */
async function limitByVariable(rows: number): Promise<void> {
  await page.getByRole("button", { name: "Add a variable" }).click();
  const save = page.getByRole("button", { name: "Save variable" });
  const form = page.getByRole("dialog").filter({ has: save });
  await form.getByRole("textbox", { name: "Display name" }).fill("Top N rows");
  await form.getByRole("combobox", { name: "Type" }).click();
  await form.getByRole("option", { name: "integer" }).click();
  await form.getByRole("textbox", { name: /Default value/ }).fill(String(rows));
  await save.click();
  await form.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Add a sorting" }).click();
  await page.getByRole("textbox", { name: "Limit" }).fill("{{topNRows}}");
  await page.getByText(`${rows} rows`, { exact: true }).waitFor();
}
/** What a card says that it shows, without how it is used. */
async function numbersOf(visitor: Page, card: string): Promise<string> {
  const chart = visitor.getByRole("region", { name: card }).locator("p[hidden]");
  return ((await chart.textContent()) ?? "").split(" Arrow keys")[0] ?? "";
}
const totalOf = (numbers: string): number =>
  [...numbers.matchAll(/: ([\d,]+)/g)].reduce((sum, [, number = ""]) => sum + Number(number.replaceAll(",", "")), 0);

test("[INS-003] [INS-014] from nothing to a guest: a dataset, a card on it, a published dashboard, and the one it is shared with", async () => {
  await admin.open("/insights-studio");
  await page.getByRole("button", { name: "New dashboard" }).click();
  const drawer = page.getByRole("dialog", { name: "New dashboard" });
  await drawer.getByLabel("Display name").fill("For the partner");
  await drawer.getByRole("button", { name: "Create" }).click();
  await heading("For the partner");
  await page.getByRole("button", { name: "New card" }).click();
  await page.getByLabel("Display name").fill("Companies by country");
  const next = page.getByRole("button", { name: "Next" });
  await next.click();
  await page.getByRole("radio", { name: "Make a new dataset" }).click();
  await page.getByRole("button", { name: "Add data" }).click();
  await page.getByRole("menuitem", { name: "Account", exact: true }).click();
  await page.getByRole("checkbox", { name: "Billing country" }).waitFor();
  await next.click();
  await page.getByText("Select fields and calculated fields cannot be empty.").waitFor();
  await page.getByRole("checkbox", { name: "Billing country" }).click();
  await page.getByText(/^The first \d+ rows$/).waitFor();
  await limitByVariable(40);
  await admin.isSound();
  await next.click();
  await chooseType("Column");
  await choose("Category (x-axis): Column", "Billing country");
  await choose("Values (y-axis): Column", "Number of rows");
  await admin.isSound();
  await page.getByRole("button", { name: "Add to dashboard" }).click();
  await page.getByRole("region", { name: "Companies by country" }).waitFor();
  await toolbar("Publish").click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish dashboard" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith("/draft"));
  const shared = new URL(page.url()).pathname;
  const card = "Companies by country";
  await expect.poll(async () => totalOf(await numbersOf(page, card))).toBe(40);

  await toolbar("Share with").click();
  await page
    .getByRole("combobox", { name: "E-mail addresses" })
    .or(page.locator("main input").first())
    .first()
    .fill(GUEST);
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: "With a code by e-mail" }).click();
  await page.getByRole("button", { name: "Share dashboard" }).click();
  await page
    .getByText(/insightssharing/)
    .first()
    .waitFor();
  await admin.open(`${shared}/published/sharing-details`);
  await page.getByText(GUEST).first().waitFor();
  await admin.isSound();
  const mailedLink = async () => /\/insightssharing\/[^\s"\\<]+/.exec(await newestMail())?.[0];
  const mailedCode = async () => /code is (\d{6})/.exec(await newestMail())?.[1];
  await expect.poll(mailedLink).toBeDefined();
  const link = (await mailedLink()) ?? "";
  const guest = await newVisitor(browser, product.url);
  await guest.open(link);
  await guest.page.getByRole("button", { name: "Mail me a code instead" }).click();
  // Mails are written after the answer.
  await expect.poll(mailedCode).toBeDefined();
  const first = await mailedCode();
  await guest.page.getByLabel("Code").fill("000000");
  await guest.page.getByRole("button", { name: "Open dashboard" }).click();
  await guest.page.getByText("No mail to you has this code", { exact: false }).waitFor();
  await guest.page.getByRole("button", { name: "Mail me another code" }).click();
  await guest.page.getByRole("alert").waitFor({ state: "detached" });
  await expect.poll(async () => ![undefined, first].includes(await mailedCode())).toBe(true);
  await guest.page.getByLabel("Code").fill((await mailedCode()) ?? "");
  await guest.page.getByRole("button", { name: "Open dashboard" }).click();
  await guest.page.getByRole("region", { name: card }).waitFor();
  await admin.open(shared);
  // Records change meanwhile: both follow.
  const differs = async () => (await numbersOf(guest.page, card)) !== (await numbersOf(page, card));
  await expect.poll(differs).toBe(false);
  expect(totalOf(await numbersOf(guest.page, card))).toBe(40);
  await guest.isSound();
  await guest.page.emulateMedia({ media: "print" });
  await guest.page.getByRole("button").filter({ visible: true }).first().waitFor({ state: "detached" });
  await guest.page.getByRole("heading", { level: 1 }).waitFor();
  await guest.page.emulateMedia({ media: null });
  await guest.page.getByRole("button", { name: "Print or save as PDF" }).waitFor();
  await guest.context.close();
});
