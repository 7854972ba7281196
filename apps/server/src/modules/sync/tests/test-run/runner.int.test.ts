/** Test runs that wait: how many may, for how long, and how they end when the server stops. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { Graph } from "@accord/contracts/sync/graph";
import { beforeAll, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../../test-kit/test-app.ts";
import { eventually } from "../../../../../test-kit/sync-world/working-world.ts";
import type { Job, RunNeeds } from "./perform-run.ts";
import { type RunEnd, TestRunner } from "./runner.ts";
import { testRunsStore } from "../test-runs.store.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});

/** A runner whose runs go on until they are released. */
function blockedRunner(deps: TestApp["deps"] = t.deps) {
  const release = Promise.withResolvers<never[]>();
  const needs = { connectors: { findPlaces: () => release.promise } } as unknown as RunNeeds;
  return { runner: new TestRunner({ deps, needs, runs: testRunsStore(t.deps.dataPool) }), release };
}

/** A runner that notes of which instances its runs begin, and lets them go on one by one. */
function steppedRunner() {
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  const findPlaces = async (instanceId: string): Promise<never[]> => {
    begun.push(instanceId);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return [];
  };
  const needs = { connectors: { findPlaces } } as unknown as RunNeeds;
  const letOne = async (): Promise<void> => {
    const next = await eventually("a run that has begun", async () => waiting.shift());
    next();
  };
  return { runner: new TestRunner({ deps: t.deps, needs, runs: testRunsStore(t.deps.dataPool) }), begun, letOne };
}

function job(instanceId: Id<"instance">, limits: Pick<Job, "time" | "waitLimit"> = {}): Job {
  const graph = Graph.parse({ nodes: [], edges: [] });
  const version = { graph, fieldGraphs: {} };
  const owner = { instanceId, pipelineId: t.deps.newId<"entity">(), fieldId: "" };
  const tested = {
    entity: { id: owner.pipelineId, fields: [] } as unknown as CoreEntity,
    version,
    graphVersion: "draft",
  };
  const run = { runId: t.deps.newId<"pipelineTestRun">(), owner, tested, graph, graphs: [], name: "", tests: [] };
  return { ...run, live: null, ...limits } as unknown as Job;
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

test("a run that has waited for its turn long enough ends without having run", async () => {
  const { runner, release } = blockedRunner();
  const waitLimit = new AbortController();
  const running = [runner.start(job(t.instanceId)), runner.start(job(t.instanceId))];
  const waiting = runner.start(job(t.instanceId, { waitLimit: waitLimit.signal }));
  waitLimit.abort();
  const message = expect.stringContaining("wait for their turn");
  expect(await waiting).toMatchObject({ status: "error", message, results: [] });
  const stopped = runner.stop();
  release.resolve([]);
  await Promise.all([stopped, ...running]);
});

test("the time of a run begins with it: waiting costs none, and runs that share it have what is left", async () => {
  const waited = 3_600_000;
  let passedMs = 0;
  const clock = { ...t.deps.clock, monotonicMs: () => t.deps.clock.monotonicMs() + passedMs };
  const { runner, release } = blockedRunner({ ...t.deps, clock });
  const running = [runner.start(job(t.instanceId)), runner.start(job(t.instanceId))];
  const time = { leftMs: 2 * waited };
  const waiting = runner.start(job(t.instanceId, { time }));
  passedMs = waited;
  release.resolve([]);
  const ended = await waiting;
  expect(ended.message).not.toContain("seconds");
  expect(time.leftMs).toBeLessThan(2 * waited);
  expect(time.leftMs).toBeGreaterThan(waited);
  time.leftMs = -1;
  expect(await runner.start(job(t.instanceId, { time }))).toMatchObject({
    status: "error",
    message: expect.stringContaining("seconds"),
  });
  await Promise.all(running);
});

test("instances take turns: the runs of one that has many keep those of others waiting for one of them only", async () => {
  const { runner, begun, letOne } = steppedRunner();
  const [second, third] = [await t.build.instance(), await t.build.instance()];
  const names = new Map<string, string>([
    [t.instanceId, "busy"],
    [second, "second"],
    [third, "third"],
  ]);
  const busy = Array.from({ length: 4 }, () => job(t.instanceId));
  const ends = [...busy, job(second), job(third)].map((one) => runner.start(one));
  for (let count = 0; count < ends.length; count += 1) {
    await eventually("the runs under way", async () =>
      begun.length >= Math.min(count + 2, ends.length) ? true : undefined,
    );
    await letOne();
  }
  await Promise.all(ends);
  expect(begun.map((id) => names.get(id))).toEqual(["busy", "busy", "second", "busy", "third", "busy"]);
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

test("a run that is cancelled ends at once, be it running or waiting, and makes room for the next one", async () => {
  const { runner, release } = blockedRunner();
  const jobs = [job(t.instanceId), job(t.instanceId), job(t.instanceId), job(t.instanceId)];
  const ends = jobs.map((one) => runner.start(one));
  runner.cancel(jobs[0]?.runId ?? "");
  runner.cancel(jobs[2]?.runId ?? "");
  expect(await ends[2]).toMatchObject({ status: "aborted", message: "The run was cancelled.", results: [] });
  release.resolve([]);
  expect(await ends[0]).toMatchObject({ status: "aborted", message: "The run was cancelled." });
  const stopped = runner.stop();
  await Promise.all([stopped, ...ends]);
});
