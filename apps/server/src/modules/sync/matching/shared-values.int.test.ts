/** A value that very many records share, on real PostgreSQL: what a rule can't judge waits for people, and nothing is there twice. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { matchingWorlds, problemCodes } from "../../../../test-kit/systems/matching-world.ts";
import { editOutside, INSTANCE } from "../../../../test-kit/sync-world/sync-world.ts";

const worldOf = matchingWorlds();
const SHARED = 520;

const compare = (field: string, operator: string) => ({
  type: "condition",
  left: { kind: "field", field },
  operator,
  right: [{ kind: "field", field }],
});
const byEmailAndName = (node: GraphNode): object =>
  node.id === "attach-a"
    ? {
        attachPredicate: {
          type: "group",
          combinator: "and",
          children: [compare("email", "equals"), compare("name", "startsWith")],
        },
      }
    : {};

test("attach: of very many that share the value a match is taken, and what matches none of those looked at is quarantined", async () => {
  const world = worldOf();
  world.configured = byEmailAndName;
  world.edited = (graph: Graph): Graph => ({
    ...graph,
    edges: graph.edges.filter(({ destination }) => !destination.nodeId.startsWith("sink-")),
  });
  const text = `INSERT INTO $table (email, name) SELECT 'n/a', 'Person ' || n FROM generate_series(1, ${SHARED}) n`;
  await editOutside(world.pool, "b", text, []);
  await world.settle();
  expect(await world.alive()).toHaveLength(SHARED);

  await world.insert("a", { email: "N/A", name: "Zoe" });
  await world.insert("a", { email: "own@x.org", name: "Eve" });
  await world.insert("a", { email: "n/a", name: "Person 7", phone: "7" });
  expect(problemCodes(await world.settle())).toContain("too_many_candidates");
  const alive = await world.alive();
  expect(alive).toHaveLength(SHARED + 1);
  expect(alive.find(({ phone }) => phone === "7")).toMatchObject({ name: "Person 7" });
  expect(alive.filter(({ name }) => name === "Zoe")).toEqual([]);
  const { rows } = await world.pool.query(`SELECT code, status, message FROM "i_${INSTANCE}".quarantine`);
  expect(rows).toMatchObject([
    {
      code: "too_many_candidates",
      status: "OPEN",
      message: expect.stringContaining("More than 500 records share the value"),
    },
  ]);
});
