/** Inserting makes room: what follows goes right, what lies in the way goes down, and nothing lies on anything. */
import { expect, test } from "vitest";
import type { Graph } from "@accord/contracts/sync/graph";
import { insertOnEdge } from "../edit/edits.ts";
import { core, fn, graphOf, sink, source } from "../graph.fixtures.ts";
import { freeSpot, makeRoom, moveClear } from "./make-room.ts";
import { nodeHeight, NODE_SIZE } from "./node-size.ts";
import { tidyGraph } from "./auto-layout.ts";

let counter = 0;
const newId = () => `made-id-${String(++counter).padStart(8, "0")}`;
const at = (x: number, y: number) => ({ location: { x, y } });
const overlapping = (graph: Graph): string[] =>
  graph.nodes.flatMap((a, index) =>
    graph.nodes
      .slice(index + 1)
      .filter(
        (b) =>
          Math.abs(a.location.x - b.location.x) < NODE_SIZE.width &&
          a.location.y < b.location.y + nodeHeight(b) &&
          b.location.y < a.location.y + nodeHeight(a),
      )
      .map((b) => `${a.id} ${b.id}`),
  );
const placeOf = (graph: Graph, id: string) => graph.nodes.find((node) => node.id === id)?.location;

test("five nodes inserted in turn stand in a row, in front of all that follows", () => {
  let graph = graphOf(
    [
      { ...source("crm"), ...at(0, 0) },
      { ...core(), ...at(250, 0) },
      { ...sink("billing"), ...at(500, 0) },
    ],
    ["crm>core", "core>billing"],
  );
  let last = "crm";
  for (const name of ["a", "b", "c", "d", "e"]) {
    const before = placeOf(graph, last) ?? { x: 0, y: 0 };
    const [node] = graphOf([{ ...fn(name), ...at(before.x + 250, before.y) }]).nodes;
    const edge = graph.edges.find(({ source: { nodeId } }) => nodeId === last);
    const inserted = insertOnEdge(graph, edge?.id ?? "", node!, newId);
    if (!inserted.ok) throw new Error(inserted.reason);
    // Where the other node still stands, the new one is put exactly there.
    const moved: Graph = {
      ...inserted.graph,
      nodes: inserted.graph.nodes.map((each) => (each.id === name ? { ...each, location: node!.location } : each)),
    };
    graph = makeRoom(moved, [name]);
    last = name;
    expect(overlapping(graph)).toEqual([]);
  }
  expect(["crm", "a", "b", "c", "d", "e", "core", "billing"].map((id) => placeOf(graph, id)?.x)).toEqual([
    0, 250, 500, 750, 1000, 1250, 1500, 1750,
  ]);
});

test("a node that lies in the way goes down, and so does what it would lie on", () => {
  const graph = graphOf([
    { ...fn("new"), ...at(100, 100) },
    { ...fn("first"), ...at(120, 120) },
    { ...fn("second"), ...at(120, 210) },
    { ...fn("far"), ...at(900, 100) },
  ]);
  const roomy = makeRoom(graph, ["new"]);
  expect(overlapping(roomy)).toEqual([]);
  expect(placeOf(roomy, "new")).toEqual({ x: 100, y: 100 });
  expect(placeOf(roomy, "far")).toEqual({ x: 900, y: 100 });
  expect(makeRoom(roomy, ["new"])).toBe(roomy);
});

test("a free spot lies below what is there, however many there are", () => {
  const graph = graphOf([
    { ...fn("a"), ...at(0, 0) },
    { ...fn("big", "predicate"), ...at(10, 92) },
  ]);
  expect(freeSpot(graph, { x: 0, y: 0 })).toEqual({ x: 0, y: 92 + 106 + 40 });
  expect(freeSpot(graph, { x: 400, y: 0 })).toEqual({ x: 400, y: 0 });
});

test("nodes pasted on others move below them together", () => {
  const graph = graphOf([
    { ...fn("a"), ...at(0, 0) },
    { ...fn("b"), ...at(250, 0) },
    { ...fn("a2"), ...at(40, 40) },
    { ...fn("b2"), ...at(290, 40) },
  ]);
  const clear = moveClear(graph, ["a2", "b2"]);
  expect(overlapping(clear)).toEqual([]);
  expect([placeOf(clear, "a2"), placeOf(clear, "b2")]).toEqual([
    { x: 40, y: 92 },
    { x: 290, y: 92 },
  ]);
});

test("tidied up, decisions with their two ways out lie on nothing", () => {
  const decisions = ["a", "b", "c"].map((id) => fn(id, "predicate"));
  const graph = graphOf(
    [source("crm"), ...decisions, core()],
    ["crm>a", "crm>b", "crm>c", "a>core:true", "b>core:true", "c>core:true"],
  );
  expect(overlapping(tidyGraph(graph))).toEqual([]);
});
