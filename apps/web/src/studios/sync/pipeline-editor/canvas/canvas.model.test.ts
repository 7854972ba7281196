/** What the canvas draws, and where the palette puts things. */
import { Graph } from "@accord/contracts/sync/graph";
import { describe, expect, test } from "vitest";
import { FlowBuilder, toFlow } from "./canvas.model.ts";
import { placeItem } from "./place-item.ts";

const node = (id: string, nodeType: string, more: object = {}) => ({
  id,
  label: id,
  nodeType,
  location: { x: 0, y: 0 },
  ...more,
});
const edge = (id: string, from: string, to: string, edgeType = "default") => ({
  id,
  source: { nodeId: from },
  destination: { nodeId: to },
  edgeType,
});

const graph = (collapsed = false) =>
  Graph.parse({
    nodes: [
      node("crm", "ENTITY_SOURCE"),
      node("trim", "FUNCTION", { apiName: "trim", groupId: "clean", location: { x: 200, y: 10 } }),
      node("big", "FUNCTION", { apiName: "predicate", groupId: "clean", location: { x: 400, y: 90 } }),
      node("core", "CORE_ENTITY", { location: { x: 700, y: 0 } }),
    ],
    edges: [edge("e1", "crm", "trim"), edge("e2", "trim", "big"), edge("e3", "big", "core", "true")],
    groups: [{ id: "clean", name: "Clean", collapsed }],
  });

const input = (from: Graph) => ({
  graph: from,
  selected: ["trim"],
  selectedEdge: "e3",
  errors: new Map([["big", 2]]),
  readOnly: false,
  edgeName: (a: { label: string }, b: { label: string }, port: string) => `${a.label} to ${b.label} by ${port}`,
});
const draw = (from: Graph) => toFlow(input(from));

describe("canvas", () => {
  test("a collapsed group says how much is wrong with its members", () => {
    const area = draw(graph(true)).nodes.find((item) => item.id === "clean");
    expect(area?.data).toMatchObject({ memberIds: ["trim", "big"], errors: 2 });
  });

  test("a group lies behind its members, around all of them", () => {
    const flow = draw(graph());
    const area = flow.nodes[0]!;
    expect(area).toMatchObject({ id: "clean", type: "area", position: { x: 180, y: -20 }, zIndex: -1 });
    expect([area.width, area.height]).toEqual([436, 236]);
    expect(flow.nodes.find((item) => item.id === "trim")?.selected).toBe(true);
    expect(flow.nodes.find((item) => item.id === "big")?.data).toMatchObject({ errors: 2, kind: "function" });
  });

  test("[SYN-061] a collapsed group stands for its members and keeps their connections to outside", () => {
    const flow = draw(graph(true));
    expect(flow.nodes.map((item) => item.id)).toEqual(["clean", "crm", "core"]);
    expect(flow.edges.map((item) => [item.source, item.target])).toEqual([
      ["crm", "clean"],
      ["clean", "core"],
    ]);
  });

  test("an edge leaves by its branch and is named by the nodes it joins", () => {
    const flow = draw(graph());
    expect(flow.edges.map((item) => [item.sourceHandle, item.targetHandle])).toEqual([
      ["default", "in"],
      ["default", "in"],
      ["true", "in"],
    ]);
    expect(flow.edges[2]).toMatchObject({ selected: true, ariaLabel: "big to core by true" });
    const handles = flow.nodes.find((item) => item.id === "big")?.handles?.map(({ id, type }) => `${type} ${id}`);
    expect(handles).toEqual(["source true", "source false", "target in"]);
  });

  test("selecting a node makes that node anew and nothing else", () => {
    const builder = new FlowBuilder();
    const from = graph();
    const before = builder.build(input(from));
    const after = builder.build({ ...input(from), selected: ["crm"] });
    const fresh = after.nodes.filter((item) => !before.nodes.includes(item)).map((item) => item.id);
    expect(fresh).toEqual(["crm", "trim"]);
    expect(after.edges).toBe(before.edges);
    expect(builder.build({ ...input(from), selected: ["crm"] }).nodes).toBe(after.nodes);
    expect(builder.build(input(from)).nodes).toEqual(before.nodes);
    expect(builder.build(input(from)).nodes.find(({ id }) => id === "trim")).toBe(
      before.nodes.find(({ id }) => id === "trim"),
    );
    const moved = {
      ...from,
      nodes: from.nodes.map((one) => (one.id === "core" ? { ...one, location: { x: 1, y: 1 } } : one)),
    };
    const last = builder.build({ ...input(moved), selected: ["crm"] });
    expect(last.nodes.filter((item) => !after.nodes.includes(item)).map((item) => item.id)).toEqual(["core"]);
    expect(last.edges).toBe(after.edges);
  });
});

test("an edge is named anew when a node that it joins is, and by nothing else", () => {
  const builder = new FlowBuilder();
  const from = graph();
  const asked: string[] = [];
  const named = (of: Graph, selectedEdge: string | null) => ({
    ...input(of),
    selectedEdge,
    edgeName: (a: { label: string }, b: { label: string }) => {
      asked.push(`${a.label}>${b.label}`);
      return `${a.label} to ${b.label}`;
    },
  });
  builder.build(named(from, null));
  expect(asked.splice(0)).toHaveLength(3);
  builder.build(named(from, "e1"));
  builder.build(named({ ...from }, null));
  expect(asked).toEqual([]);
  const relabelled = { ...from, nodes: from.nodes.map((one) => (one.id === "big" ? { ...one, label: "Big" } : one)) };
  expect(builder.build(named(relabelled, null)).edges.map(({ ariaLabel }) => ariaLabel)).toEqual([
    "crm to trim",
    "trim to Big",
    "Big to core",
  ]);
  expect(asked).toEqual(["trim>Big", "Big>core"]);
});

