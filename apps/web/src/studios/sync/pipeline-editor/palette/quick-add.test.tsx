/** Who adds a node by keyboard chooses by which branch it follows, by the names of the branches. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openEditor, serveEditor } from "../canvas/view/editor.fixtures.tsx";

serveEditor({ width: 1440, height: 900 });

const CASES = ["Closed", "On hold"].map((name) => ({ name }));
const graph = Graph.parse({
  nodes: [
    {
      ...{ id: "case", label: "Case", nodeType: "FUNCTION", apiName: "case", location: { x: 0, y: 0 } },
      configuration: { cases: CASES },
    },
    { id: "next", label: "Next", nodeType: "FUNCTION", apiName: "trim", location: { x: 300, y: 0 } },
  ],
  edges: [{ id: "edge", source: { nodeId: "case" }, destination: { nodeId: "next" }, edgeType: "Closed" }],
});

const node = (label: string) => page.getByRole("group", { name: label, exact: true });
const branch = page.getByRole("combobox", { name: "Branch of Case" });
const edges = (): (string | null)[] =>
  [...document.querySelectorAll(".react-flow__edge")].map((edge) => edge.getAttribute("aria-label"));

async function add(): Promise<void> {
  openEditor(graph);
  await expect.element(node("Case")).toBeVisible();
  node("Case").element().focus();
  await userEvent.keyboard("a");
  await expect.element(page.getByRole("dialog", { name: "Add a node" }).getByRole("textbox")).toHaveFocus();
}

test("the first free branch is offered, with its name, and those that are taken say where they lead", async () => {
  await add();
  await expect.element(branch).toHaveValue("On hold");
  expect([...branch.element().querySelectorAll("option")].map(({ text }) => text)).toEqual([
    "Closed (to Next)",
    "On hold",
    "Otherwise",
    "Every record",
  ]);
});

test("Alt with an arrow takes another branch while one types, and the node follows by it", async () => {
  await add();
  await userEvent.keyboard("{Alt>}{ArrowDown}{/Alt}lower{Enter}");
  await expect.poll(edges).toContain("Connection from Case, Otherwise, to Lower case");
});

test("by the choice itself, arrows choose among branches; onto one that is taken, the node goes between", async () => {
  await add();
  await userEvent.keyboard("{Shift>}{Tab}{/Shift}");
  await expect.element(branch).toHaveFocus();
  await userEvent.selectOptions(branch, "Closed (to Next)");
  await expect.element(branch).toHaveFocus();
  await userEvent.keyboard("{Tab}lower{Enter}");
  await expect.poll(edges).toContain("Connection from Case, Closed, to Lower case");
  expect(edges()).toContain("Connection from Lower case to Next");
  expect(edges()).toHaveLength(2);
});

test("where a node has one way out there is nothing to choose", async () => {
  openEditor(graph);
  await expect.element(node("Next")).toBeVisible();
  node("Next").element().focus();
  await userEvent.keyboard("a");
  await expect.element(page.getByRole("dialog", { name: "Add a node" })).toBeVisible();
  expect(page.getByRole("combobox", { name: /^Branch of/ }).query()).toBeNull();
});
