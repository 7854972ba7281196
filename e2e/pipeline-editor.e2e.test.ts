/** The editor on the demo's pipeline: addresses of nodes, groups, the clipboard, positions, loops, and what flows through. */
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
let pipeline: string;

/** The first cycle reads and compares both systems as a whole. */
const FIRST_CYCLE = 150_000;

beforeAll(async () => {
  demo = await openDemo();
  ({ product, admin: user } = demo);
  page = user.page;
  const listed = await page.request.get(`${product.url}${API_PREFIX}/pipelines?pageSize=100`);
  const { rows } = (await listed.json()) as { rows: { id: string; name: string }[] };
  pipeline = rows.find(({ name }) => name === "Account")?.id ?? "";
});
afterAll(async () => {
  await demo?.close();
});

/** A form is closed by its own buttons; then a press beside the nodes lets go of them. */
async function chooseNothing(): Promise<void> {
  const form = page.getByRole("complementary", { name: /^Configure / });
  if (await form.isVisible()) await form.getByRole("button", { name: "Close" }).click();
  await page.locator(".react-flow__pane").click({ position: { x: 90, y: 30 } });
  await expect.poll(chosen).toEqual(new Set());
}
const node = (name: string): Locator => page.getByRole("group", { name, exact: true });
const address = (version: "draft" | "published"): string => `/sync-studio/entity/${pipeline}/pipeline/${version}`;
const isSaved = (): Promise<void> =>
  page
    .getByRole("status")
    .filter({ hasText: /^Saved$/ })
    .waitFor();
const chosen = async (): Promise<Set<string | null>> => {
  const names = page.locator(".react-flow__node-pipeline.selected");
  return new Set(await names.evaluateAll((all) => all.map((element) => element.getAttribute("aria-label"))));
};
async function send(method: "POST" | "PUT", path: string, data: unknown): Promise<number> {
  const cookies = await user.context.cookies();
  const token = decodeURIComponent(cookies.find(({ name }) => name === CSRF.cookie)?.value ?? "");
  const headers = { [CSRF.header]: token };
  const url = `${product.url}${API_PREFIX}/pipelines/${pipeline}${path}`;
  return (await page.request.fetch(url, { method, data, headers })).status();
}

test("nodes and connections of the graph that runs say what the last cycle did, and a connection lists its last records", async () => {
  await user.open(address("published"));
  const passed = page.getByRole("button", {
    name: /^[\d,]+ records passed\. Connection from CRM companies to Has a name/,
  });
  await passed.waitFor({ timeout: FIRST_CYCLE });
  await node("CRM companies")
    .getByText(/^[\d,]+ read$/)
    .waitFor();
  await user.isSound();
  await passed.click();
  const panel = page.getByRole("complementary", { name: "CRM companies to Has a name" });
  await panel.getByText(/records? changed last/).waitFor();
  const first = panel.getByRole("region").first();
  await first.getByRole("columnheader", { name: "Last change" }).waitFor();
  await user.isSound();
  await panel.getByRole("button", { name: "Close" }).click();
});

test("[SYN-018] two selected nodes are selected again after a reload, Back leaves the page, and no selection leaves no trace", async () => {
  await user.open("/sync-studio/details");
  await user.open(address("published"));
  await node("Fill the website").click({ modifiers: ["Control"] });
  await node("Has a name").click({ modifiers: ["Control"] });
  await page.waitForURL(/nodeIds=[^&]+(,|%2C)/);
  await page.reload();
  await node("Has a name").waitFor();
  await expect.poll(chosen).toEqual(new Set(["Fill the website", "Has a name"]));
  await page.locator(".react-flow__pane").click({ position: { x: 300, y: 30 } });
  await expect.poll(() => page.url()).not.toContain("nodeIds");
  await page.goBack();
  await page.waitForURL(/\/sync-studio\/details/);
});

