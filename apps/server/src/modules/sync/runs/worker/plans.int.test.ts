/** What a pipeline that is kept compiled is notified of its connectors. */
import { expect, test } from "vitest";
import { newSyncWorld } from "../../../../../test-kit/sync-world/new-sync-world.ts";
import { runWorker } from "../../../../../test-kit/sync-world/running-worker.ts";
import { ENTITY, INSTANCE, syncWorldNeeds } from "../../../../../test-kit/sync-world/sync-world.ts";
import { testSecrets } from "../../../../../test-kit/test-secrets.ts";
import { eventually } from "../../../../../test-kit/sync-world/working-world.ts";
import type { ConnectorFacts } from "../../../connections/connectors/index.ts";
import { pipelinePlans } from "./plans.ts";
import { scheduleStore } from "../schedule/schedule.store.ts";

/** A world whose connectors are as `changed` says, from one question to the next. */
async function changingWorld() {
  const pool = await newSyncWorld();
  const needs = syncWorldNeeds(pool);
  const changed: Partial<ConnectorFacts> = {};
  const { getConnector } = needs.connectors;
  needs.connectors.getConnector = async (...at) => {
    const connector = await getConnector(...at);
    return connector && { ...connector, ...changed };
  };
  return { pool, needs, changed, schedule: scheduleStore(pool) };
}

test("a connector that went to error while its pipeline ran is said to work again by the next cycle that it lets through", async () => {
  const { pool, needs, changed, schedule } = await changingWorld();
  const working: string[] = [];
  needs.connectors.reportWorking = async (_, connectorId) => void working.push(connectorId);
  await runWorker(pool, { needs, schedule });
  const cycle = () =>
    eventually("the end of a cycle", async () => {
      const row = await schedule.find(INSTANCE, ENTITY);
      return row?.lastFinishedAt && !row.isRunning ? row : undefined;
    });
  await cycle();
  expect(working).toEqual([]);

  changed.status = "ERROR";
  await schedule.requestCycle(INSTANCE, ENTITY);
  expect(await eventually("word of it", async () => (working.length > 1 ? working.toSorted() : undefined))).toEqual([
    "a",
    "b",
  ]);
});

test("a connector's new batch size and delay are used without publishing anew", async () => {
  const { pool, needs, changed, schedule } = await changingWorld();
  const plans = pipelinePlans({ dataPool: pool, secrets: testSecrets }, needs, schedule);
  const sizes = async () => {
    const { plan } = await plans.load(INSTANCE, ENTITY);
    return plan.sinks.map(({ writeBatchSize, readDelayMs }) => [writeBatchSize, readDelayMs]);
  };
  const before = await sizes();
  expect(before).toHaveLength(2);
  expect(before).not.toContainEqual([7, 9000]);
  Object.assign(changed, { writeBatchSize: 7, readDelaySeconds: 9 });
  expect(await sizes()).toEqual([
    [7, 9000],
    [7, 9000],
  ]);
});
