/** The focus goes to a node as soon as the node can take it, and is never taken from where somebody went meanwhile. */
import { show } from "@accord/ui/test-kit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { focusNode } from "./focus-node.ts";

/** Goes with its test: the tests of other files are shown on the same page. */
const place = document.createElement("div");
beforeEach(() => {
  show(null);
  document.body.append(place);
});
afterEach(() => {
  place.replaceChildren();
  place.remove();
});

/** A node of the graph as the canvas draws it. */
function draw(nodeId: string, isMeasured = true): HTMLElement {
  const node = document.createElement("div");
  node.className = "react-flow__node";
  node.tabIndex = 0;
  node.dataset["id"] = nodeId;
  node.style.visibility = isMeasured ? "visible" : "hidden";
  place.append(node);
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
  const input = place.appendChild(document.createElement("input"));
  input.focus();
  draw("a");
  await frames(30);
  expect(focused()).toBe(input);
});

test("who went elsewhere before the view had come to the node stays there", async () => {
  draw("a");
  const from = focused();
  const input = place.appendChild(document.createElement("input"));
  input.focus();
  focusNode("a", from);
  await frames(30);
  expect(focused()).toBe(input);
});
