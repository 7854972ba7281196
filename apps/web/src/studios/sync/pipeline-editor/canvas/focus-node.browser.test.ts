/** The focus goes to a node as soon as the node can take it, and is never taken from where somebody went meanwhile. */
import { beforeEach, expect, test } from "vitest";
import { focusNode } from "./focus-node.ts";

beforeEach(() => document.body.replaceChildren());

/** A node of the graph as the canvas draws it. */
function draw(nodeId: string, isMeasured = true): HTMLElement {
  const node = document.createElement("div");
  node.className = "react-flow__node";
  node.tabIndex = 0;
  node.dataset["id"] = nodeId;
  node.style.visibility = isMeasured ? "visible" : "hidden";
  document.body.append(node);
  return node;
}
async function frames(count: number): Promise<void> {
  for (let frame = 0; frame < count; frame++) await new Promise((done) => requestAnimationFrame(done));
}
const focused = () => document.activeElement;

test("a node that is drawn late gets the focus once it is there", async () => {
  focusNode("a");
  await frames(30);
  const node = draw("a");
  await expect.poll(focused).toBe(node);
});

test("a node that is hidden until it is measured gets the focus after that", async () => {
  const node = draw("a", false);
  focusNode("a");
  await frames(30);
  node.style.visibility = "visible";
  await expect.poll(focused).toBe(node);
});

test("of two nodes that are waited for, the one asked for last gets the focus and keeps it", async () => {
  focusNode("a");
  focusNode("b");
  draw("a");
  await frames(3);
  const last = draw("b");
  await expect.poll(focused).toBe(last);
});

test("who began to type elsewhere meanwhile goes on there", async () => {
  focusNode("a");
  const input = document.body.appendChild(document.createElement("input"));
  input.focus();
  draw("a");
  await frames(30);
  expect(focused()).toBe(input);
});
