/** Building a pipeline by hand: fifteen nodes with the mouse, and with the keyboard alone; what was built can be read, and is saved by itself. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { API_PREFIX, CSRF } from "@accord/contracts";
import { type OpenProduct, openDemo } from "./kit/open-product.ts";
import type { Product } from "./kit/product.ts";
import type { Visitor } from "./kit/visitor.ts";

let demo: OpenProduct;
let product: Product;
let user: Visitor;
let page: Page;
/** Presses, drags and hovers: what a hand does. */
let pointerActions = 0;

beforeAll(async () => {
  demo = await openDemo();
  ({ product, admin: user } = demo);
  page = user.page;
});
afterAll(async () => {
  await demo?.close();
});

const node = (name: string): Locator => page.getByRole("group", { name, exact: true });
const quickAdd = (): Locator => page.getByRole("dialog", { name: "Add a node" });
const cards = (): Locator => page.locator(".react-flow__node-pipeline");
const edges = (): Promise<(string | null)[]> =>
  page.locator(".react-flow__edge").evaluateAll((all) => all.map((edge) => edge.getAttribute("aria-label")));
const isSaved = (): Promise<void> =>
  page
    .getByRole("status")
    .filter({ hasText: /^Saved$/ })
    .waitFor();

const isFocused = (input: Locator): Promise<void> => input.and(page.locator(":focus")).waitFor();
const chosen = async (): Promise<Set<string | null>> => {
  const selected = page.locator(".react-flow__node-pipeline.selected");
  return new Set(await selected.evaluateAll((all) => all.map((element) => element.getAttribute("aria-label"))));
};
/** Presses a node, and waits until it alone is selected: keys are about what is. */
async function choose(name: string): Promise<void> {
  await node(name).click();
  await expect.poll(chosen).toEqual(new Set([name]));
}

/** The empty draft of an entity that has no pipeline yet. */
async function openEmptyDraft(): Promise<void> {
  const { rows } = (await (await page.request.get(`${product.url}${API_PREFIX}/pipelines?pageSize=100`)).json()) as {
    rows: { id: string; pipelineStatus: string }[];
  };
  const id = rows.find(({ pipelineStatus }) => pipelineStatus === "UNMAPPED")?.id ?? "";
  const cookies = await user.context.cookies();
  const token = decodeURIComponent(cookies.find(({ name }) => name === CSRF.cookie)?.value ?? "");
  const headers = { [CSRF.header]: token };
  await page.request.post(`${product.url}${API_PREFIX}/pipelines/${id}/draft`, { data: {}, headers });
  await user.open(`/sync-studio/entity/${id}/pipeline/draft`);
  await cards().first().waitFor();
}

/** The view has come to rest: it glides when something is added, when a panel opens, and when all is shown. */
async function atRest(): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const view = document.querySelector(".react-flow__viewport");
        const places = new Set<string>();
        for (let frame = 0; frame < 15; frame++) {
          await new Promise((done) => requestAnimationFrame(done));
          places.add(view?.getAttribute("style") ?? "");
        }
        return places.size;
      }),
    )
    .toBe(1);
}

/** All of the graph, however large it has become. */
async function showEverything(): Promise<void> {
  await press(page.getByRole("button", { name: /^Show everything/ }));
  await atRest();
}

async function press(what: Locator): Promise<void> {
  await what.click();
  pointerActions++;
}

/** Presses the "+" at a node's way out; where something follows already it is there for whoever points at the node. */
async function pressPlus(after: string, branch: string | null): Promise<void> {
  const name = branch ? `Add a node after ${after}, ${branch}` : `Add a node after ${after}`;
  const plus = page.getByRole("button", { name, exact: true });
  if ((await plus.getAttribute("data-used")) !== null) {
    await node(after).hover();
    pointerActions++;
  }
  await press(plus);
}

/** Adds what is found by typing behind a node. */
async function add(after: string, branch: string | null, wanted: string, made: string): Promise<void> {
  await pressPlus(after, branch);
  await quickAdd().getByRole("textbox").fill(wanted);
  await quickAdd().locator("[data-entry]").first().waitFor();
  await quickAdd().getByRole("textbox").press("Enter");
  await node(made).waitFor();
}

