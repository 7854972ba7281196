/** Tidying up a graph, and what differs between two versions of it. */
import { describe, expect, test } from "vitest";
import { compareGraphs, isSame, isSameContent } from "./compare.ts";
import { changeNode, moveNodes, removeNodes } from "./edit/edits.ts";
import { core, fn, graphOf, sink, source } from "./graph.fixtures.ts";
import { TIDY, tidyGraph } from "./layout/auto-layout.ts";
import { nodeHeight, NODE_SIZE } from "./layout/node-size.ts";
import type { Graph } from "@accord/contracts/sync/graph";

const thread = () =>
  graphOf(
    [source("crm"), source("billing"), fn("trim"), fn("upper"), core(), fn("isBig", "predicate"), sink("a"), sink("b")],
    ["crm>trim", "trim>upper", "upper>core", "billing>core", "core>isBig", "isBig>a:true", "core>b"],
  );
const at = (graph: Graph, id: string) => graph.nodes.find((node) => node.id === id)!.location;

describe("tidying up", () => {
  test("columns follow the way of a record; sources stand leftmost and destinations rightmost", () => {
    const graph = tidyGraph(thread());
    const x = (id: string) => at(graph, id).x;
    expect(x("crm")).toBe(x("billing"));
    expect([x("trim"), x("upper"), x("core")].map((left) => (left - x("crm")) / TIDY.column)).toEqual([1, 2, 3]);
    expect(x("a")).toBe(x("b"));
    expect(x("a") - x("isBig")).toBe(TIDY.column);
  });

  test("a straight way stays level and nothing lies on anything", () => {
    const graph = tidyGraph(thread());
    expect(at(graph, "crm").y).toBe(at(graph, "trim").y);
    expect(at(graph, "trim").y).toBe(at(graph, "upper").y);
    const places = graph.nodes.map((node) => node.location);
    for (const [index, one] of places.entries())
      for (const other of places.slice(index + 1))
        expect(Math.abs(one.x - other.x) >= 196 || Math.abs(one.y - other.y) >= 52).toBe(true);
    // The connection from Billing passes beside the functions of the other way, not through them.
    expect(Math.abs(at(graph, "billing").y - at(graph, "trim").y)).toBeGreaterThan(52);
  });

  test("each branch has a lane of its own, in the order in which its node lists them, wherever they stood", () => {
    const cases = { cases: [{ name: "Inland" }, { name: "Abroad" }] };
    const graph = graphOf(
      [
        ...[source("crm"), fn("isBig", "predicate"), fn("small"), fn("big"), fn("bigger"), core()],
        ...[fn("case", "case", cases), fn("rest"), fn("abroad"), fn("inland"), sink("a"), sink("b")],
      ],
      [
        ...["crm>isBig", "isBig>small:false", "small>core", "isBig>big:true", "big>bigger", "bigger>core"],
        ...["core>case", "case>rest:default", "case>abroad:Abroad", "case>inland:Inland"],
        ...["rest>b", "abroad>a", "inland>a"],
      ],
    );
    const tidy = tidyGraph(graph);
    const y = (id: string) => at(tidy, id).y;
    expect(y("bigger"), "the way where it is true").toBe(y("big"));
    const lanes = [
      ["big", "small"],
      ["inland", "abroad", "rest"],
    ].map((ids) => ids.map(y));
    for (const tops of lanes)
      for (const [index, top] of tops.entries())
        if (index > 0) expect(top - (tops[index - 1] ?? 0)).toBeGreaterThanOrEqual(TIDY.row);
    expect(tidyGraph(tidy)).toEqual(tidy);
  });

  test("the core node stays where it is, doing it again changes nothing, and loose nodes stand below", () => {
    const loose = graphOf([source("crm"), core(), fn("alone")], ["crm>core"]);
    const graph = tidyGraph(loose);
    expect(at(graph, "core")).toEqual(at(loose, "core"));
    expect(tidyGraph(graph)).toEqual(graph);
    expect(at(graph, "alone").y).toBeGreaterThan(at(graph, "core").y + 52);
  });

  test("a graph that closes a circle stays as it is", () => {
    const circle = graphOf([fn("a"), fn("b")], ["a>b", "b>a"]);
    expect(tidyGraph(circle)).toBe(circle);
  });
});

/** What a person builds in an hour: two sources, a decision, a loop, a case, two destinations. */
const fifteen = () =>
  graphOf(
    [
      source("crm"),
      source("billing"),
      fn("filter", "filter"),
      fn("isBig", "predicate"),
      fn("small"),
      fn("big"),
      fn("split", "split"),
      fn("each", "forEach"),
      fn("title"),
      fn("end", "endLoop"),
      fn("join"),
      fn("case", "case", { cases: [{ name: "Inland" }, { name: "Abroad" }] }),
      core(),
      sink("a"),
      sink("b"),
    ],
    [
      ..."crm>filter filter>isBig isBig>small:false isBig>big:true big>split split>each each>title title>end".split(
        " ",
      ),
      ..."end>each end>join join>case case>core:Inland small>core billing>core core>a core>b".split(" "),
    ],
  );
