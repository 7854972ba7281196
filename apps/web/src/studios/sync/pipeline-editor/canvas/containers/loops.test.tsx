/** A loop on the canvas by mouse and keys: its label selects and moves its nodes, its frame follows a node that is dragged. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openEditor, serveEditor } from "../view/editor.fixtures.tsx";

serveEditor({ width: 1440, height: 900 });

const node = (id: string, label: string, apiName: string, x: number) => ({
  ...{ id, label, nodeType: "FUNCTION", apiName, location: { x, y: 0 } },
});
const edge = (from: string, to: string) => ({
  id: `edge-${from}-to-${to}`,
  source: { nodeId: from },
  destination: { nodeId: to },
});
const graph = Graph.parse({
  nodes: [
    node("each", "Each line", "forEach", 0),
    node("trim", "Trim", "trim", 250),
    node("end", "End of lines", "endLoop", 500),
    node("after", "After", "trim", 750),
  ],
  edges: [edge("each", "trim"), edge("trim", "end"), edge("end", "each"), edge("end", "after")],
});

const card = (name: string) => page.getByRole("group", { name, exact: true });
const title = page.getByTitle("Loop Each line: select its 3 nodes");
const boxOf = (element: Element): DOMRect => element.getBoundingClientRect();
const leftOf = (name: string): number => boxOf(card(name).element()).left;
const frame = (): DOMRect => boxOf(document.querySelector(".ac-loop")!);
const selected = (): string[] =>
  [...document.querySelectorAll(".react-flow__node-pipeline.selected")].map((each) => each.ariaLabel ?? "");

const mouse = (type: string, x: number, y: number, target: EventTarget): void => {
  const init = { bubbles: true, cancelable: true, view: window, button: 0, clientX: x, clientY: y };
  target.dispatchEvent(new MouseEvent(type, init));
};
const nextFrame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done));

/** Presses and moves, without letting go. */
async function hold(element: Element, by: { x: number; y: number }): Promise<() => void> {
  const { left, top, width, height } = boxOf(element);
  const [x, y] = [left + width / 2, top + height / 2];
  mouse("mousedown", x, y, element);
  for (const part of [0.2, 0.4, 0.6, 0.8, 1]) {
    mouse("mousemove", x + by.x * part, y + by.y * part, window);
    await nextFrame();
    await nextFrame();
  }
  return () => mouse("mouseup", x + by.x, y + by.y, window);
}

async function open(): Promise<void> {
  openEditor(graph);
  await expect.element(card("Trim")).toBeVisible();
}

test("the label selects all nodes of the loop, by the pointer and by Enter, and arrows move them together", async () => {
  await open();
  await userEvent.click(title);
  await expect.poll(selected).toEqual(["Each line", "Trim", "End of lines"]);
  await userEvent.keyboard("{Escape}");
  await expect.poll(selected).toEqual([]);
  title.element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.poll(selected).toHaveLength(3);
  const before = [leftOf("Each line"), leftOf("End of lines"), leftOf("After")];
  await userEvent.keyboard("{ArrowLeft}");
  await expect.poll(() => leftOf("Each line")).toBeLessThan(before[0]!);
  expect(leftOf("End of lines")).toBeLessThan(before[1]!);
  expect(leftOf("After")).toBe(before[2]);
});

test("dragged by its label, the loop moves as one, and one step takes it back", async () => {
  await open();
  const names = ["Each line", "Trim", "End of lines", "After"];
  const before = names.map(leftOf);
  const drop = await hold(title.element(), { x: 0, y: 100 });
  drop();
  const tops = () => names.map((name) => Math.round(boxOf(card(name).element()).top));
  await expect.poll(() => new Set(tops().slice(0, 3)).size === 1 && tops()[0]! > tops()[3]! + 40).toBe(true);
  expect(names.map(leftOf).map(Math.round)).toEqual(before.map(Math.round));
  card("Trim").element().focus();
  await userEvent.keyboard("{Control>}z{/Control}");
  await expect.poll(() => new Set(tops()).size).toBe(1);
});

test("the frame follows a node while it is dragged", async () => {
  await open();
  const before = frame();
  const letGo = await hold(document.querySelector('[data-id="trim"] .ac-node__face')!, { x: 0, y: 150 });
  await expect.poll(() => boxOf(card("Trim").element()).top).toBeGreaterThan(before.top + 100);
  await expect.poll(() => frame().height).toBeGreaterThan(before.height + 80);
  const { bottom } = boxOf(card("Trim").element());
  expect(frame().bottom).toBeGreaterThan(bottom);
  letGo();
  await expect.poll(() => frame().bottom).toBeGreaterThan(bottom);
});

test("what is pressed inside a frame is the canvas: nothing of the loop is selected or moved", async () => {
  await open();
  const { left, right, bottom } = frame();
  const hit = document.elementFromPoint((left + right) / 2 + 60, bottom - 6);
  expect(hit?.closest(".react-flow__node")).toBeNull();
  expect(hit?.closest(".react-flow__pane, .react-flow__edge, .react-flow__edgelabel-renderer")).not.toBeNull();
});