test("[SYN-019] focusNodeId opens the graph with that node in the middle, however far away it lies", async () => {
  await user.open(address("published"));
  for (const name of ["Billing customers", "Update CRM"]) {
    const id = await node(name).getAttribute("data-id");
    await user.open(`${address("published")}?focusNodeId=${id}`);
    const offCentre = async (): Promise<number> => {
      const [box, area] = [await node(name).boundingBox(), await page.locator(".ac-canvas").boundingBox()];
      if (!box || !area) return Infinity;
      const across = box.x + box.width / 2 - area.x - area.width / 2;
      const down = box.y + box.height / 2 - area.y - area.height / 2;
      return Math.max(Math.abs(across), Math.abs(down));
    };
    await expect.poll(offCentre).toBeLessThan(40);
    await expect.poll(chosen).toEqual(new Set([name]));
  }
});

test("a node at the right edge, where its form would open over it, is renamed by a double press, and configured by a single one", async () => {
  expect(await send("POST", "/draft", {})).toBe(200);
  await user.open(address("draft"));
  const last = node("Update CRM");
  const form = page.getByRole("complementary", { name: /^Configure / });
  const box = await last.boundingBox();
  if (!box) throw new Error("the node is not in view");
  // Waits until the graph that was just opened stands still.
  await last.dblclick({ position: { x: box.width - 20, y: 14 } });
  const input = page.getByRole("textbox", { name: "New label of Update CRM" });
  await input.fill("Update the CRM");
  await input.press("Enter");
  const renamed = node("Update the CRM");
  await renamed.waitFor();
  expect(await form.count()).toBe(0);
  await renamed.click();
  await form.waitFor();
  await form.getByRole("textbox", { name: "Label" }).fill("Update CRM");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await last.waitFor();
  await isSaved();
});

test("[SYN-061] grouped nodes collapse into one card, which is still collapsed after a reload and opens again", async () => {
  expect(await send("POST", "/draft", {})).toBe(200);
  await user.open(address("draft"));
  await node("Domain of e-mail").click({ modifiers: ["Control"] });
  await node("Fill the website").click({ modifiers: ["Control"] });
  await page.getByRole("toolbar", { name: "Selected nodes" }).getByRole("button", { name: "Group" }).click();
  await page.getByRole("dialog", { name: "Create group" }).getByRole("button", { name: "Create group" }).click();
  await page.getByText("Group created").waitFor();
  await page.getByRole("button", { name: "Collapse group" }).click();
  await node("Fill the website").waitFor({ state: "detached" });
  await isSaved();
  await page.reload();
  const expand = page.getByRole("button", { name: "Expand group" });
  await expand.waitFor();
  expect(await node("Fill the website").count()).toBe(0);
  await user.isSound();
  await expand.click();
  await node("Fill the website").waitFor();
  await page.getByRole("button", { name: "Ungroup" }).click();
  await page.getByRole("dialog", { name: "Ungroup Group?" }).getByRole("button", { name: "Ungroup" }).click();
  await page.getByRole("button", { name: "Collapse group" }).waitFor({ state: "detached" });
});