describe("placing", () => {
  test("a loop pushes what follows it to the right of its end, and what comes after the loop stands level with it", () => {
    const ending = { kind: "function", apiName: "endLoop", label: "End loop", defaults: {} } as const;
    const loop = { kind: "function", apiName: "forEach", label: "For each", defaults: {}, closing: ending } as const;
    const from = graph();
    const looped = placeItem(from, loop, { edgeId: "e1" }).graph;
    const at = (of: Graph, label: string) =>
      of.nodes.find((one) => one.label === label)?.location ?? { x: NaN, y: NaN };
    const target = from.edges.find(({ id }) => id === "e1")?.destination.nodeId ?? "";
    const follower = looped.nodes.find(({ id }) => id === target)?.location.x ?? 0;
    expect(follower).toBeGreaterThan(at(looped, "End loop").x);
    const end = looped.nodes.find(({ label }) => label === "End loop")?.id;
    const alone = {
      ...looped,
      edges: looped.edges.filter((one) => one.source.nodeId !== end || one.destination.nodeId !== target),
    };
    const after = placeItem(alone, trim, { afterId: end, port: "default" }).node;
    expect(after.location.y).toBe(at(alone, "End loop").y);
  });

  const trim = { kind: "function", apiName: "trim", label: "Trim", defaults: {} } as const;
  const place = {
    kind: "sink",
    connectorId: "c".repeat(24),
    connectorName: "CRM",
    entity: "company",
    entityName: "Company",
  } as const;
  const ways = (from: Graph) => from.edges.map((item) => `${item.source.nodeId}>${item.destination.nodeId}`);

  test("behind the selected node, on the selected connection, or on its own", () => {
    const start = graph();
    const after = placeItem(start, trim, { afterId: "crm" });
    expect(ways(after.graph)).toEqual(expect.arrayContaining([`crm>${after.node.id}`, `${after.node.id}>trim`]));
    const last = placeItem(start, trim, { afterId: "core" });
    expect(ways(last.graph)).toContain(`core>${last.node.id}`);
    const between = placeItem(start, trim, { edgeId: "e1" });
    expect(ways(between.graph)).toEqual(expect.arrayContaining([`crm>${between.node.id}`, `${between.node.id}>trim`]));
    expect(ways(between.graph)).not.toContain("crm>trim");
    expect(ways(placeItem(start, trim, {}).graph)).toEqual(ways(start));
  });

  test("a destination is connected to the core entity at once", () => {
    const placed = placeItem(graph(), place, {});
    expect(ways(placed.graph)).toContain(`core>${placed.node.id}`);
    expect(placed.node).toMatchObject({ label: "CRM Company", configuration: { entityDefinition: "company" } });
  });

  test("behind a branch that leads on it is put in between, on a free one it begins a new way", () => {
    const start = graph();
    const onTrue = placeItem(start, trim, { afterId: "big", port: "true" });
    expect(ways(onTrue.graph)).toEqual(expect.arrayContaining([`big>${onTrue.node.id}`, `${onTrue.node.id}>core`]));
    expect(ways(onTrue.graph)).not.toContain("big>core");
    const onFalse = placeItem(start, trim, { afterId: "big", port: "false" });
    expect(ways(onFalse.graph)).toContain("big>core");
    expect(onFalse.graph.edges.at(-1)).toMatchObject({ edgeType: "false", destination: { nodeId: onFalse.node.id } });
  });

  test("behind a decision it begins the branch that is free", () => {
    const placed = placeItem(graph(), trim, { afterId: "big" });
    expect(placed.graph.edges.at(-1)).toMatchObject({ edgeType: "false", destination: { nodeId: placed.node.id } });
    expect(ways(placed.graph)).toContain("big>core");
  });

  test("dropped at a place it is connected from there and stands exactly there", () => {
    const placed = placeItem(graph(), trim, { afterId: "crm", location: { x: 300, y: 600 } });
    expect(placed.node.location).toEqual({ x: 300, y: 600 });
    expect(ways(placed.graph)).toEqual(expect.arrayContaining(["crm>trim", `crm>${placed.node.id}`]));
  });

  test("a loop comes whole, and what is put into it stands between its ends", () => {
    const closing = { kind: "function", apiName: "endLoop", label: "End loop", defaults: {} } as const;
    const each = { kind: "function", apiName: "forEach", label: "For each", defaults: {}, closing } as const;
    const looped = placeItem(graph(), each, { afterId: "crm" });
    const end = looped.graph.nodes.find((one) => one.apiName === "endLoop");
    expect(ways(looped.graph)).toEqual(
      expect.arrayContaining([`${looped.node.id}>${end?.id}`, `${end?.id}>${looped.node.id}`, `${end?.id}>trim`]),
    );
    const filled = placeItem(looped.graph, trim, { afterId: looped.node.id });
    const x = (id: string | undefined) => filled.graph.nodes.find((one) => one.id === id)?.location.x ?? Number.NaN;
    expect(x(filled.node.id)).toBeGreaterThan(x(looped.node.id));
    expect(x(end?.id)).toBeGreaterThan(x(filled.node.id));
    expect(draw(filled.graph).edges.find((edge) => edge.source === end?.id && edge.data?.isWayBack)).toMatchObject({
      sourceHandle: "back",
      targetHandle: "back",
    });
  });
});
