/** The graph never moves under the pointer by itself: only so far that a node is seen beside its form, and with that form. */
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { openEditor, row, serveEditor } from "./editor.fixtures.tsx";
import { DOUBLE_PRESS_MS } from "./use-view.ts";

serveEditor({ width: 1440, height: 900 });

const node = (label: string) => page.getByRole("group", { name: label, exact: true });
const form = page.getByRole("complementary", { name: /^Configure / });
const place = (): string => document.querySelector(".react-flow__viewport")?.getAttribute("style") ?? "";
const box = (selector: string): DOMRect | undefined => document.querySelector(selector)?.getBoundingClientRect();
const boxOf = (label: string): DOMRect => node(label).element().getBoundingClientRect();
/** Behind the last node of the row. */
const adding = (label: string) => page.getByRole("button", { name: `Add a node after ${label}`, exact: true });

/** What each frame showed, until somebody asks: where the graph was, and whether a form was beside it. */
function watch(): () => string[] {
  const seen: string[] = [];
  let isWatching = true;
  const look = (): void => {
    const shown = `${form.query() ? "form" : "no form"} ${place()}`;
    if (seen.at(-1) !== shown) seen.push(shown);
    if (isWatching) requestAnimationFrame(look);
  };
  look();
  return () => {
    isWatching = false;
    return seen;
  };
}
const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const isInSight = ({ left, right }: DOMRect): boolean => {
  const area = box(".ac-canvas");
  return area !== undefined && left >= area.left && right <= area.right;
};

test("a node that is pressed in sight of its form opens it, and nothing moves", async () => {
  openEditor(row(4));
  await expect.element(node("Trim 1")).toBeVisible();
  const seen = watch();
  await node("Trim 1").click();
  await expect.element(form).toBeVisible();
  await wait(2 * DOUBLE_PRESS_MS);
  expect(new Set(seen().map((each) => each.replace(/^(no )?form/, "")))).toHaveLength(1);
});

test("where the form takes a node's place, form and view come in one frame, after the time of a double press", async () => {
  openEditor(row(4));
  await expect.element(node("Trim 4")).toBeVisible();
  const before = place();
  const seen = watch();
  await node("Trim 4").click();
  await expect.element(form).toBeVisible();
  await wait(2 * DOUBLE_PRESS_MS);
  const shown = seen();
  expect(shown).toEqual([`no form ${before}`, `form ${place()}`]);
  expect(place()).not.toBe(before);
  expect(isInSight(boxOf("Trim 4"))).toBe(true);
  expect(isInSight(adding("Trim 4").element().getBoundingClientRect())).toBe(true);
});

test("a node that is added out of sight is shown with its form at once, and then stays", async () => {
  openEditor(row(4));
  await adding("Trim 4").click();
  await page
    .getByRole("dialog", { name: "Add a node" })
    .getByRole("button", { name: /Lower case/ })
    .click();
  await expect.element(node("Lower case")).toBeVisible();
  const first = place();
  expect(isInSight(adding("Lower case").element().getBoundingClientRect())).toBe(true);
  const seen = watch();
  await wait(2 * DOUBLE_PRESS_MS);
  expect(seen()).toEqual([`form ${first}`]);
});

/** Places come from a worker; nodes and view move in the same frame. */
async function tidyUp(): Promise<void> {
  const before = document.querySelector('[data-id="n6"]')?.getAttribute("style");
  await page.getByRole("button", { name: /^Tidy up/ }).click();
  await expect.poll(() => document.querySelector('[data-id="n6"]')?.getAttribute("style")).not.toBe(before);
}

test("tidied up, all of the graph is shown beside the form, at once", async () => {
  openEditor(row(6));
  await node("Trim 1").click();
  await expect.element(form).toBeVisible();
  await tidyUp();
  const first = place();
  for (const label of ["Trim 1", "Trim 6"]) expect(isInSight(boxOf(label)), label).toBe(true);
  await wait(DOUBLE_PRESS_MS);
  expect(place()).toBe(first);
});

test("where all of the graph was shown, all of it is shown beside a form that would cover what is pressed", async () => {
  openEditor(row(6));
  await expect.element(node("Trim 1")).toBeVisible();
  await tidyUp();
  const right = boxOf("Trim 6").left > boxOf("Trim 3").left ? "Trim 6" : "Trim 3";
  await node(right).click();
  await expect.element(form).toBeVisible();
  for (const label of ["Trim 1", "Trim 3", "Trim 6"]) expect(isInSight(boxOf(label)), label).toBe(true);
});

test("a view that was moved by hand is moved by no more than it takes", async () => {
  openEditor(row(6));
  await expect.element(node("Trim 6")).toBeVisible();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await wait(DOUBLE_PRESS_MS);
  const zoom = new DOMMatrix(
    getComputedStyle(document.querySelector(".react-flow__viewport") ?? document.body).transform,
  ).a;
  await node("Trim 5").click();
  await expect.element(form).toBeVisible();
  expect(isInSight(boxOf("Trim 5"))).toBe(true);
  const after = new DOMMatrix(
    getComputedStyle(document.querySelector(".react-flow__viewport") ?? document.body).transform,
  ).a;
  expect(after).toBe(zoom);
});
