/** Ways out of a node, and what is placed with a loop. */
import { expect, test } from "vitest";
import { addEdge, changeNode, insertOnEdge } from "./edit/edits.ts";
import { catalogue, fn, core, graphOf, source } from "./graph.fixtures.ts";
import { addLoop } from "./edit/add-loop.ts";
import { freePort, outPorts, portOf } from "./ports.ts";
import { functionProblems } from "./validation/validate-functions.ts";
import { loopProblems } from "./validation/validate.ts";

const node = (...input: Parameters<typeof fn>) => {
  const [made] = graphOf([fn(...input)]).nodes;
  if (!made) throw new Error("no node");
  return made;
};
const loop = { start: node("each", "forEach"), end: node("end", "endLoop") };
let counter = 0;
const newId = () => `made-id-${String(++counter).padStart(8, "0")}`;
const ways = (graph: ReturnType<typeof graphOf>) =>
  graph.edges.map((edge) => `${edge.source.nodeId}>${edge.destination.nodeId}:${edge.edgeType}`);

test("a second edge out of a decision takes the branch that is free", () => {
  let graph = graphOf([source("crm"), fn("big", "predicate"), fn("a"), fn("b"), fn("c"), core()], ["crm>big"]);
  for (const target of ["a", "b", "c"]) {
    const made = addEdge(graph, { id: newId(), source: "big", target }, "drawn");
    if (!made.ok) throw new Error(made.reason);
    graph = made.graph;
  }
  expect(ways(graph).slice(1)).toEqual(["big>a:true", "big>b:false", "big>c:true"]);
});

test("a decision put on its own other branch leaves by true, and the branch it was put on stays", () => {
  const graph = graphOf([fn("big", "predicate"), fn("a"), fn("b")], []);
  const first = addEdge(graph, { id: newId(), source: "big", target: "a", edgeType: "false" }, "drawn");
  if (!first.ok) throw new Error(first.reason);
  const inserted = insertOnEdge(first.graph, first.graph.edges[0]!.id, node("small", "predicate"), newId);
  if (!inserted.ok) throw new Error(inserted.reason);
  expect(ways(inserted.graph)).toEqual(["big>small:false", "small>a:true"]);
});

test("a Case has a port for each case, one for all others and one for every record", () => {
  const sort = node("sort", "case", { cases: [{ name: "Big" }, { name: " " }, { name: "Small" }, { name: "Big" }] });
  expect(outPorts(sort)).toEqual(["Big", "Small", "Default", "default"]);
  const graph = graphOf([sort, fn("a"), fn("b")], []);
  expect(freePort(graph, sort)).toBe("Big");
  const made = addEdge(graph, { id: newId(), source: "sort", target: "a" }, "drawn");
  if (!made.ok) throw new Error(made.reason);
  expect(freePort(made.graph, sort)).toBe("Small");
  expect(portOf(sort, { edgeType: "Gone" })).toBe("Big");
});

test("edges follow a case that is renamed; an edge whose case is gone is a problem", () => {
  const cases = (...names: string[]) => ({ cases: names.map((name) => ({ name })) });
  const graph = graphOf(
    [fn("sort", "case", cases("Big", "Small")), fn("a"), fn("b")],
    ["sort>a:Big", "sort>b:Small", "sort>b:Default"],
  );
  const problems = (of: typeof graph) => functionProblems(of, catalogue).map(({ code }) => code);
  expect(problems(graph)).toEqual([]);
  const renamed = changeNode(graph, "sort", { configuration: cases("Large", "Small") });
  expect(ways(renamed)).toEqual(["sort>a:Large", "sort>b:Small", "sort>b:Default"]);
  const swapped = changeNode(graph, "sort", { configuration: cases("Small", "Small") });
  expect(ways(swapped)).toEqual(ways(graph));
  const removed = changeNode(graph, "sort", { configuration: cases("Small") });
  expect(ways(removed)).toEqual(ways(graph));
  expect(problems(removed)).toEqual(["edge_type_unknown"]);
});

test("Case branches behind a Case follow its case that is renamed; those behind another one stay", () => {
  const cases = (...names: string[]) => ({ cases: names.map((name) => ({ name })) });
  const graph = graphOf(
    [
      fn("sort", "case", cases("Big", "Small")),
      fn("other", "case", cases("Big")),
      fn("a", "caseBranch", { case: "Big" }),
      fn("b", "caseBranch", { case: "Small" }),
      fn("c", "caseBranch", { case: "Any" }),
      fn("d", "caseBranch", { case: "Big" }),
    ],
    ["sort>a", "sort>b", "sort>c", "other>d"],
  );
  const renamed = changeNode(graph, "sort", { configuration: cases("Large", "Small") });
  const followed = renamed.nodes.flatMap(({ configuration }) => configuration["case"] ?? []);
  expect(followed).toEqual(["Large", "Small", "Any", "Big"]);
});

test("a For each comes with its End loop and the way back, between the nodes it is put between", () => {
  const graph = graphOf([source("crm"), core()], ["crm>core"]);
  const made = addLoop(graph, loop, { edgeId: graph.edges[0]!.id }, newId);
  expect(ways(made)).toEqual(["crm>each:default", "each>end:default", "end>each:default", "end>core:default"]);
  expect(loopProblems(made)).toEqual([]);
  const behind = addLoop(graph, loop, { afterId: "crm" }, newId);
  expect(ways(behind)).toContain("crm>each:default");
  const alone = addLoop(graph, loop, {}, newId);
  expect(ways(alone)).toEqual(["crm>core:default", "each>end:default", "end>each:default"]);
});
