/** Which edges a pipeline may have, where nodes stand and what they are called. */
import { describe, expect, test } from "vitest";
import { addEdge, addNode, insertOnEdge, normaliseGraph, removeNodes, moveNodes, changeNode } from "./edit/edits.ts";
import { refusedEdges, edgeViolation } from "./edge-rules.ts";
import { core, fn, graphOf, sink, source } from "./graph.fixtures.ts";
import { ringLayout, spreadOverlaps } from "./layout/layout.ts";
import { uniqueName } from "./edit/naming.ts";
import { sidesOf, topologicalOrder } from "./walk.ts";

const chain = () =>
  graphOf([source("crm"), fn("upper"), core(), sink("billing")], ["crm>upper", "upper>core", "core>billing"]);
let counter = 0;
const newId = () => `made-id-${String(++counter).padStart(8, "0")}`;

describe("edges", () => {
  test("[SYN-080] an edge needs two different nodes that are not connected yet", () => {
    const graph = chain();
    expect(edgeViolation(graph, { source: "crm", target: "ghost" }, "drawn")).toBe("edge_end_missing");
    expect(edgeViolation(graph, { source: "upper", target: "upper" }, "drawn")).toBe("edge_onto_itself");
    expect(edgeViolation(graph, { source: "crm", target: "upper" }, "drawn")).toBe("edge_exists");
    expect(edgeViolation(graph, { source: "crm", target: "core" }, "drawn")).toBeNull();
  });

  test("[SYN-080] saving a graph finds the same refused edges", () => {
    const graph = graphOf([source("crm"), core()], ["crm>core", "crm>core", "core>core", "crm>ghost"]);
    expect(refusedEdges(graph).map((edge) => edge.reason)).toEqual([
      "edge_exists",
      "edge_onto_itself",
      "edge_end_missing",
    ]);
  });

  test("[SYN-081] nothing is drawn into a decision, but it is inserted on an edge and pasted edges keep", () => {
    const graph = graphOf([source("crm"), fn("big", "predicate"), core()], ["crm>core"]);
    expect(edgeViolation(graph, { source: "crm", target: "big" }, "drawn")).toBe("edge_into_predicate");
    expect(edgeViolation(graph, { source: "crm", target: "big" }, "pasted")).toBeNull();

    const plain = graphOf([source("crm"), core()], ["crm>core"]);
    const decision = graphOf([fn("big", "predicate")]).nodes[0]!;
    const edited = insertOnEdge(plain, plain.edges[0]!.id, decision, newId);
    if (!edited.ok) throw new Error(edited.reason);
    expect(edited.graph.edges.map((edge) => [edge.source.nodeId, edge.destination.nodeId, edge.edgeType])).toEqual([
      ["crm", "big", "default"],
      ["big", "core", "true"],
    ]);
  });

  test("records reach destinations only through the core, and never go in circles", () => {
    const graph = chain();
    expect(edgeViolation(graph, { source: "crm", target: "billing" }, "drawn")).toBe("edge_past_core");
    expect(edgeViolation(graph, { source: "core", target: "crm" }, "drawn")).toBe("edge_into_source");
    expect(edgeViolation(graph, { source: "billing", target: "core" }, "drawn")).toBe("edge_out_of_sink");
    expect(edgeViolation(graph, { source: "core", target: "upper" }, "drawn")).toBe("edge_closes_circle");
  });

  test("[SYN-070] End loop leads back to a loop start only, which is the one circle allowed", () => {
    const graph = graphOf(
      [source("crm"), fn("each", "forEach"), fn("other", "forEach"), fn("end", "endLoop"), core()],
      ["crm>each", "each>end", "end>core"],
    );
    expect(edgeViolation(graph, { source: "end", target: "each" }, "drawn")).toBeNull();
    expect(edgeViolation(graph, { source: "each", target: "core" }, "drawn")).toBe("loop_start_only_to_loop_side");
    const looped = graphOf([fn("each", "forEach"), fn("end", "endLoop")], ["each>end", "end>each"]);
    expect(topologicalOrder(looped)?.map((node) => node.id)).toEqual(["each", "end"]);
  });

  test("[SYN-060] a drawn edge gets anchors 2 and 0", () => {
    const edited = addEdge(chain(), { id: newId(), source: "crm", target: "core" }, "drawn");
    if (!edited.ok) throw new Error(edited.reason);
    const edge = edited.graph.edges.at(-1)!;
    expect([edge.sourceAnchor, edge.targetAnchor, edge.source.anchor, edge.destination.anchor]).toEqual([2, 0, 2, 0]);
  });

  test("[SYN-071] edges with a short id or none get a new one on saving", () => {
    const graph = chain();
    graph.edges[0]!.id = "abc";
    graph.edges[1]!.id = "";
    const saved = normaliseGraph(graph, newId);
    expect(saved.edges.every((edge) => edge.id.length >= 12)).toBe(true);
    expect(saved.edges[2]!.id).toBe(graph.edges[2]!.id);
  });
});

