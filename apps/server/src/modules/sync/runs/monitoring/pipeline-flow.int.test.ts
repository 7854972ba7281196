/** Counts on the edges of the graph that runs, and the records behind them: real cycles on real storage. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { ENTITY } from "../../../../../test-kit/sync-world/sync-world.ts";
import { eventually, inWorkingWorld, type WorkingWorld } from "../../../../../test-kit/sync-world/working-world.ts";
import type { RunsDependencies } from "../worker/plans.ts";

/** Lets nobody called "filtered" through from `a`, and writes everybody's note in capitals to `b`. */
function withNodes(graph: Graph): Graph {
  const condition = {
    type: "condition",
    left: { kind: "field", field: "phone" },
    operator: "notEquals",
    right: [{ kind: "literal", value: "filtered phone" }],
  };
  const capitals = { target: "field", field: "note", value: "WRITTEN" };
  const between = (edge: Graph["edges"][number], nodeId: string, id: string) => [
    { ...edge, destination: { ...edge.destination, nodeId } },
    { ...edge, id, key: id, source: { ...edge.source, nodeId } },
  ];
  return Graph.parse({
    ...graph,
    nodes: [
      ...graph.nodes,
      { id: "only", label: "only", nodeType: "FUNCTION", apiName: "filter", configuration: { condition } },
      { id: "say", label: "say", nodeType: "FUNCTION", apiName: "setValue", configuration: capitals },
    ],
    edges: graph.edges.flatMap((edge) =>
      edge.source.nodeId === "attach-a"
        ? between(edge, "only", "only-to-core-edge")
        : edge.destination.nodeId === "sink-b"
          ? between(edge, "say", "say-to-sink-edge")
          : [edge],
    ),
  });
}

function through(needs: RunsDependencies): RunsDependencies {
  const { publishedVersion, versionById } = needs.pipelines;
  const changed = (graph: Graph | undefined) => (graph ? { graph: withNodes(graph) } : {});
  return {
    ...needs,
    pipelines: {
      ...needs.pipelines,
      publishedVersion: async (...asked) => {
        const version = await publishedVersion(...asked);
        return version && { ...version, ...changed(version.graph) };
      },
      versionById: async (...asked) => {
        const version = await versionById(...asked);
        return version && { ...version, ...changed(version.graph) };
      },
    },
  };
}

/** Once nothing is left to send. */
const settled = (world: WorkingWorld, records: number) =>
  eventually("counts", async () => {
    const { cycle } = await world.service.flow(world.person, ENTITY);
    return cycle && (cycle.counts.passed["say-to-sink-edge"] ?? 0) >= records ? cycle : undefined;
  });

test("the graph says what its last cycle with records let through, edge by edge, and nothing before the first one", () =>
  inWorkingWorld(async (world) => {
    const { service, person } = world;
    expect(await service.flow(person, ENTITY)).toEqual({ versionNumber: 1, cycle: null });
    await world.addOutside("a", "one@example.com", "kept");
    await world.addOutside("a", "two@example.com", "filtered");
    await world.addOutside("a", "three@example.com", "kept");
    await world.startWorker();
    const cycle = await settled(world, 2);
    await world.stopWorker();
    expect(cycle.counts).toMatchObject({
      read: { "source-a": 3 },
      changed: 2,
      written: { "sink-b": 2 },
      ended: { only: 1 },
      failed: {},
    });
    expect(cycle.counts.passed).toMatchObject({ "only-to-core-edge": 2, "say-to-sink-edge": 2 });
    expect(cycle.outcome).toBe("finished");
  }, through));

test("an edge lists the records changed last that take it, with the values that nodes before it changed", () =>
  inWorkingWorld(async (world) => {
    const { service, person } = world;
    await world.addOutside("a", "one@example.com", "kept");
    await world.startWorker();
    await settled(world, 1);
    await world.stopWorker();
    const there = await service.edgeRecords(person, ENTITY, "say-to-sink-edge");
    expect(there.records).toHaveLength(1);
    expect(there.records[0]).toMatchObject({
      name: "one@example.com",
      lastChange: expect.arrayContaining([{ field: "note", from: null, to: "kept note" }]),
      changes: [{ field: "note", from: "kept note", to: "WRITTEN" }],
    });
    expect(there.examined).toBe(1);
    const toCore = await service.edgeRecords(person, ENTITY, "only-to-core-edge");
    expect(toCore.records.map(({ changes }) => changes)).toEqual([[]]);
    await expect(service.edgeRecords(person, ENTITY, "no-such-edge")).rejects.toMatchObject({ code: "not_found" });
  }, through));