async function addDestination(after: string, branch: string, system: string, entity: string): Promise<void> {
  await pressPlus(after, branch);
  await quickAdd().getByRole("textbox").fill(`${system} ${entity}`);
  await press(quickAdd().getByRole("button", { name: `Add ${entity} of ${system} as a destination` }));
}

/** Pairs of cards that lie on each other. */
async function overlaps(): Promise<string[]> {
  const boxes = await cards().evaluateAll((all) =>
    all.map((card) => ({ name: card.getAttribute("aria-label"), box: card.getBoundingClientRect().toJSON() })),
  );
  return boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter(
        ({ box }) =>
          a.box.left < box.right && box.left < a.box.right && a.box.top < box.bottom && box.top < a.box.bottom,
      )
      .map((b) => `${a.name} on ${b.name}`),
  );
}

/** Text on the graph whose size on screen is below 12 px. */
const smallTexts = (): Promise<string[]> =>
  page.locator(".react-flow__viewport").evaluate((view) => {
    const card = view.querySelector<HTMLElement>(".ac-node");
    const zoom = card ? card.getBoundingClientRect().width / card.offsetWidth : 0;
    const isText = (element: Element): boolean =>
      [...element.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent?.trim() !== "");
    const scaled = (element: Element): number => {
      const { a } = new DOMMatrix(getComputedStyle(element).transform);
      return element.parentElement && element !== view ? a * scaled(element.parentElement) : 1;
    };
    return [...view.querySelectorAll("*")]
      .filter((element) => isText(element) && element.getClientRects().length > 0)
      .map((element) => ({
        text: element.textContent ?? "",
        px: Number.parseFloat(getComputedStyle(element).fontSize) * zoom * scaled(element),
      }))
      .filter(({ px }) => px < 11.95)
      .map(({ text, px }) => `${text}: ${px.toFixed(1)} px`);
  });

/** Whether every card lies in the graph's area. */
async function allFit(): Promise<boolean> {
  const area = await page.locator(".ac-canvas").boundingBox();
  const seen = await cards().evaluateAll((all) => all.map((card) => card.getBoundingClientRect().toJSON()));
  return seen.every(
    ({ left, right, top, bottom }) =>
      area && left >= area.x && top >= area.y && right <= area.x + area.width && bottom <= area.y + area.height,
  );
}

async function entityOf(system: string): Promise<string> {
  const read = async (path: string) => (await page.request.get(`${product.url}${API_PREFIX}${path}`)).json();
  const { connectors } = (await read("/connectors")) as { connectors: { id: string; name: string }[] };
  const id = connectors.find(({ name }) => name === system)?.id;
  const { entities } = (await read(`/connectors/${id}/entities`)) as { entities: { displayName: string }[] };
  return entities[0]?.displayName ?? "";
}

const CORE = ".ac-node--core";

test("fifteen nodes are built with the mouse in fewer than sixty actions, none on another, and are saved by themselves", async () => {
  await openEmptyDraft();
  await user.isSound();
  const [billing, crm] = [await entityOf("Billing"), await entityOf("Harbor CRM")];
  const palette = page.getByRole("complementary", { name: "Palette" });
  await press(palette.getByRole("button", { name: /^Billing/, expanded: false }));
  await press(palette.getByRole("button", { name: `Add ${billing} of Billing as a source`, exact: true }));
  const source = `Billing ${billing}`;
  await node(source).waitFor();
  await add(source, null, "filter", "Filter");
  await add("Filter", null, "decision", "Decision");
  await add("Decision", "True", "set value", "Set value");
  await add("Decision", "False", "set value", "Set value 1");
  await showEverything();
  // A line may end anywhere on a node.
  const [from, core] = [
    await node("Set value 1").locator(".react-flow__handle-right").boundingBox(),
    await page.locator(CORE).boundingBox(),
  ];
  if (!from || !core) throw new Error("The nodes can't be seen");
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(core.x + core.width / 2, core.y + core.height * 0.8, { steps: 6 });
  await page.mouse.up();
  pointerActions++;
  await add("Set value", null, "split text", "Split text");
  await add("Split text", null, "for each", "For each");
  await add("For each", "Each item", "title case", "Title case");
  await showEverything();
  await add("End loop", "After the loop", "join list", "Join list");
  await add("Join list", null, "case", "Case");
  await showEverything();
  const name = (await page.locator(CORE).locator(".ac-node__label").textContent()) ?? "";
  await add(name, null, "decision", "Decision 1");
  await addDestination("Decision 1", "True", "Billing", billing);
  await addDestination("Decision 1", "False", "Harbor CRM", crm);
  await expect.poll(() => cards().count()).toBe(15);
  expect(pointerActions).toBeLessThanOrEqual(60);
  await expect.poll(overlaps).toEqual([]);
  await expect
    .poll(edges)
    .toEqual(
      expect.arrayContaining([
        "Connection from Decision, True, to Set value",
        "Connection from Decision, False, to Set value 1",
        `Connection from Set value 1 to ${name}`,
        "Connection from For each, Each item, to Title case",
        "Way back of the loop from End loop to For each",
        `Connection from Decision 1, False, to Harbor CRM ${crm}`,
      ]),
    );
  const names = await edges();
  await showEverything();
  await expect.poll(smallTexts).toEqual([]);
  await isSaved();
  await user.isSound();
  await page.reload();
  await expect.poll(() => cards().count()).toBe(15);
  await expect.poll(async () => new Set(await edges())).toEqual(new Set(names));
});

