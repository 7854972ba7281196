/** Live runs on real systems: real records go through the draft, and nothing is written anywhere but the results. */
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import {
  cancelLiveTest,
  clearLiveTests,
  getLiveTest,
  entityPipelineTests,
  listLiveTests,
  startLiveTest,
} from "@accord/contracts/sync/tests/pipeline-test-calls";
import { isProcessing } from "@accord/contracts/sync/tests/pipeline-tests";
import { Graph } from "@accord/contracts/sync/graph";
import { createPipelineDraft, getPipelineGraph } from "@accord/contracts/sync/pipelines";
import { listRecordsToTry, type TryRecordBody, tryRecord } from "@accord/contracts/sync/tests/try-record";
import { beforeAll, expect, test } from "vitest";
import { edge, node } from "../../../../test-kit/graphs.ts";
import { CANARY, passwordPipeline, type PasswordPipeline } from "../../../../test-kit/systems/password-pipeline.ts";
import { storedRows } from "../../../../test-kit/database/stored-rows.ts";

let p: PasswordPipeline;

beforeAll(async () => {
  p = await passwordPipeline();
  await p.t.as("SYNC_MANAGER").call(createPipelineDraft, { params: { entityId: p.entityId }, body: {} });
  return () => p.close();
}, 120_000);

const manager = () => p.t.as("SYNC_MANAGER");
const params = () => ({ graphId: p.entityId });

async function ranLive(records: number) {
  const { id: runId } = await manager().call(startLiveTest, { params: params(), body: { name: "live", records } });
  const read = () => manager().call(getLiveTest, { params: { ...params(), runId } });
  await expect.poll(async () => isProcessing((await read()).status)).toBe(false);
  return read();
}

/** What sync has stored of records, and what the systems hold. */
async function everything(): Promise<unknown[]> {
  const { sql } = p.systems;
  const of = (table: string) => sql(`SELECT * FROM "i_${p.t.instanceId}".${table} ORDER BY 1, 2`);
  return [
    await sql("SELECT * FROM shop.account ORDER BY id"),
    await sql("SELECT * FROM crm.login ORDER BY id"),
    await of('"r_Login"'),
    await of("delivery"),
    await of("quarantine"),
    await sql(`SELECT count(*) FROM "i_${p.t.instanceId}".ledger`),
    await sql(`SELECT place, external_id, record_id FROM "i_${p.t.instanceId}".link ORDER BY 1, 2`),
  ];
}

test("[SYN-117] a live run reads records of each source, shows what each node did with them and writes nothing", async () => {
  const before = await everything();
  const run = await ranLive(1);
  expect(run).toMatchObject({ kind: "live", status: "completed", message: null, graphVersion: "draft" });
  expect(run.recordsProcessed, "one of each source").toBe(2);
  const [result] = run.resultDetails ?? [];
  expect(result?.nodes.map(({ nodeId, status, testData }) => [nodeId, status, testData.length])).toEqual([
    [expect.any(String), "success", 2],
    ["from_shop", "success", 1],
    ["from_crm", "success", 1],
    ["to_crm", "success", 1],
  ]);
  expect(await everything()).toEqual(before);
  const { runs } = await manager().call(listLiveTests, { params: params() });
  expect(runs.map(({ id, kind, resultDetails }) => [id, kind, resultDetails])).toEqual([[run.id, "live", null]]);
  const simulated = await manager().call(entityPipelineTests.listRuns, { params: { id: p.entityId } });
  expect(simulated.runs).toEqual([]);
});

test("[T27] results of tests show and store passwords as the mask, and a test can't be saved with one", async () => {
  const run = await ranLive(5);
  const data = run.resultDetails?.[0]?.nodes.flatMap(({ testData }) => testData) ?? [];
  expect(data.length).toBeGreaterThan(0);
  expect(data.map(({ output }) => output["pin"] ?? PASSWORD_MASK)).toEqual(data.map(() => PASSWORD_MASK));
  expect(JSON.stringify(run)).not.toContain(CANARY);
  const stored = await storedRows(p.t, ["shop", "crm"]);
  expect(stored.filter(({ text }) => text.includes(CANARY))).toEqual([]);
  const values = { name: "Ada", pin: CANARY };
  const refused = await manager().send(entityPipelineTests.create, {
    params: { id: p.entityId },
    body: {
      name: "with a password",
      records: [{ nodeId: "from_shop", id: "1", values }],
      expectedResult: [{ apiName: "pin", value: CANARY }],
    },
  });
  expect(refused).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  expect(JSON.stringify(refused.body)).not.toContain(CANARY);
  expect((await manager().call(entityPipelineTests.list, { params: { id: p.entityId } })).tests).toEqual([]);
});

