/** What a destination is told is its own choice: create, update, delete, recreate, only what changed. */
import type { SinkConfiguration } from "@accord/contracts/sync/graph";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../../test-kit/database/database.ts";
import { untilIdle } from "../../../../test-kit/sync-world/sync-cycle.ts";
import { contactsIn, editOutside, makeSyncWorld, syncWorldNeeds } from "../../../../test-kit/sync-world/sync-world.ts";
import { systemClock } from "../../../platform/clock.ts";
import type { Pool } from "../../../platform/db/db.ts";
import { makeNewId } from "../../../platform/ids.ts";
import { makeLog } from "../../../platform/log/log.ts";
import type { RunsDependencies } from "../runs/index.ts";

const newId = makeNewId(systemClock);
let pool: Pool;
let needs: RunsDependencies;
/** Options of the destination `b`. */
let options: Partial<SinkConfiguration> = {};

beforeEach(async () => {
  const database = await testDatabase();
  pool = database.data.pool;
  await makeSyncWorld(pool);
  options = {};
  const world = syncWorldNeeds(pool);
  const published: RunsDependencies["pipelines"]["publishedVersion"] = async (at, id) => {
    const version = (await world.pipelines.publishedVersion(at, id))!;
    const nodes = version.graph.nodes.map((node) =>
      node.id === "sink-b" ? { ...node, configuration: { ...node.configuration, ...options } } : node,
    );
    return { ...version, versionId: newId<"pipelineVersion">(), graph: { ...version.graph, nodes } };
  };
  needs = { ...world, pipelines: { ...world.pipelines, publishedVersion: published } };
  return () => database.drop();
});

const settle = () => untilIdle({ pool, needs, log: makeLog({ logLevel: "error" }), newId });
const insert = (name: "a" | "b", email: string): Promise<void> =>
  editOutside(pool, name, "INSERT INTO $table (email, name) VALUES ($1, 'first')", [email]);
const set = (name: "a" | "b", email: string, what: string): Promise<void> =>
  editOutside(pool, name, `UPDATE $table SET ${what}, change = nextval('outside.change') WHERE email = $1`, [email]);
const nameIn = async (where: "a" | "b", email: string): Promise<unknown> => {
  const found = (await contactsIn(pool, where)).get(email);
  return found === undefined ? null : JSON.parse(found)[0];
};

test("a destination that may not create hears nothing of new records, one that may not update keeps what it has", async () => {
  options = { create: false };
  await insert("a", "one@x.org");
  await settle();
  expect((await contactsIn(pool, "b")).size).toBe(0);
  options = { update: false };
  await insert("a", "two@x.org");
  await settle();
  await set("a", "two@x.org", "name = 'second'");
  await settle();
  expect(await nameIn("b", "two@x.org")).toBe("first");
  options = {};
  await set("a", "two@x.org", "name = 'third'");
  await settle();
  expect(await nameIn("b", "two@x.org")).toBe("third");
});

test("a deletion travels only where it may; elsewhere the record stays and only loses its external record", async () => {
  options = { delete: false };
  await insert("a", "one@x.org");
  await settle();
  await set("a", "one@x.org", "deleted = true");
  await settle();
  expect(await nameIn("b", "one@x.org")).toBe("first");
  expect((await contactsIn(pool, "core")).size).toBe(1);

  options = { delete: true };
  await insert("a", "two@x.org");
  await settle();
  await set("a", "two@x.org", "deleted = true");
  await settle();
  expect(await nameIn("b", "two@x.org")).toBeNull();
  expect([...(await contactsIn(pool, "core")).keys()]).toEqual(["one@x.org"]);
});

test("what people deleted in a destination comes back only with the recreate option", async () => {
  for (const recreate of [false, true]) {
    const email = `${recreate}@x.org`;
    options = { recreate };
    await insert("a", email);
    await settle();
    // `a` may not be deleted from, so the record lives on when it is gone in `b`.
    const other = needs.pipelines.publishedVersion;
    needs = {
      ...needs,
      pipelines: {
        ...needs.pipelines,
        publishedVersion: async (at, id) => {
          const version = (await other(at, id))!;
          const nodes = version.graph.nodes.map((node) =>
            node.id === "sink-a" ? { ...node, configuration: { ...node.configuration, delete: false } } : node,
          );
          return { ...version, graph: { ...version.graph, nodes } };
        },
      },
    };
    await set("b", email, "deleted = true");
    await settle();
    await set("a", email, "name = 'changed'");
    await settle();
    expect(await nameIn("b", email)).toBe(recreate ? "changed" : null);
  }
});
