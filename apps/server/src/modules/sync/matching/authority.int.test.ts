/** Whose value wins, on real PostgreSQL: attaching, ranked sources and conflicts over cycles of the real engine. */
import type { Id } from "@accord/contracts";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { ada, type CoreRow, matchingWorlds, problemCodes } from "../../../../test-kit/systems/matching-world.ts";
import { contactsIn, ENTITY, INSTANCE } from "../../../../test-kit/sync-world/sync-world.ts";

const SCHEMA = `"i_${INSTANCE}"`;
const worldOf = matchingWorlds();

test("attach: a blank matches nobody, rows of one source never share a record, of several the oldest wins and says so", async () => {
  const world = worldOf();
  await world.insert("b", { email: "", name: "blank in b" });
  await world.insert("b", { email: "same@x.org", name: "first" });
  await world.insert("b", { email: "same@x.org", name: "second" });
  const once = (graph: Graph): Graph => ({
    ...graph,
    edges: graph.edges.filter(({ destination }) => !destination.nodeId.startsWith("sink-")),
  });
  world.edited = once;
  await world.settle();
  expect((await world.alive()).map(({ name }) => name)).toEqual(["blank in b", "first", "second"]);
  await world.insert("a", { email: "", name: "blank in a" });
  await world.insert("a", { email: "SAME@x.org", name: "from a" });
  expect(problemCodes(await world.settle())).toContain("several_matches");
  expect((await world.alive()).map(({ name }) => name)).toEqual(["blank in b", "from a", "second", "blank in a"]);
});

const ranked = (node: GraphNode): object =>
  node.nodeType === "CORE_ENTITY" ? { authority: "RANKED", ranking: ["source-a", "source-b"] } : {};

test("a lower-ranked value is refused in a later cycle too, stands in the conflict list, and can be taken", async () => {
  const world = worldOf();
  world.configured = ranked;
  await world.insert("a", { email: "one@x.org", name: "A", phone: "1" });
  await world.settle();
  await world.change("b", "one@x.org", "name", "B");
  await world.settle();
  expect(await contactsIn(world.pool, "b")).toEqual(new Map([["one@x.org", JSON.stringify(["A", "1", null])]]));
  const { conflicts, open } = await world.matching.conflicts(ada, ENTITY, { count: 10 });
  expect(open).toBe(1);
  expect(conflicts).toMatchObject([
    {
      field: "name",
      value: "A",
      setBy: { kind: "source", connectorId: "a", connectorEntity: "contact" },
      competing: [{ value: "B", connectorId: "b", connectorEntity: "contact", reason: "lower_ranked" }],
    },
  ]);
  const { rows } = await world.pool.query(`SELECT refused FROM ${SCHEMA}.ledger WHERE operation = 'refuse'`);
  expect(rows).toEqual([{ refused: { name: ["B", "lower_ranked"] } }]);

  const { recordId, field } = conflicts[0]!;
  const choice = { kind: "take" as const, connectorId: "b", connectorEntity: "contact" };
  expect(await world.matching.settle(ada, ENTITY, [{ recordId, field, choice }])).toEqual({ settled: 1, changed: 1 });
  await world.settle();
  for (const where of ["core", "a", "b"] as const) {
    expect((await contactsIn(world.pool, where)).get("one@x.org")).toBe(JSON.stringify(["B", "1", null]));
  }
  expect(await world.matching.conflicts(ada, ENTITY, { count: 10 })).toMatchObject({ conflicts: [], open: 0 });
});

test("a conflict that is kept stays settled until the other system says something else, and ends when it comes round", async () => {
  const world = worldOf();
  world.configured = (node) => ({ ...ranked(node), ...(node.nodeType === "ENTITY_SINK" ? { update: false } : {}) });
  await world.insert("a", { email: "one@x.org", name: "A" });
  await world.settle();
  const open = async (): Promise<unknown[]> =>
    (await world.matching.conflicts(ada, ENTITY, { count: 10 })).conflicts.map(({ competing }) => competing[0]?.value);
  await world.change("b", "one@x.org", "name", "B");
  await world.settle();
  expect(await open()).toEqual(["B"]);
  const [{ id }] = (await world.alive()) as [CoreRow];
  await world.matching.settle(ada, ENTITY, [{ recordId: id as Id<"record">, field: "name", choice: { kind: "keep" } }]);
  expect(await open()).toEqual([]);
  await world.change("b", "one@x.org", "name", "B2");
  await world.settle();
  expect(await open()).toEqual(["B2"]);
  await world.change("b", "one@x.org", "name", "A");
  await world.settle();
  expect(await open()).toEqual([]);
  expect(await world.count("conflict")).toBe(0);
});