test("tidied up, all fifteen nodes fit a screen of 1440 × 900 with labels and summaries of at least 12 px, in both themes", async () => {
  await page.keyboard.press("t");
  await atRest();
  await expect.poll(overlaps).toEqual([]);
  const labels = page.locator(".react-flow__viewport .ac-node__label");
  const summaries = page.locator(".react-flow__viewport .ac-node__kind");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.keyboard.press("1");
    await atRest();
    await expect.poll(allFit).toBe(true);
    await expect.poll(smallTexts).toEqual([]);
    for (const texts of [labels, summaries])
      await expect
        .poll(() => texts.evaluateAll((all) => all.filter((each) => each.getClientRects().length > 0).length))
        .toBe(15);
    await user.isSound();
  }
  await page.emulateMedia({ colorScheme: "light" });
});

test("what a node lacks is said on it as soon as it is placed, and no longer once it is there", async () => {
  const problems = node("Set value 1").getByRole("img", { name: /problem/ });
  await problems.waitFor();
  await node("Set value 1").click();
  const panel = page.getByRole("complementary", { name: "Configure Set value" });
  await panel.getByText("Field is empty. Fill it in.", { exact: true }).waitFor();
});

test("what is typed in a panel is kept by Esc, another press and a reload, and one undo takes a field back", async () => {
  await page.keyboard.press("1");
  await node("Filter").click();
  const panel = page.getByRole("complementary", { name: "Configure Filter" });
  await panel.getByRole("textbox", { name: "Description" }).fill("Only some of them");
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await node("Split text").click();
  await page
    .getByRole("complementary", { name: "Configure Split text" })
    .getByLabel("Insert token: Value")
    .first()
    .click();
  const tokens = page.getByRole("listbox", { name: "Insert token: Value" });
  await tokens.waitFor();
  await page.keyboard.press("Escape");
  await tokens.waitFor({ state: "detached" });
  await page.getByRole("complementary", { name: "Configure Split text" }).waitFor();
  await page.reload();
  await node("Filter").click();
  await expect.poll(() => panel.getByRole("textbox", { name: "Description" }).inputValue()).toBe("Only some of them");
  await panel.getByRole("textbox", { name: "Description" }).fill("All of them");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => panel.getByRole("textbox", { name: "Description" }).inputValue()).toBe("Only some of them");
});

test("without a connection nothing is lost, the header says so, and everything is saved once it is back", async () => {
  await user.context.setOffline(true);
  const panel = page.getByRole("complementary", { name: "Configure Filter" });
  try {
    await panel.getByRole("textbox", { name: "Description" }).fill("Typed in a tunnel");
    await page.getByText(/^Save Failed:/).waitFor();
    await page.getByRole("button", { name: "Retry" }).waitFor();
  } finally {
    await user.context.setOffline(false);
  }
  await isSaved();
  await page.reload();
  await node("Filter").click();
  await expect.poll(() => panel.getByRole("textbox", { name: "Description" }).inputValue()).toBe("Typed in a tunnel");
});

