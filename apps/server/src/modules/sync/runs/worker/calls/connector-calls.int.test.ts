/** What calls to systems that could not be made mean: nothing was sent, so nothing may have been done. */
import type { Connection } from "@accord/connector-sdk";
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { SecretFields } from "@accord/expressions";
import { expect, test } from "vitest";
import { newSyncWorld } from "../../../../../../test-kit/sync-world/new-sync-world.ts";
import { ENTITY, INSTANCE, syncWorldNeeds } from "../../../../../../test-kit/sync-world/sync-world.ts";
import { testSecrets } from "../../../../../../test-kit/test-secrets.ts";
import { systemClock } from "../../../../../platform/clock.ts";
import { AppError } from "../../../../../platform/http/app-error.ts";
import { LeaseDeadline, readClocks } from "../../../../../platform/lease-deadline.ts";
import { LEASE_MS } from "../../storage/lease-guard.store.ts";
import { ConnectorCalls } from "./connector-calls.ts";
import { pipelinePlans } from "../plans.ts";
import { scheduleStore } from "../../schedule/schedule.store.ts";

/** Calls to the destination of a pipeline, over connections that are opened like this. */
async function callsOver(openConnection: () => Promise<Connection>, secret: readonly string[] = []) {
  const pool = await newSyncWorld();
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
  const calls = new ConnectorCalls({
    needs,
    pipeline: { ...pipeline, secrets: { ...pipeline.secrets, at: () => SecretFields.named(secret) } },
    acquired,
    traffic: "live",
    signal: new AbortController().signal,
    doing: () => {},
    now: () => systemClock.now().getTime(),
    lease: new LeaseDeadline(systemClock, LEASE_MS, readClocks(systemClock)),
    slot: undefined,
    followUps: undefined,
  });
  return { calls, placeId: sink.place.id };
}

/** Sends one creation; answers what the engine receives. */
async function send(openConnection: () => Promise<Connection>) {
  const { calls, placeId } = await callsOver(openConnection);
  return calls.send({
    kind: "send",
    placeId,
    operations: [{ kind: "create", values: { email: "ada@example.com" }, idempotencyKey: "one" }],
  });
}

test("a connector that is not active, or may not be given its credentials, was sent nothing, and says why", async () => {
  const refusing = (error: AppError) => send(() => Promise.reject(error));
  expect(await refusing(new AppError("connector_not_active", { name: "CRM" }))).toMatchObject({
    kind: "sendFailed",
    failure: { kind: "connector_not_active", message: "CRM is not active.", isSafeToRetry: true },
  });
  expect(await refusing(new AppError("credential_host_changed", { host: "b", hosts: "a" }))).toMatchObject({
    failure: { kind: "credential_host_changed", isSafeToRetry: true },
  });
});

test("whatever else keeps a connection from being opened has sent nothing; a write that broke may have", async () => {
  const broken = new Error("out of memory");
  expect(await send(() => Promise.reject(broken))).toMatchObject({
    failure: { kind: "unexpected", message: "out of memory", isSafeToRetry: true },
  });
  const connection = { write: () => Promise.reject(broken), close: async () => {} } as unknown as Connection;
  expect(await send(async () => connection)).toMatchObject({ failure: { kind: "unexpected", isSafeToRetry: false } });
});

test("[T27] a system that can't look up a secret repeats it to nobody", async () => {
  const lookup = () => Promise.reject(new Error("value 4711471147 is out of range, as is “ada@example.com”"));
  const connection = { lookup, close: async () => {} } as unknown as Connection;
  const { calls, placeId } = await callsOver(async () => connection, ["email"]);
  const asked = { kind: "lookup" as const, placeId, field: "email", values: [4_711_471_147, "ada@example.com"] };
  expect(await calls.lookup(asked)).toMatchObject({
    kind: "sendFailed",
    failure: { message: `value ${PASSWORD_MASK} is out of range, as is “${PASSWORD_MASK}”`, isSafeToRetry: true },
  });
});