test("a live run whose source can't be read says which one and why", async () => {
  await p.systems.sql("ALTER TABLE shop.account RENAME TO account_gone");
  const run = await ranLive(1);
  await p.systems.sql("ALTER TABLE shop.account_gone RENAME TO account");
  expect(run).toMatchObject({ status: "error", message: expect.stringContaining("from_shop could not be read") });
  const graph = await manager().call(getPipelineGraph, { params: { entityId: p.entityId, graphVersion: "draft" } });
  expect(graph.readOnly, "the draft can be changed again").toBe(false);
});

test("a live run that waits for a slow source can be cancelled, and the draft can be changed at once", async () => {
  // Whoever holds this lock keeps the source from being read.
  const slow = await p.t.deps.dataPool.connect();
  try {
    await slow.query("BEGIN");
    await slow.query("LOCK TABLE shop.account, crm.login");
    const { id: runId } = await manager().call(startLiveTest, { params: params(), body: { name: "slow", records: 1 } });
    const cancelled = await manager().call(cancelLiveTest, { params: { ...params(), runId } });
    expect(cancelled).toMatchObject({ status: "aborted", message: expect.stringMatching(/cancelled the run\.$/) });
    const graph = await manager().call(getPipelineGraph, { params: { entityId: p.entityId, graphVersion: "draft" } });
    expect(graph.readOnly).toBe(false);
    const again = await manager().call(cancelLiveTest, { params: { ...params(), runId } });
    expect(again.message, "what has ended stays as it is").toBe(cancelled.message);
  } finally {
    await slow.query("ROLLBACK");
    slow.release();
  }
});

test("[SYN-115] live runs can be cleared: the list is empty, and a run afterwards is the only one", async () => {
  await ranLive(1);
  const { deleted } = await manager().call(clearLiveTests, { params: params() });
  expect(deleted).toBeGreaterThan(0);
  expect((await manager().call(listLiveTests, { params: params() })).runs).toEqual([]);
  const { id } = await ranLive(1);
  expect((await manager().call(listLiveTests, { params: params() })).runs.map((run) => run.id)).toEqual([id]);
});

test("[T27] trying a stored record shows passwords as the mask, also what a draft makes of them, and no branch depends on one", async () => {
  const params = { id: p.entityId };
  const query = { connectorId: p.systems.shop, entityApiName: "account", search: "Ada" };
  const { records } = await manager().call(listRecordsToTry, { params, query });
  const { graph } = await manager().call(getPipelineGraph, {
    params: { entityId: p.entityId, graphVersion: "draft" },
  });
  const core = graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY")!;
  const beginsWith = {
    type: "condition",
    left: { kind: "field", field: "pin" },
    operator: "startsWith",
    right: [{ kind: "literal", value: CANARY }],
  };
  const guessing = Graph.parse({
    ...graph,
    nodes: [
      ...graph.nodes,
      node("guess", "FUNCTION", { evaluatesToTrue: beginsWith }, "predicate"),
      node("copy", "FUNCTION", { field: "mail", value: "{{previous.values.pin}}" }, "setValue"),
    ],
    edges: [
      ...graph.edges.filter(({ source }) => source.nodeId !== "from_shop"),
      edge("from_shop", "guess"),
      edge("guess", core.id, "true"),
      edge("guess", "copy", "false"),
      edge("copy", core.id),
    ],
  });
  const tryOne = (record: TryRecordBody["record"]) =>
    manager().call(tryRecord, { params, body: { graph: guessing, nodeId: "from_shop", record } });
  const stored = await tryOne({ kind: "stored", recordId: records[0]!.recordId });
  const pasted = await tryOne({ kind: "values", externalId: "new", values: { name: "Eve", pin: CANARY } });
  for (const tried of [stored, pasted]) {
    expect(JSON.stringify(tried)).not.toContain(CANARY);
    expect(tried.record.values["pin"]).toBe(PASSWORD_MASK);
    const guess = tried.nodes.find(({ nodeId }) => nodeId === "guess");
    expect(guess?.testData[0]?.route, "the mask, not the password, is compared").toBe("false");
    expect(tried.core.after).toMatchObject({ pin: PASSWORD_MASK, mail: PASSWORD_MASK });
  }
  expect(
    stored.destinations.map(({ values }) => Object.keys(values ?? {})),
    "the password is no change",
  ).toEqual([expect.not.arrayContaining(["pin"])]);
});