const extent = (graph: Graph) => {
  const [xs, ys] = [graph.nodes.map(({ location }) => location.x), graph.nodes.map(({ location }) => location.y)];
  const bottom = Math.max(...graph.nodes.map((node) => node.location.y + nodeHeight(node)));
  return { width: Math.max(...xs) + NODE_SIZE.width - Math.min(...xs), height: bottom - Math.min(...ys) };
};
const overlaps = ({ nodes }: Graph): string[] =>
  nodes.flatMap((one, index) =>
    nodes
      .slice(index + 1)
      .filter(
        (other) =>
          Math.abs(one.location.x - other.location.x) < NODE_SIZE.width &&
          one.location.y < other.location.y + nodeHeight(other) &&
          other.location.y < one.location.y + nodeHeight(one),
      )
      .map((other) => `${one.id} on ${other.id}`),
  );

describe("wrapping", () => {
  test("a long pipeline is wrapped into bands, so that all of it fits the canvas of a laptop at four fifths of its size", () => {
    const graph = tidyGraph(fifteen());
    const { width, height } = extent(graph);
    expect(Math.min(920 / width, 740 / height)).toBeGreaterThan(0.8);
    expect(overlaps(graph)).toEqual([]);
    expect(tidyGraph(graph)).toEqual(graph);
  });

  test("loops and groups stay in one band", () => {
    const graph = tidyGraph(fifteen());
    expect([at(graph, "title").x, at(graph, "end").x].map((x) => x - at(graph, "each").x)).toEqual([
      TIDY.column,
      2 * TIDY.column,
    ]);
    const chain = "abcdefghijkl".split("");
    const ways = chain.slice(1).map((id, index) => `${chain[index]}>${id}`);
    const nodes = chain.map((id) => ("def".includes(id) ? { ...fn(id), groupId: "g" } : fn(id)));
    const wrapped = tidyGraph(graphOf(nodes, ways, [{ id: "g", name: "G" }]));
    expect(new Set(wrapped.nodes.map(({ location }) => location.y)).size).toBeGreaterThan(1);
    expect(at(wrapped, "f").x - at(wrapped, "d").x).toBe(2 * TIDY.column);
  });

  test("what fits a screen stays in one band", () => {
    const graph = tidyGraph(
      graphOf([source("crm"), fn("trim"), core(), sink("a")], ["crm>trim", "trim>core", "core>a"]),
    );
    expect(new Set(graph.nodes.map(({ location }) => location.y)).size).toBe(1);
  });
});

describe("comparing versions", () => {
  test("moving nodes is no difference", () => {
    const before = thread();
    const moved = moveNodes(before, new Map([["trim", { x: 5, y: 5 }]]));
    expect(isSame(compareGraphs(before, moved))).toBe(true);
  });

  test("added, changed and removed nodes and connections are distinguished, with what changed", () => {
    const before = thread();
    const changed = changeNode(removeNodes(before, new Set(["upper"])), "trim", {
      label: "Trim name",
      configuration: { field: "Name" },
    });
    const after = { ...changed, nodes: [...changed.nodes, ...graphOf([fn("lower")]).nodes] };
    const found = compareGraphs(before, after);
    expect(found.added.map((node) => node.id)).toEqual(["lower"]);
    expect(found.removed.map((node) => node.id)).toEqual(["upper"]);
    expect(found.changed.map(({ after: node, aspects, settings }) => [node.id, aspects, settings])).toEqual([
      ["trim", ["label", "settings"], ["field"]],
    ]);
    expect(found.removedEdges).toHaveLength(2);
    expect(found.addedEdges).toEqual([]);
  });

  test("added, renamed and removed groups are distinguished; folding one is no difference", () => {
    const grouped = (groups: { id: string; name: string; collapsed?: boolean }[]) => graphOf([fn("a")], [], groups);
    const before = grouped([
      { id: "kept", name: "Kept" },
      { id: "renamed", name: "Old name" },
      { id: "gone", name: "Gone" },
    ]);
    const after = grouped([
      { id: "kept", name: "Kept", collapsed: true },
      { id: "renamed", name: "New name" },
      { id: "new", name: "New" },
    ]);
    const found = compareGraphs(before, after);
    expect(found.addedGroups.map(({ id }) => id)).toEqual(["new"]);
    expect(found.removedGroups.map(({ id }) => id)).toEqual(["gone"]);
    expect(found.changedGroups.map((each) => [each.before.name, each.after.name])).toEqual([["Old name", "New name"]]);
    expect(isSame(found)).toBe(false);
  });

  test("the order of keys in a configuration is no difference", () => {
    const one = graphOf([fn("a", "replace", { find: "x", by: { to: 1, all: true } })]);
    const two = graphOf([fn("a", "replace", { by: { all: true, to: 1 }, find: "x" })]);
    expect(isSame(compareGraphs(one, two))).toBe(true);
  });
});

test("two parts say the same whatever the order of their keys, and what is absent or null says nothing", () => {
  const node = { id: "a", label: "A", configuration: { list: [1, { deep: null }], text: "x" } };
  const same = { configuration: { text: "x", gone: undefined, list: [1, {}] }, label: "A", id: "a", groupId: null };
  expect(isSameContent(node, same)).toBe(true);
  expect(isSameContent(undefined, null)).toBe(true);
  for (const configuration of [
    { ...node.configuration, text: "y" },
    { ...node.configuration, more: 0 },
    { ...node.configuration, list: [1] },
    { ...node.configuration, list: { 0: 1, 1: {} } },
    { ...node.configuration, list: [{ deep: null }, 1] },
    { ...node.configuration, list: ["1", {}] },
  ])
    expect(isSameContent(node, { ...node, configuration })).toBe(false);
});
