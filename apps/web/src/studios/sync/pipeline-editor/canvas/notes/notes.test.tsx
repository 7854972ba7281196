/** Notes on the canvas, by mouse and keys: made, written, resized, coloured, copied, removed and taken back. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openEditor, row, serveEditor } from "../view/editor.fixtures.tsx";

serveEditor({ width: 1440, height: 900 });

const withNote = (text: string): Graph =>
  Graph.parse({
    ...row(2),
    notes: [{ id: "note", text, color: "blue", location: { x: -40, y: -160 }, width: 240, height: 120 }],
  });

const note = (name: string) => page.getByRole("group", { name, exact: true });
const textBox = page.getByRole("textbox", { name: "Text of the note" });
const node = (name: string) => page.getByRole("group", { name, exact: true });
const cards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".react-flow__node-note")];
const sizeOf = (name: string): { width: number; height: number } => {
  const card = document.querySelector<HTMLElement>(`.react-flow__node-note[aria-label="${name}"]`);
  return { width: card?.offsetWidth ?? 0, height: card?.offsetHeight ?? 0 };
};
const boxOf = (element: Element): DOMRect => element.getBoundingClientRect();

/** Presses the left button over an element, moves and lets go, as the browser reports it. */
function drag(element: Element, by: { x: number; y: number }): void {
  const { left, top, width, height } = boxOf(element);
  const from = { x: left + width / 2, y: top + height / 2 };
  const at = (type: string, x: number, y: number, target: EventTarget): void => {
    const init = { bubbles: true, cancelable: true, view: window, button: 0, clientX: x, clientY: y };
    target.dispatchEvent(new MouseEvent(type, init));
  };
  at("mousedown", from.x, from.y, element);
  for (const part of [0.2, 0.6, 1]) at("mousemove", from.x + by.x * part, from.y + by.y * part, window);
  at("mouseup", from.x + by.x, from.y + by.y, window);
}

async function open(graph: Graph): Promise<void> {
  openEditor(graph);
  await expect.element(node("Trim 1")).toBeVisible();
}

test("N makes a note that is written at once; Esc keeps what was typed, and undo takes back text, then note", async () => {
  await open(row(2));
  node("Trim 1").element().focus();
  await userEvent.keyboard("n");
  await expect.element(textBox).toHaveFocus();
  await userEvent.keyboard("Ask Kim{Escape}");
  await expect.element(note("Note: Ask Kim")).toHaveFocus();
  expect(textBox.query()).toBeNull();
  await userEvent.keyboard("{Control>}z{/Control}");
  await expect.element(note("Empty note")).toBeVisible();
  await userEvent.keyboard("{Control>}z{/Control}");
  await expect.poll(() => cards().length).toBe(0);
  await userEvent.keyboard("{Control>}{Shift>}z{/Shift}{/Control}");
  await userEvent.keyboard("{Control>}{Shift>}z{/Shift}{/Control}");
  await expect.element(note("Note: Ask Kim")).toBeVisible();
});

test("with several nodes selected, the note stands around them, behind them", async () => {
  await open(row(2));
  node("Trim 1").element().focus();
  await userEvent.keyboard("{Control>}a{/Control}n");
  await userEvent.keyboard("Cleaning{Escape}");
  const around = boxOf(note("Note: Cleaning").element());
  for (const name of ["Trim 1", "Trim 2"]) {
    const card = boxOf(node(name).element());
    expect([card.left > around.left, card.right < around.right, card.top > around.top]).toEqual([true, true, true]);
    const hit = document.elementFromPoint(card.left + card.width / 2, card.top + card.height / 2);
    expect(hit?.closest(".react-flow__node")?.getAttribute("aria-label")).toBe(name);
  }
});

test("a double press edits, a press elsewhere keeps what was typed", async () => {
  await open(withNote("Old"));
  await userEvent.dblClick(note("Note: Old"));
  await expect.element(textBox).toHaveFocus();
  await userEvent.keyboard(" and new");
  await userEvent.click(node("Trim 2"));
  await expect.element(note("Note: Old and new")).toBeVisible();
});

