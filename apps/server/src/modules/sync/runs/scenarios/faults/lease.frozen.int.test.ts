/**
 * A server that is frozen in the middle of a transaction keeps its pipeline from others no longer than its lease, and
 * goes on like any other once it wakes.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { testApp, type TestApp } from "../../../../../../test-kit/index.ts";
import {
  insertListConnector,
  ListApi,
  type ListItem,
  publishListPipeline,
} from "../../../../../../test-kit/systems/list-systems.ts";
import { ServerProcesses } from "../../../../../../test-kit/server-processes.ts";
import { instanceSchema } from "../../../../../platform/db/db.ts";
import { LEASE_SECONDS } from "../../storage/lease-guard.store.ts";

const RECORDS = 20;
const TIMEOUT = { timeout: 300_000 };

async function until(what: string, isSo: () => Promise<boolean> | boolean, seconds = 60): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`never came: ${what}`);
    await sleep(100);
  }
}

/** Somebody holds the pipeline's row in a transaction that is open. */
async function isRowLocked(t: TestApp): Promise<boolean> {
  const { rows } = await t.deps.dataPool.query("SELECT pipeline_id FROM sync_pipeline FOR UPDATE SKIP LOCKED");
  return rows.length === 0;
}

/** Freezes the server where its transaction holds the pipeline's row: while it waits for a table that is locked here. */
async function freezeInTransaction(t: TestApp, freeze: () => void): Promise<void> {
  const blocker = await t.deps.dataPool.connect();
  try {
    await blocker.query("BEGIN");
    await blocker.query(`LOCK TABLE "${instanceSchema(t.instanceId)}".ledger IN SHARE MODE`);
    // Longer than a statement that only renews the lease: what holds the row now waits for the table.
    await until("a statement that waits for the table", async () => {
      // A row that is locked is not waited for: its holder may be what waits for the table already.
      await t.deps.dataPool.query(`UPDATE sync_pipeline SET due_at = now(), poked = true
         WHERE pipeline_id IN (SELECT pipeline_id FROM sync_pipeline FOR UPDATE SKIP LOCKED)`);
      await t.deps.dataPool.query("NOTIFY accord_sync");
      const { rows } = await t.deps.dataPool.query(
        `SELECT FROM pg_locks WHERE NOT granted AND relation = '"${instanceSchema(t.instanceId)}".ledger'::regclass`,
      );
      return rows.length > 0 && (await isRowLocked(t));
    });
    freeze();
    await blocker.query("COMMIT");
  } finally {
    blocker.release();
  }
}

test(
  "a server that is frozen in the middle of a transaction is replaced by another one, and goes on once it wakes",
  TIMEOUT,
  async () => {
    const t = await testApp();
    const api = new ListApi();
    await new Promise<void>((resolve) => api.server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void api.server.close());
    const [sourceId, targetId] = ["b".repeat(24), "1".repeat(24)];
    await insertListConnector(t, api, sourceId, "source");
    await insertListConnector(t, api, targetId, "target");
    await publishListPipeline(t, sourceId, targetId, "target");
    const source: ListItem[] = [];
    api.lists.set("source", source);
    const servers = new ServerProcesses({
      appUrl: String(t.deps.appPool.options.connectionString),
      dataUrl: String(t.deps.dataPool.options.connectionString),
      settings: { ACCORD_OUTBOUND_ALLOW: api.host },
    });
    onTestFinished(() => servers.killAll());
    const completed = (): string[] => (api.lists.get("target") ?? []).map(({ name }) => name);
    const enter = (name: string): void => void source.push({ id: String(source.length + 1), name });
    const allArrived = (): boolean => new Set(completed()).size === source.length;

    const sleeper = servers.start();
    await sleeper.ready;
    enter("first");
    await until("the first record", allArrived);
    for (let index = 1; index < RECORDS; index += 1) enter(`before ${index}`);
    await freezeInTransaction(t, () => void sleeper.child.kill("SIGSTOP"));
    expect(await isRowLocked(t), "the frozen server holds the row").toBe(true);

    const other = servers.start();
    await other.ready;
    // Without an end of its transaction this never comes; with it the lease and the next look are all there is to wait for.
    await until("another server to take over", allArrived, LEASE_SECONDS * 2);

    sleeper.child.kill("SIGCONT");
    enter("awake");
    await until("what is entered once it is awake", allArrived);
    await servers.kill(other);
    await t.deps.dataPool.query("UPDATE sync_pipeline SET lease_until = now(), due_at = now() WHERE owner IS NOT NULL");
    enter("alone");
    await until("what the server that woke sends by itself", allArrived);

    expect(sleeper.child.exitCode).toBeNull();
    expect(completed().toSorted()).toEqual(source.map(({ name }) => name).toSorted());
  },
);