test("fifteen nodes are built with the keyboard alone", async () => {
  await openEmptyDraft();
  const billing = await entityOf("Billing");
  const name = (await page.locator(CORE).locator(".ac-node__label").textContent()) ?? "";
  const addByKey = async (wanted: string, made: string): Promise<void> => {
    await page.keyboard.press("a");
    await isFocused(quickAdd().getByRole("textbox"));
    await page.keyboard.type(wanted);
    await quickAdd().locator("[data-entry]").first().waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(made);
  };
  const goTo = async (label: string): Promise<void> => {
    await page.keyboard.press("Control+f");
    await isFocused(page.getByRole("textbox", { name: "Find a node" }));
    await page.keyboard.type(label);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(label);
  };
  await addByKey(`billing ${billing}`, `Billing ${billing}`);
  await addByKey("filter", "Filter");
  await addByKey("decision", "Decision");
  await addByKey("set value", "Set value");
  await page.keyboard.press("F2");
  await isFocused(page.locator(".ac-node__rename"));
  await page.keyboard.type("Say no");
  await page.keyboard.press("Enter");
  await node("Say no").waitFor();
  await addByKey("upper case", "Upper case");
  await addByKey(`connect to ${name}`, name);
  await addByKey("clear value", "Clear value");
  await addByKey("split text", "Split text");
  await addByKey("for each", "For each");
  await addByKey("title case", "Title case");
  await goTo("End loop");
  await addByKey("join list", "Join list");
  await goTo("Filter");
  await addByKey("trim", "Trim");
  await addByKey("lower case", "Lower case");
  await addByKey("title case", "Title case 1");
  await expect.poll(() => cards().count()).toBe(15);
  await expect.poll(overlaps).toEqual([]);
  await page.keyboard.press("Control+a");
  await page.getByText("15 nodes selected").waitFor();
  expect(await page.evaluate(() => document.getSelection()?.toString())).toBe("");
  await goTo("Trim");
  await page.keyboard.press("Control+d");
  await node("Trim 1").waitFor();
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
  await node("Trim 2").waitFor();
  await page.keyboard.press("Delete");
  await node("Trim 2").waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await node("Trim 2").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("Add a node after the selected one").waitFor();
  await user.isSound();
  await page.keyboard.press("Escape");
  // Keys are its own until it is gone.
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await isSaved();
});

test("[SYN-062] copying says what was copied or why not, and what was copied can be pasted after a reload", async () => {
  await page.keyboard.press("1");
  await atRest();
  await choose(`Billing ${await entityOf("Billing")}`);
  await page.keyboard.press("Control+c");
  await page.getByText("Only functions and actions can be copied. Select at least one.").waitFor();
  await choose("Decision");
  await page.keyboard.press("Control+c");
  await page
    .getByText("A decision or loop can be copied only together with everything it is connected to.")
    .first()
    .waitFor();
  await choose("Trim");
  await node("Lower case").click({ modifiers: ["Control"] });
  await expect.poll(chosen).toEqual(new Set(["Trim", "Lower case"]));
  await page.keyboard.press("Control+c");
  await page.getByText("Copied 2 nodes and 1 edge").waitFor();
  await isSaved();
  const count = await cards().count();
  await page.reload();
  await expect.poll(() => cards().count()).toBe(count);
  await page.keyboard.press("Control+v");
  await page.getByText("Pasted 2 nodes").waitFor();
  await expect.poll(() => cards().count()).toBe(count + 2);
  await expect.poll(overlaps).toEqual([]);
  await page.keyboard.press("Control+z");
  await expect.poll(() => cards().count()).toBe(count);
});

test("[SYN-070] a loop start can't be connected to the core, and the reason is said", async () => {
  await page.keyboard.press("1");
  await atRest();
  const [from, core] = [
    await node("For each").locator(".react-flow__handle-right").first().boundingBox(),
    await page.locator(CORE).boundingBox(),
  ];
  if (!from || !core) throw new Error("The nodes can't be seen");
  const count = (await edges()).length;
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(core.x + core.width / 2, core.y + core.height / 2, { steps: 8 });
  await page.mouse.up();
  await page.getByText("A loop start leads to the functions inside the loop.").waitFor();
  expect((await edges()).length).toBe(count);
});
