/** Reconciliations that wait: instances take turns, whoever asked first and however often. */
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../test-kit/database.ts";
import { systemClock } from "../../../platform/clock.ts";
import { makeNewId } from "../../../platform/ids.ts";
import { reportsStore } from "./reports.store.ts";

test("one of an instance with none under way goes first, and one of another than those that a worker is at", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const newId = makeNewId(systemClock);
  const reports = reportsStore(database.data.pool);
  const [many, few] = [newId<"instance">(), newId<"instance">()];
  for (const instanceId of [many, many, many, few])
    await reports.add({ id: newId(), instanceId, pipelineId: newId(), versionNumber: 1, requestedBy: "Ada" });
  const next = async (except: readonly string[] = []) =>
    (await reports.acquire("worker", { except }))?.instanceId ?? null;
  expect(await next()).toBe(many);
  expect(await next([many, few])).toBeNull();
  expect(await next()).toBe(few);
  expect(await next([many])).toBeNull();
  expect(await next()).toBe(many);
});
