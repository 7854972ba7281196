/** A run that ends at a node: only what leads there has to be complete. */
import { expect, test } from "vitest";
import { validateGraph } from "./validation/validate.ts";
import { catalogue, core, CRM, fn, graphOf, sink, source } from "./graph.fixtures.ts";
import { CLOSING_ID_PREFIX, graphUpTo } from "./graph-up-to.ts";

const drawn = (ids: Iterable<string>) => [...ids].toSorted((a, b) => (a < b ? -1 : 1));
const upTo = (graph: ReturnType<typeof graphOf>, nodeId: string) => graphUpTo(graph, { sourceIds: ["crm"], nodeId });
/** Edges as `a>b`; nodes that only close the run are written `*`. */
const ways = (partial: ReturnType<typeof upTo>) => {
  const name = (id: string) => (id.startsWith(CLOSING_ID_PREFIX) ? "*" : id);
  return partial?.graph.edges.map((edge) => `${name(edge.source.nodeId)}>${name(edge.destination.nodeId)}`);
};

test("nodes on other paths and behind the node don't run, and what is missing there is no problem", () => {
  const incomplete = fn("incomplete", "setValue");
  const graph = graphOf(
    [source("crm"), fn("first"), fn("second"), fn("branch"), incomplete, core(), sink("billing")],
    [
      "crm>first",
      "first>second",
      "first>branch",
      "branch>core",
      "second>incomplete",
      "incomplete>core",
      "core>billing",
    ],
  );
  const partial = upTo(graph, "second");
  expect(drawn(partial!.nodeIds)).toEqual(["crm", "first", "second"]);
  expect(ways(partial)).toEqual(["crm>first", "first>second", "second>core"]);
  const errors = validateGraph(partial!.graph, catalogue).filter(({ severity }) => severity === "error");
  expect(errors).toEqual([]);
});

test("behind the core the source's path to it runs too, and the node needs no destination", () => {
  const graph = graphOf(
    [source("crm"), fn("before"), core(), fn("after"), fn("beside")],
    ["crm>before", "before>core", "core>after", "core>beside"],
  );
  const partial = upTo(graph, "after");
  expect(drawn(partial!.nodeIds)).toEqual(["after", "before", "core", "crm"]);
  expect(ways(partial)).toEqual(["crm>before", "before>core", "core>after", "after>*"]);
});

test("a loop that the run leaves gets an end, each of several, and one that was run through stays as it is", () => {
  const loop = (id: string) => fn(id, "forEach", { list: "x" });
  const graph = graphOf(
    [source("crm"), loop("outer"), loop("inner"), fn("step"), fn("ie", "endLoop"), fn("oe", "endLoop"), core()],
    ["crm>outer", "outer>inner", "inner>step", "step>ie", "ie>inner", "ie>oe", "oe>outer", "oe>core"],
  );
  expect(ways(upTo(graph, "step"))).toEqual([
    "crm>outer",
    "outer>inner",
    "inner>step",
    "step>*",
    "*>inner",
    "*>*",
    "*>outer",
    "*>core",
  ]);
  expect(ways(upTo(graph, "ie"))).toEqual([
    "crm>outer",
    "outer>inner",
    "inner>step",
    "step>ie",
    "ie>inner",
    "ie>*",
    "*>outer",
    "*>core",
  ]);
  expect(ways(upTo(graph, "oe"))?.at(-1)).toBe("oe>core");
  expect(ways(upTo(graph, "outer"))).toEqual(["crm>outer", "outer>*", "*>outer", "*>core"]);
});

test("a decision leads on by one of its branches", () => {
  const graph = graphOf([source("crm"), fn("decide", "predicate"), core()], ["crm>decide"]);
  expect(upTo(graph, "decide")?.graph.edges.map(({ edgeType }) => edgeType)).toEqual(["default", "true"]);
});

test("a node that nothing leads to from the source can't be run to", () => {
  const graph = graphOf([source("crm"), source("shop", CRM), fn("loose"), core(), fn("behind")], ["shop>core"]);
  expect(upTo(graph, "loose")).toBeNull();
  expect(upTo(graph, "core")).toBeNull();
  expect(upTo(graph, "gone")).toBeNull();
  expect(drawn(upTo(graph, "crm")!.nodeIds)).toEqual(["crm"]);
});

test("a field pipeline behind the core runs without a source, to a destination that is lent to it", () => {
  const attribute = { id: "core", label: "Phone", apiName: "Phone", nodeType: "CORE_ATTRIBUTE" };
  const graph = graphOf([attribute, fn("trim")], ["core>trim"]);
  const sinkPlace = { connectorId: CRM, entityDefinition: "company" };
  const partial = graphUpTo(graph, { sourceIds: [], nodeId: "trim", sinkPlace });
  expect(partial?.graph.nodes.at(-1)).toMatchObject({ nodeType: "ATTRIBUTE_SINK", configuration: sinkPlace });
  expect(graphUpTo(graph, { sourceIds: [], nodeId: "core" })?.graph.edges).toEqual([]);
});
