/** Publishing graphs with code: all of it is checked, before anything is held. */
import { Graph } from "@accord/contracts/sync/graph";
import * as contract from "@accord/contracts/sync/pipelines";
import { toggleBypass } from "@accord/sync-engine/graph";
import { expect, test, vi } from "vitest";
import { edge, node } from "../../../../../test-kit/graphs.ts";
import { pipelineDrafts } from "../../../../../test-kit/pipeline-drafts.ts";
import { codeProblems } from "../code-problems.ts";

const drawn = pipelineDrafts();
const script = (index: number): string => `function run(record) { return { name: "${index}" }; }`;

/** The whole graph with a code node for each script, one behind the other. */
async function savedWith(scripts: readonly string[]) {
  const { graph, revision } = await drawn.savedWhole(drawn.accounts);
  const codes = scripts.map((text, index) =>
    node(`code${index}`, "FUNCTION", { script: text, timeout: 1 }, "customCode"),
  );
  const path = ["set", ...codes.map(({ id }) => id), graph.nodes.find((one) => one.nodeType === "CORE_ENTITY")!.id];
  const between = path.slice(1).map((to, index) => edge(path[index] ?? "", to));
  const edges = graph.edges.filter(({ source }) => source.nodeId !== "set");
  const whole = Graph.parse({ nodes: [...graph.nodes, ...codes], edges: [...edges, ...between] });
  return drawn.t.as("SYNC_MANAGER").call(contract.savePipelineDraft, {
    params: { entityId: drawn.accounts },
    body: { graph: whole, revision },
  });
}

test("all code of a graph is checked: the last of many programs keeps it from being published", async () => {
  const good = Array.from({ length: 20 }, (_, index) => script(index));
  const { revision } = await savedWith([...good, "function run( {"]);
  const refused = await drawn.publish(drawn.accounts, revision);
  expect(refused).toMatchObject({
    status: 422,
    body: { code: "pipeline_invalid", details: { problems: [{ code: "code_invalid", nodeId: "code20" }] } },
  });
  const { revision: right } = await savedWith([...good, script(20)]);
  expect((await drawn.publish(drawn.accounts, right)).status).toBe(200);
});

test("broken code of a disabled node keeps nothing from being published", async () => {
  const { graph, revision } = await savedWith(["function run( {"]);
  expect((await drawn.publish(drawn.accounts, revision)).status).toBe(422);
  const saved = await drawn.t.as("SYNC_MANAGER").call(contract.savePipelineDraft, {
    params: { entityId: drawn.accounts },
    body: { graph: toggleBypass(graph, new Set(["code0"])), revision },
  });
  expect((await drawn.publish(drawn.accounts, saved.revision)).status).toBe(200);
});

test("code is checked while nothing is held, each different program once", async () => {
  const { codeSandbox, appPool } = drawn.t.deps;
  const check = codeSandbox.check.bind(codeSandbox);
  const { revision } = await savedWith([script(1), script(1), script(2)]);
  const free: (number | null)[] = [];
  const watched = vi.spyOn(codeSandbox, "check").mockImplementation(async (...args) => {
    const text = "SELECT FROM pipeline WHERE entity_id = $1 FOR UPDATE SKIP LOCKED";
    free.push((await appPool.query(text, [drawn.accounts])).rowCount);
    return check(...args);
  });
  try {
    expect((await drawn.publish(drawn.accounts, revision)).status).toBe(200);
  } finally {
    watched.mockRestore();
  }
  expect(free).toEqual([1, 1]);
});

test("a draft of another revision is refused without running its code", async () => {
  const { revision } = await savedWith([script(1)]);
  const watched = vi.spyOn(drawn.t.deps.codeSandbox, "check");
  try {
    expect((await drawn.publish(drawn.accounts, revision - 1)).status).toBe(409);
    expect(watched).not.toHaveBeenCalled();
  } finally {
    watched.mockRestore();
  }
});

test("code that could not be checked in time is held against the graph, with what to do", async () => {
  const { graph } = await savedWith([script(1)]);
  const place = { instanceId: drawn.t.instanceId, pipelineId: drawn.accounts };
  expect(await codeProblems(drawn.t.deps, place, graph)).toEqual([]);
  expect(await codeProblems(drawn.t.deps, place, graph, 0)).toMatchObject([
    {
      code: "code_invalid",
      nodeId: "code0",
      severity: "error",
      errorMessage: expect.stringContaining("was not checked"),
    },
  ]);
});
