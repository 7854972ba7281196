/** Builds the fifteen nodes of a pipeline: the same steps by keyboard or by mouse, and how nodes are added by keyboard. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { hasFocus, type Hand, type Keyboard } from "./hands.ts";
import { draftIsStored, type MeantGraph } from "./stored-draft.ts";

export interface Builder {
  hand: Hand;
  /** Adds what is found by typing behind a node, by one of its ways out, and enters the form of what is new. */
  add(after: string, branch: string | null, wanted: string, made: string): Promise<void>;
  /** Opens the form of a node. */
  enter(label: string): Promise<void>;
  /** Selects these nodes and no others. */
  select(labels: readonly string[]): Promise<void>;
}

export const node = (page: Page, label: string): Locator => page.getByRole("group", { name: label, exact: true });
const quickAdd = (page: Page): Locator => page.getByRole("dialog", { name: "Add a node" });
/** The form beside the graph. */
export const form = (page: Page): Locator => page.getByRole("complementary", { name: /^Configure / });
export const isSelected = (page: Page, label: string): Promise<void> =>
  page.locator(`.react-flow__node-pipeline.selected[aria-label="${label}"]`).waitFor();

/** A connection to a node that is there already adds no node: the focus goes to where it leads. */
export const isConnection = (wanted: string): boolean => wanted.startsWith("connect to");

export async function typeAndTake(page: Page, wanted: string): Promise<void> {
  const search = quickAdd(page).getByRole("textbox");
  await expect.poll(() => hasFocus(search)).toBe(true);
  await page.keyboard.type(wanted);
  await quickAdd(page).locator("[data-entry]").first().waitFor();
  await page.keyboard.press("Enter");
}

export function buildingByKeyboard(page: Page, hand: Keyboard): Builder {
  const goTo = async (label: string): Promise<void> => {
    if (await hasFocus(node(page, label))) return;
    await hand.keys("Control+f");
    await expect.poll(() => hasFocus(page.getByRole("textbox", { name: "Find a node" }))).toBe(true);
    await hand.type(label);
    await hand.keys("Enter");
    await expect.poll(() => hasFocus(node(page, label))).toBe(true);
  };
  const enter = async (label: string): Promise<void> => {
    await goTo(label);
    await hand.keys("Enter");
    await expect.poll(() => form(page).evaluate((panel) => panel.contains(document.activeElement))).toBe(true);
  };
  return {
    hand,
    enter,
    // The key adds behind the first branch that nothing leaves by yet: branches come in their order, and the stored
    // draft shows by which of them each node was added.
    add: async (after, _branch, wanted, made) => {
      // Esc leaves the form for its node.
      if (!(await hasFocus(node(page, after)))) await hand.keys("Escape");
      await goTo(after);
      await hand.keys("a");
      await typeAndTake(page, wanted);
      await expect.poll(() => hasFocus(node(page, made))).toBe(true);
      if (isConnection(wanted)) return;
      await isSelected(page, made);
      await enter(made);
    },
    select: async ([first = "", ...others]) => {
      await hand.keys("Escape");
      await goTo(first);
      for (const other of others) {
        await hand.tabTo(node(page, other));
        await hand.keys("Control+Space");
        await isSelected(page, other);
      }
    },
  };
}

interface Condition {
  field: string;
  /** By what the comparison is found; "equals" where it is absent. */
  comparison?: string;
  value?: string;
}

/** From the button on everything is typed. */
async function addCondition(page: Page, hand: Hand, { field, comparison, value }: Condition): Promise<void> {
  await hand.press(form(page).getByRole("button", { name: "Add condition" }).last());
  await expect.poll(() => hasFocus(form(page).getByRole("combobox", { name: "Field", exact: true }).last())).toBe(true);
  const { keyboard } = page;
  await keyboard.type(field);
  await keyboard.press("Enter");
  await keyboard.press("Tab");
  if (comparison) {
    await keyboard.type(comparison);
    await keyboard.press("Enter");
  }
  if (!value) return;
  await keyboard.press("Tab");
  await keyboard.type(value);
  await keyboard.press("Tab");
}

/** A token is taken from what typing two braces offers. */
async function typeToken(page: Page, token: string, rest = ""): Promise<void> {
  await page.keyboard.type(`{{${token}`);
  await page
    .getByRole("option", { name: new RegExp(token, "i") })
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type(rest);
}

async function setValue(page: Page, hand: Hand, field: string, token: string, rest?: string): Promise<void> {
  await hand.find(form(page).getByRole("combobox", { name: "Field", exact: true }), field);
  await page.keyboard.press("Tab");
  await typeToken(page, token, rest);
}

