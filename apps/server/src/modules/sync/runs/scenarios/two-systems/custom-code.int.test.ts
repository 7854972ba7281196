/** Code of one's own in a pipeline between two real systems: it runs in cycles, is tried, checked, and fails alone. */
import { Graph } from "@accord/contracts/sync/graph";
import {
  createPipelineDraft,
  getPipelineGraph,
  publishPipeline,
  savePipelineDraft,
  validatePipeline,
} from "@accord/contracts/sync/pipelines";
import { tryRecord } from "@accord/contracts/sync/tests/try-record";
import { afterAll, beforeAll, expect, test } from "vitest";
import { edge, node } from "../../../../../../test-kit/graphs.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";
import { personPipeline, type PersonPipeline } from "../../../../../../test-kit/systems/person-pipeline.ts";

const CODE = `function run(record) {
  if (record.city === "loop") for (;;);
  if (record.city === "nowhere") throw new Error("No such city.");
  return { name: record.name.toUpperCase(), city: record.city.trim() };
}`;

let p: PersonPipeline;
const manager = () => p.t.as("SYNC_MANAGER");
const params = () => ({ entityId: p.entityId });

async function withCode(script: string): Promise<{ graph: Graph; revision: number }> {
  await manager().call(createPipelineDraft, { params: params(), body: {} });
  const { graph, revision } = await manager().call(getPipelineGraph, {
    params: { ...params(), graphVersion: "draft" },
  });
  const core = graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY")!;
  const nodes = graph.nodes.filter(({ id }) => id !== "code");
  const edges = graph.edges.filter(
    ({ source, destination }) =>
      source.nodeId !== "from_shop" && destination.nodeId !== "code" && source.nodeId !== "code",
  );
  const code = node("code", "FUNCTION", { script, timeout: 1 }, "customCode");
  return {
    graph: Graph.parse({
      nodes: [...nodes, code],
      edges: [...edges, edge("from_shop", "code"), edge("code", core.id)],
    }),
    revision,
  };
}

const tryOut = async (script: string, values: Record<string, string>) => {
  const { graph } = await withCode(script);
  const record = { kind: "values" as const, externalId: "new", values };
  return manager().call(tryRecord, { params: { id: p.entityId }, body: { graph, nodeId: "from_shop", record } });
};

beforeAll(async () => {
  p = await personPipeline(3);
}, 120_000);
afterAll(() => p.close());

test("what is wrong with code is said while it is edited, and publishing refuses it", async () => {
  const { graph, revision } = await withCode("function run(record) {\n  return {;\n}");
  const checked = await manager().call(validatePipeline, { params: params(), body: { graph } });
  expect(checked.problems).toMatchObject([
    {
      ...{ code: "code_invalid", nodeId: "code", targetId: "script", severity: "error" },
      errorMessage: expect.stringMatching(/^code: Code: Line 2: “SyntaxError: /),
    },
  ]);
  const saved = await manager().call(savePipelineDraft, { params: params(), body: { graph, revision } });
  const refused = await manager().send(publishPipeline, {
    params: params(),
    body: { versionName: "Broken", revision: saved.revision },
  });
  expect(refused).toMatchObject({ status: 422, body: { code: "pipeline_invalid" } });
  const other = await withCode("function convert() {}");
  const { problems } = await manager().call(validatePipeline, { params: params(), body: { graph: other.graph } });
  expect(problems.map(({ errorMessage }) => errorMessage)).toEqual([
    "code: Code: The code has no function called run.",
  ]);
  const braces = await withCode("function run() { return { name: `{{${1}}}` }; }");
  expect(
    (await manager().call(validatePipeline, { params: params(), body: { graph: braces.graph } })).problems,
  ).toEqual([]);
});

test("a record that is tried shows what the code makes of it, or the line at which it failed", async () => {
  const good = await tryOut(CODE, { name: "Ada", mail: "a@example.com", city: " Rome " });
  expect(good.nodes.find(({ nodeId }) => nodeId === "code")?.testData[0]?.output).toMatchObject({
    ...{ name: "ADA", city: "Rome" },
  });
  expect(good.core).toMatchObject({ outcome: "created", after: { name: "ADA", city: "Rome" } });
  const bad = await tryOut(CODE, { name: "Ada", mail: "a@example.com", city: "nowhere" });
  expect(bad.core).toMatchObject({ outcome: "none", message: "Line 3: “No such city.”" });
  expect(bad.nodes.find(({ nodeId }) => nodeId === "code")?.testData[0]).toMatchObject({
    message: expect.stringContaining("Line 3"),
  });
});

test("in cycles the code runs for each record: what fails waits in quarantine, the others go on, others are served", async () => {
  const { graph, revision } = await withCode(CODE);
  const saved = await manager().call(savePipelineDraft, { params: params(), body: { graph, revision } });
  await manager().call(publishPipeline, { params: params(), body: { versionName: "Code", revision: saved.revision } });
  await p.systems.sql(
    `INSERT INTO shop.person (name, mail, city)
     VALUES ('Ada', 'ada@example.com', ' Rome '), ('Bob', 'bob@example.com', 'nowhere'),
            ('Cyd', 'cyd@example.com', 'loop'), ('Dan', 'dan@example.com', 'Oslo')`,
  );
  await p.untilSent(5);
  expect(await p.systems.sql("SELECT name, city FROM crm.contact WHERE mail LIKE '___@%' ORDER BY name")).toEqual([
    { name: "ADA", city: "Rome" },
    { name: "DAN", city: "Oslo" },
  ]);
  const kept = await eventually("two records wait", async () => {
    const rows = await p.systems.sql(
      `SELECT code, message, node_id FROM ${p.schema}.quarantine WHERE status <> 'RESOLVED' ORDER BY code`,
    );
    return rows.length === 2 ? rows : undefined;
  });
  expect(kept).toEqual([
    { code: "code_failed", message: "Line 3: “No such city.”", node_id: "code" },
    { code: "code_timed_out", message: "The code did not end within 1 s.", node_id: "code" },
  ]);
});
