/** What is kept of the replication slots of sources: each by its name, under its connector and instance. */
import type { ReaderState } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { replicationSlotsStore } from "./replication-slots.store.ts";

const [I, J] = ["a".repeat(24), "b".repeat(24)] as [Id<"instance">, Id<"instance">];
const OWNER = { instanceId: I, connectorId: "crm", pipelineId: "p", nodeId: "s" };
const state = (name: string, retainedBytes: number | null, level: ReaderState["level"] = "ok"): ReaderState => ({
  name,
  isActive: true,
  retainedBytes,
  level,
});

async function slots() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  return { pool, store: replicationSlotsStore(pool) };
}

test("a slot is looked for from when it is expected, and shows what was measured last", async () => {
  const { pool, store } = await slots();
  await store.expected(OWNER, "one");
  expect(await store.list(I)).toMatchObject([
    { ...OWNER, name: "one", retainedBytes: null, level: "ok", droppedAt: null, droppedBytes: null },
  ]);
  await store.measured(OWNER, state("one", 5, "much"));
  await store.expected(OWNER, "one");
  expect(await store.list(I), "what is measured stays").toMatchObject([{ retainedBytes: 5, level: "much" }]);
  await pool.query("UPDATE replication_slot SET measured_at = now() - interval '1 day'");
  await store.dropped(OWNER, state("one", 7));
  const [dropped] = await store.list(I);
  expect(dropped).toMatchObject({ retainedBytes: 7, level: "ok", droppedBytes: 7 });
  expect(dropped?.droppedAt).toBe(dropped?.measuredAt);
  expect(Date.now() - Date.parse(dropped?.measuredAt ?? "")).toBeLessThan(60_000);
  await store.measured(OWNER, state("one", null));
  expect(await store.list(I), "when it was dropped is remembered").toMatchObject([
    { retainedBytes: null, droppedBytes: 7, droppedAt: dropped?.droppedAt },
  ]);
});

test("slots are those of their instance, in order; a connector keeps the ones that it names", async () => {
  const { store } = await slots();
  await store.expected(OWNER, "b");
  await store.expected(OWNER, "a");
  await store.expected({ ...OWNER, connectorId: "books" }, "c");
  await store.expected({ ...OWNER, instanceId: J, connectorId: "crm of j" }, "d");
  const names = async (instanceId: string) => (await store.list(instanceId)).map(({ name }) => name);
  expect([await names(I), await names(J)]).toEqual([["a", "b", "c"], ["d"]]);
  const connectors = (await store.connectors()).map(({ instanceId, connectorId }) => `${instanceId} ${connectorId}`);
  expect(connectors.sort()).toEqual([`${I} books`, `${I} crm`, `${J} crm of j`]);
  await store.keepOnly("crm", ["b"]);
  expect([await names(I), await names(J)]).toEqual([["b", "c"], ["d"]]);
  await store.keepOnly("crm", []);
  expect(await names(I)).toEqual(["c"]);
});