describe("nodes", () => {
  test("[SYN-067] removing a node removes its edges", () => {
    const graph = removeNodes(chain(), new Set(["upper"]));
    expect(graph.nodes.map((node) => node.id)).toEqual(["crm", "core", "billing"]);
    expect(graph.edges.map((edge) => edge.source.nodeId)).toEqual(["core"]);
  });

  test("[SYN-068] positions are rounded down; configuration is replaced", () => {
    const moved = moveNodes(chain(), new Map([["upper", { x: 10.7, y: 20.9 }]]));
    expect(moved.nodes.find((node) => node.id === "upper")?.location).toEqual({ x: 10, y: 20 });
    const changed = changeNode(moved, "upper", { label: "Shout", configuration: { value: "x" } });
    expect(changed.nodes.find((node) => node.id === "upper")).toMatchObject({
      label: "Shout",
      configuration: { value: "x" },
    });
  });

  test("[SYN-069] names count up and stay unique, labels too", () => {
    expect(uniqueName("Map", ["Map"])).toBe("Map 1");
    expect(uniqueName("Map", ["map", "MAP 1"])).toBe("Map 2");
    expect(uniqueName("Map 9", ["Map 9"])).toBe("Map 10");
    const many = Array.from({ length: 40 }, (_, index) => (index ? `Map ${index}` : "Map"));
    expect(many).not.toContain(uniqueName("Map", many));

    let graph = chain();
    for (const id of ["a", "b", "c"]) graph = addNode(graph, { ...graphOf([fn(id)]).nodes[0]!, label: "Map" });
    expect(graph.nodes.slice(-3).map((node) => node.label)).toEqual(["Map", "Map 1", "Map 2"]);
    expect(changeNode(graph, "c", { label: "Map 1" }).nodes.at(-1)?.label).toBe("Map 2");
  });

  test("[SYN-073] nodes lying on each other are moved apart; rings hold 12, 24, 48", () => {
    const graph = graphOf([
      { ...fn("a"), location: { x: 100, y: 100 } },
      { ...fn("b"), location: { x: 110, y: 110 } },
    ]);
    const [a, b] = spreadOverlaps(graph).nodes;
    expect(a?.location).toEqual({ x: 100, y: 100 });
    expect(Math.abs(b!.location.x - 100) >= 25 || Math.abs(b!.location.y - 100) >= 25).toBe(true);

    const places = ringLayout(30, { x: 0, y: 0 });
    const radii = places.map((at) => Math.round(Math.hypot(at.x, at.y) / 250));
    expect(radii.filter((ring) => ring === 1)).toHaveLength(12);
    expect(radii.filter((ring) => ring === 2)).toHaveLength(18);
  });

  test("each node knows its side of the core", () => {
    const sides = sidesOf(
      graphOf(
        [source("crm"), fn("upper"), core(), sink("billing"), fn("alone")],
        ["crm>upper", "upper>core", "core>billing"],
      ),
    );
    expect(Object.fromEntries(sides)).toEqual({
      crm: "source",
      upper: "source",
      core: "core",
      billing: "destination",
      alone: "unconnected",
    });
  });
});
