/** The focus goes into the form of the node that was asked for, and into no other that happens to be there. */
import { show } from "@accord/ui/test-kit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { focusForm } from "./focus-form.ts";

/** Goes with its test: the tests of other files are shown on the same page. */
const place = document.createElement("div");
const node = document.createElement("button");
beforeEach(() => {
  show(null);
  place.replaceChildren(node);
  document.body.append(place);
  node.focus();
});
afterEach(() => {
  place.replaceChildren();
  place.remove();
});

/** A form as the panel draws it: its label first, then what only this kind of node has. */
function draw(nodeId: string): { form: HTMLElement; own: HTMLElement; addInput: () => HTMLElement } {
  const form = document.createElement("div");
  form.className = "ac-configure";
  form.dataset["nodeId"] = nodeId;
  const own = document.createElement("div");
  own.className = "ac-configure__own";
  const skeleton = document.createElement("div");
  skeleton.className = "mantine-Skeleton-root";
  own.append(skeleton);
  form.append(document.createElement("input"), own);
  place.append(form);
  const addInput = () => {
    const input = document.createElement("input");
    own.replaceChildren(input);
    return input;
  };
  return { form, own, addInput };
}
async function frames(count: number): Promise<void> {
  for (let frame = 0; frame < count; frame++) await new Promise((done) => requestAnimationFrame(done));
}
const focused = () => document.activeElement;
const always = () => true;

test("the form of another node, which is about to go, does not take the focus", async () => {
  const old = draw("a");
  old.addInput();
  focusForm("b", always);
  await frames(5);
  expect(focused()).toBe(node);
  old.form.remove();
  const form = draw("b");
  await frames(5);
  expect(focused()).toBe(node);
  const input = form.addInput();
  await expect.poll(focused).toBe(input);
});

test("a form without inputs of its own takes the focus at its label", async () => {
  const { form, own } = draw("a");
  own.replaceChildren();
  focusForm("a", always);
  await expect.poll(focused).toBe(form.querySelector("input"));
});

test("a form that was closed before it was drawn takes no focus when it is opened later", async () => {
  let isOpen = true;
  focusForm("a", () => isOpen);
  await frames(3);
  isOpen = false;
  await frames(3);
  isOpen = true;
  draw("a").addInput();
  await frames(10);
  expect(focused()).toBe(node);
});

test("of two forms that are waited for, the one asked for last takes the focus", async () => {
  focusForm("a", always);
  focusForm("b", always);
  draw("a").addInput();
  await frames(5);
  const input = draw("b").addInput();
  await expect.poll(focused).toBe(input);
});
