/**
 * A server that is stopped in the middle of sending and wakes after another one has taken over sends nothing more: no
 * record is created twice in systems that know neither keys nor look-ups.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { testApp, type TestApp } from "../../../../../../test-kit/index.ts";
import {
  insertListConnector,
  ListApi,
  type ListItem,
  publishListPipeline,
} from "../../../../../../test-kit/systems/list-systems.ts";
import { ServerProcesses } from "../../../../../../test-kit/server-processes.ts";
import { LEASE_MS } from "../../storage/lease-guard.store.ts";

const PIPELINES = 3;
/** Created anew before each stop. */
const RECORDS = 2_000;
const STOPS = 2;
const LONG_TIMEOUT = { timeout: 400_000 };
const MAX_TRIES = 20;
const LOCK_NOT_AVAILABLE = "55P03";

const targets = Array.from({ length: PIPELINES }, (_, index) => `target${index}`);

async function until(what: string, isSo: () => boolean, seconds = 100): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`never came: ${what}`);
    await sleep(100);
  }
}

/** Ends all leases at once; false where a transaction that is open holds one of them. */
async function endLeases(t: TestApp): Promise<boolean> {
  const client = await t.deps.dataPool.connect();
  try {
    await client.query("SET lock_timeout = 1000");
    await client.query("UPDATE sync_pipeline SET lease_until = now(), due_at = now() WHERE owner IS NOT NULL");
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  } finally {
    await client.query("RESET lock_timeout");
    client.release();
  }
}

test(
  "[F13] servers that overslept their lease in the middle of sending create nothing twice",
  LONG_TIMEOUT,
  async () => {
    const t = await testApp();
    const api = new ListApi();
    await new Promise<void>((resolve) => api.server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void api.server.close());
    const sourceId = "b".repeat(24);
    await insertListConnector(t, api, sourceId, "source");
    for (const [index, target] of targets.entries()) {
      const targetId = String(index + 1).repeat(24);
      await insertListConnector(t, api, targetId, target);
      await publishListPipeline(t, sourceId, targetId, target);
    }
    const servers = new ServerProcesses({
      appUrl: String(t.deps.appPool.options.connectionString),
      dataUrl: String(t.deps.dataPool.options.connectionString),
      settings: { ACCORD_OUTBOUND_ALLOW: api.host },
    });
    onTestFinished(() => servers.killAll());
    const pair = [servers.start(), servers.start()];
    for (const server of pair) await server.ready;
    const source: ListItem[] = [];
    api.lists.set("source", source);
    const pipelineRows = async (): Promise<{ owner: string | null }[]> =>
      (await t.deps.dataPool.query("SELECT owner FROM sync_pipeline ORDER BY pipeline_id")).rows;

    let takenOver = 0;
    for (let stop = 0; stop < STOPS; stop += 1) {
      for (let record = 0; record < RECORDS; record += 1) {
        source.push({ id: String(source.length + 1), name: `u${source.length}` });
      }
      const before = source.length - RECORDS;
      await t.deps.dataPool.query("UPDATE sync_pipeline SET due_at = now()");
      await until(`sending before stop ${stop}`, () => targets.every((name) => api.count(name) > before + 30));
      const owners = await pipelineRows();
      const sleeper = pair[stop % 2];
      sleeper?.child.kill("SIGSTOP");
      await sleep(500);
      // The other one need not wait so long; the sleeper knows only its own clock.
      for (let tries = 0; !(await endLeases(t)); tries += 1) {
        if (tries === MAX_TRIES) throw new Error("the sleeper always stops in the middle of a transaction");
        // It stopped in the middle of a transaction, which holds its lease: a moment later it is between two.
        sleeper?.child.kill("SIGCONT");
        await sleep(30);
        sleeper?.child.kill("SIGSTOP");
      }
      await sleep(LEASE_MS);
      takenOver += (await pipelineRows()).filter(({ owner }, index) => owner !== owners[index]?.owner).length;
      pair[stop % 2]?.child.kill("SIGCONT");
      await sleep(1_500);
    }
    const namesIn = (target: string): string[] => (api.lists.get(target) ?? []).map(({ name }) => name);
    await until("all records", () => targets.every((target) => new Set(namesIn(target)).size === source.length));

    expect(takenOver, "stops that came in the middle of a cycle").toBeGreaterThan(0);
    for (const target of targets) {
      const names = namesIn(target);
      expect(names.filter((one, index) => names.indexOf(one) !== index)).toEqual([]);
    }
  },
);
