/** A draft of a dashboard as its editor uses it: quick moves, what publishing changes, deleting it, and what is in use. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenProduct, openDemo } from "./kit/open-product.ts";
import type { Visitor } from "./kit/visitor.ts";

let demo: OpenProduct;
let admin: Visitor;
let page: Page;
let board: string;

const BOARD = "Accounts in agreement";
const CARD = "Countries";

interface Placed {
  id: string;
  layout: { h: number };
}
interface Stored {
  displayName: string;
  description: string;
  tags: string[];
  version: number;
  datasetConfig: object;
}
interface Open {
  dashboard: { draft: string | null; dataCards: Placed[] };
  cards: { id: string; displayName: string }[];
}
async function read<Reply>(path: string): Promise<Reply> {
  return (await page.request.get(`${demo.product.url}/api/v1${path}`)).json();
}
/** A call as the page makes it. */
const write = (method: "POST" | "PUT", path: string, body: object): Promise<number> =>
  page.evaluate(
    async ([at, how, text]) => {
      const token = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? "";
      const headers = { "Content-Type": "application/json", "x-csrf-token": token };
      return (await fetch(`/api/v1${at}`, { method: how, headers, body: text })).status;
    },
    [path, method, JSON.stringify(body)] as const,
  );
const open = (id: string) => read<Open>(`/dashboards/${id}`);
const toolbar = (name: string): Locator => page.getByRole("button", { name, exact: true });
const menu = async (target: string, item: string): Promise<void> => {
  await page.getByRole("button", { name: target, exact: true }).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};

beforeAll(async () => {
  demo = await openDemo();
  ({ admin } = demo);
  page = admin.page;
  await admin.open("/insights-studio");
  await page.getByText(BOARD, { exact: true }).first().waitFor({ timeout: 60_000 });
  const { dashboards } = await read<{ dashboards: { id: string; displayName: string }[] }>("/dashboards");
  board = dashboards.find(({ displayName }) => displayName === BOARD)?.id ?? "";
});
afterAll(async () => {
  await demo?.close();
});

test("quick arrow keys on a card's grip all count, without a conflict that nobody made", async () => {
  await admin.open(`/insights-studio/${board}`);
  await toolbar("Create draft").click();
  await page.waitForURL(/\/draft$/);
  const refused: string[] = [];
  page.on("response", (answer) => {
    if (answer.status() === 409) refused.push(answer.url());
  });
  const draft = (await open(board)).dashboard.draft ?? "";
  const cardId = (await open(draft)).cards.find(({ displayName }) => displayName === CARD)?.id;
  const height = async () => (await open(draft)).dashboard.dataCards.find(({ id }) => id === cardId)?.layout.h ?? 0;
  const before = await height();
  await page.getByRole("button", { name: new RegExp(`^Move ${CARD}`) }).focus();
  for (let press = 0; press < 5; press++) await page.keyboard.press("Shift+ArrowDown");
  await expect.poll(height).toBe(before + 5);
  expect(refused).toEqual([]);
  await admin.isSound();
});

test("the publish dialog says in words what changes, and deleting the draft brings all back as it was published", async () => {
  const cardId = (await open(board)).cards.find(({ displayName }) => displayName === CARD)?.id ?? "";
  const at = `/insights-studio/${board}/draft/datacard/${cardId}`;
  const shownAs = page.getByRole("textbox", { name: "Columns: Shown as" });
  await admin.open(at);
  await page.getByText(`Drafts that change with it at once: ${BOARD}.`).waitFor();
  await expect.poll(() => shownAs.inputValue()).not.toBe("");
  const before = await shownAs.inputValue();
  await shownAs.fill("on the map");
  await page.getByRole("button", { name: "Save card" }).click();
  await page.waitForURL(/\/draft$/);

  await toolbar("Publish").click();
  const dialog = page.getByRole("dialog", { name: "Publish this dashboard?" });
  await dialog.getByText(/resized, columns it shows changed/).waitFor();
  await dialog.getByRole("heading", { name: "Cards" }).waitFor();
  await admin.isSound();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });

  await menu("More", "Delete");
  const asked = page.getByRole("dialog", { name: "Delete this draft?" });
  await asked.getByText(CARD, { exact: true }).waitFor();
  expect(await asked.getByRole("checkbox", { name: "Set it back to what is published" }).isChecked()).toBe(true);
  await admin.isSound();
  await asked.getByRole("button", { name: "Delete draft" }).click();
  await page.waitForURL((url) => url.pathname === `/insights-studio/${board}`);
  await admin.open(at);
  await expect.poll(() => shownAs.inputValue()).toBe(before);
});

