/** Which nodes lie on which path: to the core, to a destination, and to actions that lead no further. */
import { expect, test } from "vitest";
import { core, fn, graphOf, sink, source } from "../../graph/graph.fixtures.ts";
import { actionsBehindCore, nodesToCore, nodesToSink } from "./path-nodes.ts";

const act = (id: string) => ({ id, label: id, nodeType: "ACTION", apiName: "log", configuration: {} });
const nodes = [
  ...[source("crm"), source("shop"), core(), sink("billing"), sink("books")],
  ...["a", "b", "c", "d", "e", "f", "lost"].map((id) => fn(id)),
  ...["side", "on", "last", "shared"].map(act),
];
const graph = graphOf(nodes, [
  ...["crm>a", "a>on", "on>core", "a>b", "b>side", "crm>lost", "shop>c", "c>core"],
  ...["core>d", "d>billing", "core>e", "e>last", "core>shared", "shared>f", "f>books"],
]);
const ids = (set: ReadonlySet<string>): string[] => [...set].sort();

test("a source path holds what leads to the core, and to actions on the way, not what ends in nothing", () => {
  expect(ids(nodesToCore(graph, "crm", "core"))).toEqual(["a", "b", "on", "side"]);
  expect(ids(nodesToCore(graph, "shop", "core"))).toEqual(["c"]);
});

test("a sink path holds what leads there from the core", () => {
  expect(ids(nodesToSink(graph, "core", "billing"))).toEqual(["d"]);
  expect(ids(nodesToSink(graph, "core", "books"))).toEqual(["f", "shared"]);
});

test("actions behind the core that lead to no destination have a path of their own", () => {
  expect(ids(actionsBehindCore(graph))).toEqual(["e", "last"]);
  expect(ids(actionsBehindCore(graphOf([source("crm"), act("side")], ["crm>side"])))).toEqual([]);
  expect(ids(actionsBehindCore(graphOf(nodes.slice(0, 5), ["crm>core", "core>billing"])))).toEqual([]);
});
