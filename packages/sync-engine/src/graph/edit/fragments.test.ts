/** What of a selection becomes a fragment, and what inserting one adds to a graph. */
import { describe, expect, test } from "vitest";
import { core, fn, graphOf, sink, source } from "../graph.fixtures.ts";
import { addGroup } from "./edits.ts";
import { fragmentFault, fragmentOf, insertFragment } from "./fragments.ts";

let counter = 0;
const newId = () => `made-id-${String(++counter).padStart(8, "0")}`;
const graph = () =>
  graphOf(
    [source("crm"), fn("a"), fn("b"), core(), fn("c"), sink("billing")],
    ["crm>a", "a>b", "b>core", "core>c", "c>billing"],
  );
const contentOf = (from: ReturnType<typeof graph>, ids: string[]) => {
  const made = fragmentOf(from, new Set(ids));
  if (!made.ok) throw new Error(made.reason);
  return made.content;
};

describe("fragments", () => {
  test("[SYN-138] a fragment holds functions and actions, the edges among them and their groups, and nothing else", () => {
    const [clean] = graphOf([], [], [{ id: "g", name: "Clean" }]).groups;
    const grouped = addGroup(graph(), clean!, ["a", "b"]);
    if (!grouped.ok) throw new Error(grouped.reason);
    const content = contentOf(grouped.graph, ["crm", "a", "b", "core"]);
    expect(content.copyNodes.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(content.copyEdges.map(({ source: from, target }) => `${from}>${target}`)).toEqual(["a>b"]);
    expect(content.copyGroups.map(({ name }) => name)).toEqual(["Clean"]);
    expect(fragmentFault(content)).toBeUndefined();
    expect(fragmentOf(graph(), new Set(["crm", "core"]))).toEqual({ ok: false, reason: "invalid_selection" });
  });

  test("loops are left out with the edges to them, and a loop alone is no fragment", () => {
    const loop = graphOf(
      [fn("before"), fn("each", "forEach"), fn("inside"), fn("end", "endLoop")],
      ["before>each", "each>inside", "inside>end", "end>each"],
    );
    const content = contentOf(loop, ["before", "each", "inside", "end"]);
    expect(content.copyNodes.map(({ id }) => id)).toEqual(["before", "inside"]);
    expect(content.copyEdges).toEqual([]);
    expect(fragmentOf(loop, new Set(["each", "inside", "end", "before"])).ok).toBe(true);
    const alone = graphOf([fn("each", "forEach"), fn("end", "endLoop")], ["each>end", "end>each"]);
    expect(fragmentOf(alone, new Set(["each", "end"]))).toEqual({ ok: false, reason: "invalid_selection" });
  });

  test("[SYN-138] it is inserted with its shape, new ids and labels of its own, at the place that was meant", () => {
    const content = contentOf(graph(), ["a", "b"]);
    const before = graph();
    const made = insertFragment(before, { context: "entity", content }, { x: 100, y: 900 }, newId);
    const [first, second] = made.graph.nodes.filter(({ id }) => made.nodeIds.includes(id));
    expect([first?.label, second?.label]).toEqual(["a 1", "b 1"]);
    expect(first?.location).toEqual({ x: 100, y: 900 });
    expect(second?.location).toEqual({ x: 300, y: 900 });
    const [edge] = made.graph.edges.filter(({ source: from }) => made.nodeIds.includes(from.nodeId));
    expect(edge?.destination.nodeId).toBe(second?.id);
    expect(made.graph.nodes.slice(0, before.nodes.length)).toEqual(before.nodes);
  });

  test("a source, a loop, or an edge to nowhere is named as what a fragment can't hold", () => {
    const content = contentOf(graph(), ["a", "b"]);
    const [crm] = graph().nodes;
    expect(fragmentFault({ ...content, copyNodes: [...content.copyNodes, crm!] })).toEqual({ node: "crm" });
    const [each] = graphOf([fn("each", "forEach")]).nodes;
    expect(fragmentFault({ ...content, copyNodes: [...content.copyNodes, each!] })).toEqual({ node: "each" });
    expect(fragmentFault({ ...content, copyNodes: content.copyNodes.slice(0, 1) })).toEqual({
      edge: content.copyEdges[0]?.id,
    });
  });
});
