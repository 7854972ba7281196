/** What calls to systems that could not be made mean: nothing was sent, so nothing may have been done. */
import type { Connection } from "@accord/connector-sdk";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../test-kit/database.ts";
import { ENTITY, INSTANCE, makeSyncWorld, syncWorldNeeds } from "../../../../test-kit/sync-world.ts";
import { testSecrets } from "../../../../test-kit/test-secrets.ts";
import { systemClock } from "../../../platform/clock.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { LeaseDeadline, readClocks } from "../../../platform/lease-deadline.ts";
import { LEASE_MS } from "./lease-guard.store.ts";
import { OutsideCalls } from "./outside-calls.ts";
import { pipelinePlans } from "./plans.ts";
import { scheduleStore } from "./schedule.store.ts";

/** Sends one creation, over a connection that is opened like this; answers what the engine hears. */
async function send(openConnection: () => Promise<Connection>) {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  await makeSyncWorld(pool);
  const schedule = scheduleStore(pool);
  const world = syncWorldNeeds(pool);
  const needs = { ...world, connectors: { ...world.connectors, openConnection } };
  const acquired = await schedule.acquire("test", []);
  const pipeline = await pipelinePlans({ dataPool: pool, secrets: testSecrets }, needs, schedule).load(
    INSTANCE,
    ENTITY,
  );
  const [sink] = pipeline.plan.sinks;
  if (!acquired || !sink) throw new Error("nothing to send to");
  const calls = new OutsideCalls({
    needs,
    pipeline,
    acquired,
    traffic: "live",
    signal: new AbortController().signal,
    doing: () => {},
    lease: new LeaseDeadline(systemClock, LEASE_MS, readClocks(systemClock)),
    slot: undefined,
    followUps: undefined,
  });
  return calls.send({
    kind: "send",
    placeId: sink.place.id,
    operations: [{ kind: "create", values: { email: "ada@example.com" }, idempotencyKey: "one" }],
  });
}

test("a connector that is not active, or may not be given its credentials, was sent nothing, and says why", async () => {
  const refusing = (error: AppError) => send(() => Promise.reject(error));
  expect(await refusing(new AppError("connector_not_active", { name: "CRM" }))).toMatchObject({
    kind: "sendFailed",
    failure: { kind: "connector_not_active", message: "CRM is not active.", nothingDone: true },
  });
  expect(await refusing(new AppError("credential_host_changed", { host: "b", hosts: "a" }))).toMatchObject({
    failure: { kind: "credential_host_changed", nothingDone: true },
  });
});

test("whatever else keeps a connection from being opened has sent nothing; a write that broke may have", async () => {
  const broken = new Error("out of memory");
  expect(await send(() => Promise.reject(broken))).toMatchObject({
    failure: { kind: "unexpected", message: "out of memory", nothingDone: true },
  });
  const connection = { write: () => Promise.reject(broken), close: async () => {} } as unknown as Connection;
  expect(await send(async () => connection)).toMatchObject({ failure: { kind: "unexpected", nothingDone: false } });
});
