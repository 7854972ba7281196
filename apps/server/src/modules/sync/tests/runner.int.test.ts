/** Test runs that wait: how many may, for how long, and how they end when the server stops. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { Graph } from "@accord/contracts/sync/graph";
import { beforeAll, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/test-app.ts";
import { type Job, type RunEnd, type RunNeeds, TestRunner } from "./runner.ts";
import { testRunsStore } from "./test-runs.store.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});

/** A runner whose runs go on until they are released. */
function blockedRunner() {
  const release = Promise.withResolvers<never[]>();
  const needs = { schema: { listEntities: () => release.promise } } as unknown as RunNeeds;
  return { runner: new TestRunner({ deps: t.deps, needs, runs: testRunsStore(t.deps.dataPool) }), release };
}

function job(instanceId: Id<"instance">, deadline?: AbortSignal): Job {
  const graph = Graph.parse({ nodes: [], edges: [] });
  const version = { graph, fieldGraphs: {} };
  const owner = { instanceId, pipelineId: t.deps.newId<"entity">(), fieldId: "" };
  const tested = {
    entity: { id: owner.pipelineId, fields: [] } as unknown as CoreEntity,
    version,
    graphVersion: "draft",
  };
  const run = { runId: t.deps.newId<"pipelineTestRun">(), owner, tested, graph, graphs: [], name: "", tests: [] };
  return { ...run, live: null, ...(deadline && { deadline }) } as unknown as Job;
}

test("an instance may have a limited number of waiting runs, and does not keep another one from waiting", async () => {
  const { runner, release } = blockedRunner();
  const started: Promise<RunEnd>[] = [];
  const refused = () => {
    for (let count = 0; count < 100; count += 1) started.push(runner.start(job(t.instanceId)));
  };
  expect(refused).toThrow(expect.objectContaining({ code: "test_failed" }));
  expect(started.length).toBeLessThan(20);
  started.push(runner.start(job(t.deps.newId<"instance">())));
  const stopped = runner.stop();
  release.resolve([]);
  await stopped;
  expect((await Promise.all(started)).length).toBe(started.length);
});

test("a run that waits longer than its deadline ends without having run", async () => {
  const { runner, release } = blockedRunner();
  const deadline = new AbortController();
  const running = [runner.start(job(t.instanceId)), runner.start(job(t.instanceId))];
  const waiting = runner.start(job(t.instanceId, deadline.signal));
  deadline.abort();
  expect(await waiting).toMatchObject({ status: "error", message: expect.stringContaining("seconds"), results: [] });
  const stopped = runner.stop();
  release.resolve([]);
  await Promise.all([stopped, ...running]);
});

test("when the server stops, each waiting run ends, even where one of them can't be stored", async () => {
  const { runner, release } = blockedRunner();
  const running = [runner.start(job(t.instanceId)), runner.start(job(t.instanceId))];
  // There is no such instance.
  const waiting = [runner.start(job(t.deps.newId<"instance">())), runner.start(job(t.instanceId))];
  const stopped = runner.stop();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(["aborted", "aborted"]);
  release.resolve([]);
  await Promise.all([stopped, ...running]);
});
