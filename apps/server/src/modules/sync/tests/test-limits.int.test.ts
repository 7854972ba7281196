/** What runs of tests may cost and keep: long values are shortened, and a run that can't be stored says so. */
import type { Id } from "@accord/contracts";
import { entityPipelineTests as calls } from "@accord/contracts/sync/tests/pipeline-test-calls";
import { isProcessing, type TestBody } from "@accord/contracts/sync/tests/pipeline-tests";
import { createPipelineDraft, savePipelineDraft } from "@accord/contracts/sync/pipelines";
import { Graph } from "@accord/contracts/sync/graph";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { edge, node } from "../../../../test-kit/graphs.ts";
import { CRM, MAPPINGS, pipelineDrafts } from "../../../../test-kit/pipeline-drafts.ts";
import { TRACE_LIMITS } from "./test-run/result-trace.ts";

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
  await expect.poll(async () => isProcessing((await read()).status)).toBe(false);
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

/** A loop over a list of the record, with an action in it. */
async function saveLoop() {
  const params = { entityId: world.accounts };
  const draft = await manager().call(createPipelineDraft, { params, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY")!;
  const source = { connectorId: CRM, entityDefinition: "company", fieldMappings: MAPPINGS };
  const loop = { list: "{{CRM.company.mail}}", itemVariable: "item", maxIterations: 10_000 };
  const nodes = [
    node("crm", "ENTITY_SOURCE", source),
    node("each", "FUNCTION", loop, "forEach"),
    node("log", "ACTION", { text: "{{Value From each}}" }, "logMessage"),
    node("end", "FUNCTION", {}, "endLoop"),
    core,
  ];
  const edges = [
    edge("crm", "each"),
    edge("each", "log"),
    edge("log", "end"),
    edge("end", "each"),
    edge("end", core.id),
  ];
  const graph = Graph.parse({ nodes, edges });
  return manager().call(savePipelineDraft, { params, body: { graph, revision: draft.revision } });
}

test("an action in a loop is shown once for each turn, with what that turn would have done", async () => {
  await saveLoop();
  const { id } = await create("loop", { name: "Acme", mail: ["a", "b", "c"] }, []);
  const run = await ran(id);
  const log = run.resultDetails?.[0]?.nodes.find(({ nodeId }) => nodeId === "log");
  expect(log).toMatchObject({ status: "skipped", isTruncated: false });
  expect(log?.testData.map(({ skipped }) => skipped.map(({ message }) => message))).toEqual([
    [expect.stringContaining(": a")],
    [expect.stringContaining(": b")],
    [expect.stringContaining(": c")],
  ]);
});

test("a record that goes round in loops thousands of times is shown in part, and marked so", async () => {
  await saveLoop();
  const mail = Array.from({ length: 5_000 }, (_, index) => `item ${index}`);
  const { id } = await create("loop", { name: "Acme", mail }, []);
  const run = await ran(id);
  const log = run.resultDetails?.[0]?.nodes.find(({ nodeId }) => nodeId === "log");
  expect(run.message).toBe(null);
  expect(log).toMatchObject({ status: "skipped", isTruncated: true });
  const kept = run.resultDetails?.[0]?.nodes.flatMap(({ testData }) => testData).length ?? 0;
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(TRACE_LIMITS.steps + 10);
});

test("a test that expects no values does not pass where its record fails on its way", async () => {
  await saveLoop();
  const mail = Array.from({ length: 10_001 }, () => "");
  const { id } = await create("too long a list", { name: "Acme", mail }, []);
  const run = await ran(id);
  expect(run.status).toBe("failed");
  const [result] = run.resultDetails ?? [];
  expect(result).toMatchObject({ status: "failed", message: expect.stringContaining("failed on its way") });
  const states = Object.fromEntries(result?.nodes.map(({ nodeId, status }) => [nodeId, status]) ?? []);
  expect(states).toMatchObject({ crm: "success", each: "failed", log: "not_reached" });
});
