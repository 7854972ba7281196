/** A node that is dragged snaps to its neighbours and shows by what; Alt switches that off; other cards are not drawn anew. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { openEditor, serveEditor } from "../view/editor.fixtures.tsx";

serveEditor({ width: 1440, height: 900 });

/** The second stands 34 px lower: on the canvas' own grid it never comes level with the first. */
const graph = Graph.parse({
  nodes: [
    { id: "one", label: "One", nodeType: "FUNCTION", apiName: "trim", location: { x: 0, y: 4 } },
    { id: "two", label: "Two", nodeType: "FUNCTION", apiName: "trim", location: { x: 300, y: 130 } },
  ],
  edges: [],
});

const card = (name: string) => page.getByRole("group", { name, exact: true });
const topOf = (name: string): number => card(name).element().getBoundingClientRect().top;
const lines = (): number => document.querySelectorAll(".ac-guide").length;
const nextFrame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done));

async function open(): Promise<void> {
  openEditor(graph);
  await expect.element(card("Two")).toBeVisible();
}

/** Drags the second card up, level with the first but for some px; answers how to let go. */
async function dragUp(altKey: boolean): Promise<() => void> {
  const face = document.querySelector('[data-id="two"] .ac-node__face')!;
  const { left, top, width, height } = face.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const zoom = Number(
    /scale\(([\d.]+)\)/.exec(document.querySelector(".react-flow__viewport")?.getAttribute("style") ?? "")?.[1],
  );
  const at = (type: string, down: number, target: EventTarget): void => {
    const init = {
      bubbles: true,
      cancelable: true,
      view: window,
      button: 0,
      clientX: x,
      clientY: y + down * zoom,
      altKey,
    };
    target.dispatchEvent(new MouseEvent(type, init));
  };
  at("mousedown", 0, face);
  let down = 0;
  // Until it is as near as the grid of the canvas allows.
  for (const distance of [20, 60, 90, 110, 115, 120, 125, 130, 135, 140, 145, 150, 155]) {
    if (topOf("Two") - topOf("One") < 8) break;
    down = -distance;
    at("mousemove", down, window);
    await nextFrame();
    await nextFrame();
  }
  return () => at("mouseup", down, window);
}

test("a node that is dragged near the level of another snaps to it, shows a line, and stays there", async () => {
  await open();
  const letGo = await dragUp(false);
  await expect.poll(lines).toBe(1);
  await expect.poll(() => Math.abs(topOf("Two") - topOf("One"))).toBeLessThan(0.6);
  letGo();
  await expect.poll(lines).toBe(0);
  await expect.poll(() => Math.abs(topOf("Two") - topOf("One"))).toBeLessThan(0.6);
});

test("with Alt nothing snaps and no line is shown", async () => {
  await open();
  const letGo = await dragUp(true);
  await expect.poll(() => topOf("Two") - topOf("One")).toBeLessThan(20);
  expect(lines()).toBe(0);
  expect(Math.abs(topOf("Two") - topOf("One"))).toBeGreaterThan(2);
  letGo();
  await nextFrame();
  expect(Math.abs(topOf("Two") - topOf("One"))).toBeGreaterThan(2);
});

test("while it is dragged, no other card is drawn anew", async () => {
  const seen: string[] = [];
  const observer = new MutationObserver((changes) => seen.push(...changes.map(({ type }) => type)));
  await open();
  observer.observe(card("One").element(), { attributes: true, childList: true, subtree: true, characterData: true });
  // What comes a moment after opening has come.
  await expect
    .poll(async () => {
      seen.length = 0;
      for (let frame = 0; frame < 20; frame++) await nextFrame();
      return seen.length;
    })
    .toBe(0);
  const letGo = await dragUp(false);
  await expect.poll(lines).toBe(1);
  expect(seen).toEqual([]);
  observer.disconnect();
  letGo();
});