test("the lists of datasets and cards name the dashboards that use each; what is in use is not deleted", async () => {
  await admin.open("/insights-studio");
  await page.getByRole("link", { name: "Datasets", exact: true }).click();
  const datasets = page.getByRole("table", { name: "Datasets" }).or(page.getByRole("grid", { name: "Datasets" }));
  await datasets.getByText(BOARD).first().waitFor();
  await admin.isSound();
  await page.getByPlaceholder("Find a dataset").fill("Accounts");
  await datasets
    .getByRole("button", { name: /Accounts/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
  const refusal = page.getByRole("dialog", { name: "Delete the dataset “Accounts”?" });
  await refusal.getByText(`Card ${CARD}`).waitFor();
  await admin.isSound();
  await refusal.getByRole("button", { name: "Close", exact: true }).last().click();

  await admin.open("/insights-studio/cards?q=Countries");
  const cards = page.getByRole("table", { name: "Data cards" }).or(page.getByRole("grid", { name: "Data cards" }));
  await cards.getByText(BOARD).waitFor();
  await admin.isSound();
});

test("saving a dataset without a column that cards use names them first", async () => {
  const { datasets } = await read<{ datasets: { id: string; displayName: string }[] }>("/datasets");
  await admin.open(`/insights-studio/datasets/${datasets.find(({ displayName }) => displayName === "Accounts")?.id}`);
  await page
    .getByRole("checkbox", { name: /country$/i })
    .first()
    .click();
  await page.getByRole("button", { name: "Save dataset" }).click();
  const asked = page.getByRole("dialog", { name: "Save without what is in use?" });
  await asked.getByText(`Card ${CARD}`).waitFor();
  await admin.isSound();
  await asked.getByRole("button", { name: "Cancel" }).click();
  await asked.waitFor({ state: "detached" });
});

test("a signed-in viewer sets the variables that viewers may change, on the published page, and the cards follow", async () => {
  const { datasets } = await read<{ datasets: { id: string; displayName: string }[] }>("/datasets");
  const id = datasets.find(({ displayName }) => displayName === "Accounts")?.id ?? "";
  const { dataset } = await read<{ dataset: Stored }>(`/datasets/${id}`);
  const { displayName, description, tags, version, datasetConfig } = dataset;
  const variables = [{ apiName: "code", displayName: "Country code", datatype: "string", updatable: true }];
  await write("PUT", `/datasets/${id}`, {
    ...{ displayName, description, tags, version },
    datasetConfig: { ...datasetConfig, variables },
  });
  await write("POST", `/dashboards/${board}/publish`, {});
  await admin.open(`/insights-studio/${board}`);
  const asked = page.waitForRequest((request) => request.postData()?.includes('"code":"DE"') ?? false);
  await page.getByRole("textbox", { name: "Country code" }).fill("DE");
  expect((await asked).url()).toContain(`/dashboards/${board}/cards/`);
  await page.getByRole("button", { name: `Menu of ${CARD}`, exact: true }).click();
  await page.getByText(/^Data as of/).waitFor();
  await page.keyboard.press("Escape");
  await toolbar("Automatic refresh").click();
  await page.getByRole("menuitemradio", { name: "Every 5 minutes" }).click();
  await admin.open(`/insights-studio/${board}`);
  await toolbar("Automatic refresh").click();
  const chosen = page.getByRole("menuitemradio", { name: "Every 5 minutes" });
  await expect.poll(() => chosen.getAttribute("aria-checked")).toBe("true");
  await admin.isSound();
  await page.keyboard.press("Escape");
});

test("[INS-001] with Insights off the studio shows one sample and offers nothing, and all again once it is on", async () => {
  const turn = (how: "enable" | "disable") => write("POST", `/features/Insights/${how}`, {});
  await turn("disable");
  await admin.open("/insights-studio");
  await page.getByText("Insights is turned off for this instance").waitFor();
  await page.getByText("Sample dashboard").waitFor();
  expect(await page.getByRole("button", { name: "New dashboard" }).count()).toBe(0);
  await admin.isSound();
  await turn("enable");
  await admin.open("/insights-studio");
  await page.getByRole("link", { name: BOARD }).waitFor();
});
