/** What runs of tests may cost and keep: long values are shortened, and a run that can't be stored says so. */
import type { Id } from "@accord/contracts";
import { entityPipelineTests as calls } from "@accord/contracts/sync/pipeline-test-calls";
import { isProcessing, type TestBody } from "@accord/contracts/sync/pipeline-tests";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { pipelineDrafts } from "../../../../test-kit/pipeline-drafts.ts";

const world = pipelineDrafts();
const table = (name: string) => `"i_${world.t.instanceId}".${name}`;
const manager = () => world.t.as("SYNC_MANAGER");

beforeEach(async () => {
  for (const name of ["pipeline_test", "pipeline_test_run"])
    await world.t.deps.dataPool.query(`DELETE FROM ${table(name)}`);
  await world.savedWhole(world.accounts);
});

const create = (name: string, values: TestBody["records"][number]["values"], expected: TestBody["expectedResult"]) =>
  manager().call(calls.create, {
    params: { id: world.accounts },
    body: { name, records: [{ nodeId: "crm", id: "1", values }], expectedResult: expected },
  });

async function ran(...testIds: Id<"pipelineTest">[]) {
  const params = { id: world.accounts };
  const { id: runId } = await manager().call(calls.run, { params, body: { testIds, name: "run" } });
  const read = () => manager().call(calls.getRun, { params: { ...params, runId } });
  await expect.poll(async () => isProcessing((await read()).status), { timeout: 15_000 }).toBe(false);
  return read();
}

test("compared values are kept shortened, however long they are, and compared as a whole", async () => {
  const long = "A".repeat(100_000);
  const right = await create("right", { name: long }, [{ apiName: "name", value: long }]);
  const wrong = await create("wrong", { name: long }, [{ apiName: "name", value: `${long.slice(1)}B` }]);
  const run = await ran(right.id, wrong.id);
  expect(run.resultDetails?.map(({ status }) => status)).toEqual(["success", "failed"]);
  for (const { actualResult, expectedResult } of run.resultDetails ?? []) {
    expect(JSON.stringify([actualResult, expectedResult]).length).toBeLessThan(10_000);
    expect(actualResult.values[0]?.value).toContain("… (100000)");
  }
  const { tests } = await manager().call(calls.list, { params: { id: world.accounts } });
  expect(JSON.stringify(tests).length, "a list leaves records and expected values out").toBeLessThan(10_000);
  expect(tests.map(({ name, status }) => [name, status])).toEqual([
    ["right", "success"],
    ["wrong", "failed"],
  ]);
});

test("a run whose results can't be stored ends at once with that reason", async () => {
  const { dataPool } = world.t.deps;
  const { id } = await create("right", { name: "Acme" }, [{ apiName: "name", value: "ACME" }]);
  await dataPool.query(`ALTER TABLE ${table("pipeline_test_result")} ADD CONSTRAINT none CHECK (false) NOT VALID`);
  onTestFinished(() =>
    dataPool.query(`ALTER TABLE ${table("pipeline_test_result")} DROP CONSTRAINT none`).then(() => {}),
  );
  const run = await ran(id);
  expect(run).toMatchObject({ status: "error", message: expect.stringContaining("could not be stored") });
});
