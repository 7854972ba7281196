/** Due actions of several instances: one whose system hangs leaves the others their places. */
import type { Id } from "@accord/contracts";
import type { ActionCall } from "@accord/sync-engine/actions";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../test-kit/database/database.ts";
import { testSecrets } from "../../../../test-kit/test-secrets.ts";
import { eventually } from "../../../../test-kit/sync-world/working-world.ts";
import { systemClock } from "../../../platform/clock.ts";
import { makeNewId } from "../../../platform/ids.ts";
import { makeLog } from "../../../platform/log/log.ts";
import { insertActions } from "./action-runs.store.ts";
import { startActionWorker } from "./action-worker.ts";
import { actionExecutor } from "./action-executor.ts";
import type { ActionHandler } from "./action-handlers.ts";

const newId = makeNewId(systemClock);
const [HANGING, QUICK] = [newId<"instance">(), newId<"instance">()];
const call: ActionCall = {
  key: "",
  nodeId: "post",
  label: "post",
  action: "httpRequest",
  externalId: null,
  recordId: null,
  work: {
    kind: "http",
    method: "POST",
    url: "https://receiver.example/",
    headers: {},
    body: "",
    timeoutMs: 30_000,
    retries: 0,
    isRepeatable: false,
  },
};

test("an instance whose requests hang holds only its own places, however many it has and however long they wait", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  const write = (instanceId: Id<"instance">, count: number): Promise<void> => {
    const calls = Array.from({ length: count }, () => ({ id: newId(), call, key: null }));
    const pipeline = { instanceId, pipelineId: newId(), versionNumber: 1 };
    return insertActions(pool, pipeline, calls, { begun: false, links: null });
  };
  await write(HANGING, 200);
  await pool.query("UPDATE sync_action SET due_at = now() - interval '1 hour'");

  const release = Promise.withResolvers<void>();
  let hanging = 0;
  let most = 0;
  const perform: ActionHandler = async ({ instanceId }) => {
    if (instanceId === HANGING) {
      hanging += 1;
      most = Math.max(most, hanging);
      await release.promise;
      hanging -= 1;
    }
    return {
      isOutcomeKnown: true,
      isTransient: false,
      outcome: { succeeded: true, body: null, code: null, message: null },
    };
  };
  const log = makeLog({ logLevel: "silent" });
  const deps = { clock: systemClock, dataPool: pool, newId, log, secrets: testSecrets };
  const requests = { batchingOf: async () => ({ size: 1, fits: () => true }), hasSecretFields: async () => false };
  const stop = startActionWorker(deps, actionExecutor(deps, perform, requests));
  const done = async (instanceId: string): Promise<number> => {
    const { rows } = await pool.query(
      "SELECT count(*)::int AS count FROM sync_action WHERE instance_id = $1 AND state = 'DONE'",
      [instanceId],
    );
    return rows[0].count;
  };
  try {
    await eventually("hanging requests", async () => (hanging >= 6 ? true : undefined));
    await write(QUICK, 30);
    await eventually("those of the other instance", async () => ((await done(QUICK)) === 30 ? true : undefined));
    expect(await done(HANGING)).toBe(0);
    expect(most).toBe(6);
    release.resolve();
    await eventually("all of the first", async () => ((await done(HANGING)) === 200 ? true : undefined));
  } finally {
    release.resolve();
    await stop();
  }
});