/** Takes a node beside its middle, away from its ends of connections, and moves the pointer to a point of the page. */
async function drag(name: string, to: { x: number; y: number }): Promise<void> {
  const box = await node(name).boundingBox();
  if (!box) throw new Error(`${name} is not in view`);
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 12 });
}
const middleOf = async (name: string): Promise<{ x: number; y: number }> => {
  const box = await node(name).boundingBox();
  if (!box) throw new Error(`${name} is not in view`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** The group with this member is dragged by its frame: all of it moves, in one step, and stays a group. */
async function dragArea(before: { x: number; y: number }): Promise<void> {
  const frame = await page.locator(".ac-group").boundingBox();
  if (!frame) throw new Error("the group is not in view");
  const corner = { x: frame.x + 6, y: frame.y + frame.height - 6 };
  await page.mouse.move(corner.x, corner.y);
  await page.mouse.down();
  await page.mouse.move(corner.x + 60, corner.y + 90, { steps: 8 });
  await page.mouse.up();
  await expect.poll(async () => (await middleOf("Fill the website")).y - before.y).toBeGreaterThan(60);
  expect((await page.locator(".ac-group").boundingBox())?.width).toBeCloseTo(frame.width, 0);
  await page.keyboard.press("Control+z");
  await expect.poll(() => middleOf("Fill the website")).toEqual(before);
}

test("[SYN-072] [SYN-087] nodes in a rectangle are grouped; one is dragged in and out, each one step; what can't join says why", async () => {
  const middles = async () => [await middleOf("Domain of e-mail"), await middleOf("Fill the website")] as const;
  // The view has come to rest once two looks in a row find the same.
  let [first, last] = await middles();
  await expect
    .poll(async () => {
      const before = [first, last];
      [first, last] = await middles();
      return JSON.stringify(before) === JSON.stringify([first, last]);
    })
    .toBe(true);
  await chooseNothing();
  await page.keyboard.down("Shift");
  await page.mouse.move(first.x - 70, first.y - 26);
  await page.mouse.down();
  await page.mouse.move(last.x + 62, last.y + 26, { steps: 8 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await expect.poll(chosen).toEqual(new Set(["Domain of e-mail", "Fill the website"]));
  await page.keyboard.press("Control+g");
  await page.getByRole("dialog", { name: "Create group" }).getByRole("button", { name: "Create group" }).click();
  await page.getByRole("button", { name: "Ungroup" }).waitFor();

  const area = page.locator(".ac-group");
  const place = await middleOf("Match with Accord");
  await drag("Match with Accord", last);
  await page.getByText("Let go to add it here").waitFor();
  await page.mouse.up();
  await page.getByText("Added to Group").waitFor();
  await page.keyboard.press("Control+z");
  // The move and the joining are one step.
  await expect.poll(() => middleOf("Match with Accord")).toEqual(place);
  await page.keyboard.press("Control+z");
  await area.waitFor({ state: "detached" });
  await page.keyboard.press("Control+Shift+z");
  await area.waitFor();

  await drag("Account", last);
  await page.locator(".ac-group[data-drop=refused]").getByText("The core entity can't be part of a group.").waitFor();
  await page.mouse.up();
  await page.locator(".ac-group[data-drop]").waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");

  await drag("Fill the website", { x: last.x, y: last.y + 200 });
  await page.getByText("Let go to take it out").waitFor();
  await page.mouse.up();
  await page.getByText("Taken out of Group").waitFor();
  await page.keyboard.press("Control+z");
  await expect.poll(() => middleOf("Fill the website")).toEqual(last);
  await dragArea(last);

  await node("Fill the website").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Move out of group Group" }).click();
  await node("Fill the website").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Move into group Group" }).click();
  await page.getByRole("button", { name: "Collapse group" }).click();
  await node("Fill the website").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Expand group" }).click();
  await page.getByRole("button", { name: "Ungroup" }).click();
  await page.getByRole("dialog", { name: "Ungroup Group?" }).getByRole("button", { name: "Ungroup" }).click();
  await area.waitFor({ state: "detached" });
});

test("[SYN-138] a selection is saved as a fragment, inserted from the palette, hidden, shown again and deleted", async () => {
  await chooseNothing();
  await node("Domain of e-mail").click({ modifiers: ["Control"] });
  await node("Fill the website").click({ modifiers: ["Control"] });
  const toolbar = page.getByRole("toolbar", { name: "Selected nodes" });
  await toolbar.getByRole("button", { name: "Save as fragment" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as fragment" });
  await dialog.getByLabel("Name").fill("Website from e-mail");
  await user.isSound();
  await dialog.getByRole("button", { name: "Save fragment" }).click();
  await dialog.waitFor({ state: "detached" });
  const palette = page.getByRole("complementary", { name: "Palette" });
  const insert = palette.getByRole("button", { name: "Insert Website from e-mail" });
  await chooseNothing();
  await insert.click();
  await expect.poll(chosen).toEqual(new Set(["Domain of e-mail 1", "Fill the website 1"]));
  await page.getByRole("button", { name: "Undo" }).click();
  await node("Domain of e-mail 1").waitFor({ state: "detached" });
  const choose = async (entry: string): Promise<void> => {
    await palette.getByRole("button", { name: "More about Website from e-mail" }).click();
    await page.getByRole("menuitem", { name: entry }).click();
  };
  await choose("Hide in this instance");
  await insert.waitFor({ state: "detached" });
  await palette.getByRole("button", { name: "1 hidden" }).click();
  await palette.getByRole("button", { name: "Show Website from e-mail" }).click();
  await insert.waitFor();
  await choose("Delete…");
  await page.getByRole("dialog").getByRole("button", { name: "Delete fragment" }).click();
  await insert.waitFor({ state: "detached" });
});

test("after the window was resized, what was in the middle of the graph is in the middle again", async () => {
  const fromMiddle = async (): Promise<{ across: number; down: number }> => {
    const [box, area] = [await node("Fill the website").boundingBox(), await page.locator(".ac-canvas").boundingBox()];
    if (!box || !area) throw new Error("the node is not in view");
    return {
      across: Math.round(box.x - area.x - area.width / 2),
      down: Math.round(box.y - area.y - area.height / 2),
    };
  };
  const before = await fromMiddle();
  await page.setViewportSize({ width: 1100, height: 700 });
  await expect.poll(fromMiddle).toEqual(before);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(fromMiddle).toEqual(before);
});

test("on a narrower screen a node stays whole in sight when its form opens where it stood", async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await user.open(address("draft"));
  await node("CRM companies").waitFor();
  const names = await page
    .locator(".react-flow__node-pipeline")
    .evaluateAll((all) =>
      all
        .toSorted((one, other) => one.getBoundingClientRect().right - other.getBoundingClientRect().right)
        .map((element) => element.getAttribute("aria-label") ?? ""),
    );
  const last = node(names.at(-1) ?? "");
  const hiddenPx = async (): Promise<number> => {
    const [box, area] = [await last.boundingBox(), await page.locator(".ac-canvas").boundingBox()];
    if (!box || !area) throw new Error("the node is not in the page");
    return Math.max(0, area.x - box.x, box.x + box.width - area.x - area.width);
  };
  expect(await hiddenPx()).toBe(0);
  await last.click();
  await page.getByRole("complementary", { name: /^Configure/ }).waitFor();
  await expect.poll(hiddenPx).toBe(0);
  // The form scrolls in its own place, and the page doesn't.
  const beyondPx = (): Promise<number> =>
    page.locator(".ac-shell__content").evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
  expect(await beyondPx()).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("copying says what was copied, or why nothing was", async () => {
  await user.open(address("draft"));
  await node("CRM companies").click();
  await expect.poll(chosen).toEqual(new Set(["CRM companies"]));
  await page.keyboard.press("Control+c");
  await page.getByText("Only functions and actions can be copied. Select at least one.").waitFor();
  await node("Domain of e-mail").click({ modifiers: ["Control"] });
  await node("Fill the website").click({ modifiers: ["Control"] });
  await node("CRM companies").click({ modifiers: ["Control"] });
  await expect.poll(chosen).toEqual(new Set(["Domain of e-mail", "Fill the website"]));
  await page.keyboard.press("Control+c");
  await page.getByText("Copied 2 nodes and 1 edge").waitFor();
});

test("[SYN-068] a position between two points is rounded down when it is saved", async () => {
  interface Draft {
    graph: { nodes: { id: string; location: { x: number; y: number } }[] };
    revision: number;
  }
  const read = async (): Promise<Draft> =>
    (await page.request.get(`${product.url}${API_PREFIX}/pipelines/${pipeline}/graph/draft`)).json();
  const { graph, revision } = await read();
  const [first] = graph.nodes;
  const nodes = graph.nodes.map((each) => (each === first ? { ...each, location: { x: 10.7, y: 20.9 } } : each));
  expect(await send("PUT", "/draft", { graph: { ...graph, nodes }, revision })).toBe(200);
  expect((await read()).graph.nodes.find(({ id }) => id === first?.id)?.location).toEqual({ x: 10, y: 20 });
});