test("a note is moved, and resized by its corner with the pointer and with the arrow keys", async () => {
  await open(withNote("Read me"));
  const before = boxOf(note("Note: Read me").element());
  drag(document.querySelector(".ac-note__text")!, { x: 60, y: -40 });
  await expect.poll(() => boxOf(note("Note: Read me").element()).left - before.left).toBeGreaterThan(40);
  const size = sizeOf("Note: Read me");
  drag(document.querySelector(".ac-note__corner")!, { x: 80, y: 50 });
  await expect.poll(() => sizeOf("Note: Read me").width).toBeGreaterThan(size.width + 40);
  const dragged = sizeOf("Note: Read me");
  expect(dragged.height).toBeGreaterThan(size.height + 20);
  page.getByRole("button", { name: "Size of the note" }).element().focus();
  await userEvent.keyboard("{ArrowRight}{ArrowRight}{ArrowUp}");
  await expect.poll(() => sizeOf("Note: Read me")).toEqual({ width: dragged.width + 20, height: dragged.height - 10 });
  await userEvent.keyboard("{Control>}zz{/Control}");
  await expect.poll(() => sizeOf("Note: Read me")).toEqual(size);
});

test("its colour is chosen over it; Delete removes it; both are taken back", async () => {
  await open(withNote("Paint me"));
  await userEvent.click(note("Note: Paint me"));
  await userEvent.click(page.getByRole("button", { name: "Red" }));
  await expect.poll(() => document.querySelector(".ac-note--red") !== null).toBe(true);
  await expect.element(page.getByRole("button", { name: "Red" })).toHaveAttribute("aria-pressed", "true");
  note("Note: Paint me").element().focus();
  await userEvent.keyboard("{Delete}");
  await expect.poll(() => cards().length).toBe(0);
  await userEvent.keyboard("{Control>}zz{/Control}");
  await expect.poll(() => document.querySelector(".react-flow__node-note .ac-note--blue") !== null).toBe(true);
});

test("the menu of the canvas adds a note there, the menu of a note has its actions", async () => {
  await open(row(1));
  const pane = document.querySelector(".react-flow__pane")!;
  const { left, top } = boxOf(pane);
  const at = { x: left + 300, y: top + 200 };
  pane.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX: at.x, clientY: at.y }));
  await userEvent.click(page.getByRole("menuitem", { name: /^Add a note/ }));
  await expect.element(textBox).toHaveFocus();
  const box = boxOf(cards()[0]!);
  expect([box.left < at.x, at.x < box.right, box.top < at.y, at.y < box.bottom]).toEqual([true, true, true, true]);
  await userEvent.keyboard("Here{Escape}");
  await userEvent.click(note("Note: Here"), { button: "right" });
  await userEvent.click(page.getByRole("menuitem", { name: "Color: Green" }));
  await expect.poll(() => document.querySelector(".ac-note--green") !== null).toBe(true);
});

test("a note is made from the palette", async () => {
  await open(row(1));
  await userEvent.click(page.getByRole("button", { name: "Add a note" }));
  await expect.element(textBox).toHaveFocus();
  await userEvent.keyboard("From the palette{Escape}");
  await expect.element(note("Note: From the palette")).toBeVisible();
});

test("a note is copied with the nodes that are selected, and duplicated alone", async () => {
  await open(withNote("Twice"));
  note("Note: Twice").element().focus();
  await userEvent.keyboard("{Control>}d{/Control}");
  await expect.poll(() => cards().length).toBe(2);
  await userEvent.keyboard("{Control>}a{/Control}{Control>}c{/Control}{Control>}v{/Control}");
  await expect.poll(() => cards().length).toBe(4);
});

test("the list has the notes, with their text, colour and removing", async () => {
  await open(withNote("Listed"));
  await userEvent.click(page.getByText("List", { exact: true }), { force: true });
  const listed = page.getByRole("textbox", { name: "Text of note 1" });
  await expect.element(listed).toHaveValue("Listed");
  await userEvent.fill(listed, "Listed anew");
  await userEvent.click(page.getByText("Graph", { exact: true }), { force: true });
  await expect.element(note("Note: Listed anew")).toBeVisible();
});