async function addCase(page: Page, hand: Hand, name: string, condition: Condition): Promise<void> {
  await hand.press(form(page).getByRole("button", { name: "Add case" }));
  await page.keyboard.type(name);
  await addCondition(page, hand, condition);
}

/** From the three nodes that a new pipeline begins with to fifteen: a filter, cases, a loop in a group, and a destination. */
export async function buildFifteenNodes(page: Page, builder: Builder, destination: string): Promise<void> {
  const { hand, add, enter, select } = builder;
  await enter("Billing Customers");
  const source = form(page);
  await hand.choose(source.getByRole("combobox", { name: "Look for changes" }), "At an interval");
  await hand.fill(source.getByRole("textbox", { name: "Every", exact: true }), "3");
  await hand.choose(source.getByRole("combobox", { name: "Unit" }), "Seconds");

  await add("Billing Customers", null, "filter", "Filter");
  await addCondition(page, hand, { field: "country", value: "SE" });
  await add("Filter", null, "split text", "Split text");
  await hand.fill(form(page).getByRole("textbox", { name: "Value", exact: true }), "");
  await typeToken(page, "city");
  await add("Split text", null, "for each", "For each");
  await add("For each", "Each item", "upper case", "Upper case");
  await add("End loop", "After the loop", "join list", "Join list");
  await add("Join list", null, "set value", "Set value");
  await setValue(page, hand, "city", "join");

  await add("Filter", null, "case", "Case");
  await addCase(page, hand, "Closed", { field: "status", value: "closed" });
  await addCase(page, hand, "On hold", { field: "status", value: "on_hold" });
  await add("Case", "Closed", "set value", "Set value 1");
  await setValue(page, hand, "name", "name", " (closed)");
  await add("Set value 1", null, "connect to split text", "Split text");
  await add("Case", "On hold", "set value", "Set value 2");
  await setValue(page, hand, "name", "name", " (on hold)");
  await add("Set value 2", null, "connect to split text", "Split text");

  await add("Customers", null, "filter", "Filter 1");
  await addCondition(page, hand, { field: "email", comparison: "not blank" });
  await add("Filter 1", null, destination, destination);
  await hand.press(form(page).getByRole("button", { name: "Map matching fields" }));
  await form(page)
    .getByText(/no field is mapped/)
    .waitFor({ state: "detached" });

  await select(["For each", "Upper case", "End loop"]);
  await groupSelection(page, hand, "City in capitals");
  await draftIsStored(page, meantGraph(destination));
}

const meantGraph = (destination: string): MeantGraph => ({
  edges: [
    "Billing Customers → Filter",
    "Filter → Case",
    "Case (Default) → Split text",
    "Case (Closed) → Set value 1",
    "Case (On hold) → Set value 2",
    "Set value 1 → Split text",
    "Set value 2 → Split text",
    "Split text → For each",
    "For each → Upper case",
    "Upper case → End loop",
    "End loop → For each",
    "End loop → Join list",
    "Join list → Set value",
    "Set value → Match records",
    "Match records → Customers",
    "Customers → Filter 1",
    `Filter 1 → ${destination}`,
  ],
  group: { name: "City in capitals", members: ["For each", "Upper case", "End loop"] },
});

async function groupSelection(page: Page, hand: Hand, name: string): Promise<void> {
  if ("tabTo" in hand) await page.keyboard.press("Control+g");
  else await hand.press(page.getByRole("toolbar", { name: "Selected nodes" }).getByRole("button", { name: "Group" }));
  const dialog = page.getByRole("dialog", { name: "Create group" });
  await expect.poll(() => hasFocus(dialog.getByRole("textbox", { name: "Name of the group" }))).toBe(true);
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: new RegExp(name) }).waitFor();
}

/** The way of one field to the destination gets a function of its own. */
export async function addFieldPipeline(page: Page, builder: Builder, destination: string): Promise<void> {
  const { hand, add, enter } = builder;
  await enter(destination);
  await hand.press(form(page).getByRole("link", { name: /^Field pipeline of City/ }));
  const create = page.getByRole("button", { name: "Create field pipeline" });
  await expect.poll(() => hasFocus(create)).toBe(true);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "City: field pipeline" }).waitFor();
  await node(page, "City").waitFor();
  await add("City", null, "trim", "Trim");
  await page
    .getByRole("status")
    .filter({ hasText: /^Saved$/ })
    .waitFor();
  await hand.press(page.getByRole("button", { name: "Mark as ready" }));
  const marked = page.getByRole("button", { name: "Mark as not ready" });
  await marked.waitFor();
  expect(await hasFocus(marked)).toBe(true);
  await hand.press(page.getByRole("link", { name: `Back to ${destination}` }));
  await page.getByRole("heading", { name: "Customers pipeline" }).waitFor();
}
