/** Use cases of test runs: starting and cancelling simulated and live ones, reading their results, and those before publishing. */
import type { Id } from "@accord/contracts";
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import { isProcessing, type PipelineTestRun, type RunBody } from "@accord/contracts/sync/tests/pipeline-tests";
import type { Caller } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { TestedVersion } from "../pipelines/index.ts";
import { maskResult } from "./test-run/mask-secrets.ts";
import type { Job } from "./test-run/perform-run.ts";
import type { PipelineTestsStore } from "./pipeline-tests.store.ts";
import { type RunEnd, runTime, type TestRunner } from "./test-run/runner.ts";
import type { RunRow, TestRunsStore } from "./test-runs.store.ts";
import { toRun } from "./test-views.ts";
import { type Context, findGraph, graphOf, type Owner, type TestedPipelines } from "./tested-pipelines.ts";

export interface TestRunParts {
  deps: Pick<Deps, "newId">;
  tested: TestedPipelines;
  tests: PipelineTestsStore;
  runs: TestRunsStore;
  runner: Pick<TestRunner, "start" | "cancel">;
}

/** Whoever publishes waits no longer than this for the tests' turns. */
const MAX_PUBLISH_WAIT_MS = 300_000;

export type TestRunsService = ReturnType<typeof testRunsService>;

export function testRunsService({ deps, tested: pipelines, tests, runs, runner }: TestRunParts) {
  const { ownerOf } = pipelines;

  /** Nothing of the pipeline changes from here on until the run has ended. */
  async function begin(
    ctx: Caller,
    owner: Owner,
    run: { kind: RunRow["kind"]; name: string; graphVersion?: "draft" | "published" | undefined },
    work: Pick<Job, "tests" | "live" | "time" | "waitLimit"> & { version?: TestedVersion },
  ): Promise<{ run: PipelineTestRun; ended: Promise<RunEnd> }> {
    const runId = deps.newId<"pipelineTestRun">();
    const row = await runs.begin(owner, {
      id: runId,
      kind: run.kind,
      name: run.name,
      testIds: work.tests.map((test) => test.id),
      graphVersion: run.graphVersion ?? "draft",
      requestedBy: nameOf(ctx),
    });
    if (!row) throw new AppError("test_running");
    try {
      const { version, ...job } = work;
      const tested = version ?? (await pipelines.versionOf(owner, run.graphVersion));
      const graphs = await pipelines.graphsOf(owner);
      await pipelines.compiled(owner, tested, { graphs });
      const graph = graphOf(owner, tested);
      const ended = runner.start({ runId, owner, tested, graphs, graph, name: run.name, ...job });
      return { run: toRun({ ...row, graphVersion: tested.graphVersion }, null), ended };
    } catch (error) {
      await runs.withdraw(owner.instanceId, runId);
      throw error;
    }
  }

  async function getRun(owner: Owner, kind: RunRow["kind"], runId: string): Promise<PipelineTestRun> {
    const row = await runs.find(owner, kind, runId);
    if (!row) throw new AppError("not_found", { what: words.testRun });
    if (isProcessing(row.status)) return toRun(row, []);
    const names = await pipelines.secretsOf(owner);
    return toRun(
      row,
      (await runs.results(owner.instanceId, runId)).map((result) => maskResult(names, result)),
    );
  }

  return {
    isTesting: (instanceId: Id<"instance">, entityId: Id<"entity">) => runs.isUnderWay(instanceId, entityId),

    /** All within the running time of one run. A field whose pipeline is not part of the version has nothing to test. Throws `test_failed` where a run breaks off. */
    async runAll(ctx: Caller, tested: TestedVersion, name: string): Promise<string[]> {
      const failed: string[] = [];
      const limits = { time: runTime(), waitLimit: AbortSignal.timeout(MAX_PUBLISH_WAIT_MS) };
      const owned = { instanceId: ctx.instanceId, pipelineId: tested.entity.id };
      for (const fieldId of await tests.fieldsWithTests(ctx.instanceId, tested.entity.id)) {
        const owner: Owner = { ...owned, fieldId };
        if (!findGraph(owner, tested)) continue;
        const all = await tests.all(owner);
        const { ended } = await begin(
          ctx,
          owner,
          { kind: "simulated", name },
          { tests: all, live: null, version: tested, ...limits },
        );
        const { status, message, results } = await ended;
        if (message !== null) throw new AppError("test_failed", { reason: message });
        if (status !== "success")
          failed.push(...results.filter((result) => result.status !== "success").map((result) => result.name));
      }
      return failed;
    },

    async run(ctx: Caller, context: Context, { testIds, name, graphVersion }: RunBody) {
      const owner = await ownerOf(ctx, context);
      const wanted = [...new Set(testIds)];
      const chosen = await tests.chosen(owner, wanted);
      if (chosen.length < wanted.length) throw new AppError("not_found", { what: words.test });
      return (await begin(ctx, owner, { kind: "simulated", name, graphVersion }, { tests: chosen, live: null })).run;
    },

    async startLive(
      ctx: Caller,
      entityId: Id<"entity">,
      body: { name: string; records: number; graphVersion?: "draft" | "published" | undefined },
    ) {
      const owner = await ownerOf(ctx, { kind: "entity", id: entityId });
      const { name, graphVersion } = body;
      return (await begin(ctx, owner, { kind: "live", name, graphVersion }, { tests: [], live: body.records })).run;
    },

    async listRuns(ctx: Caller, context: Context, kind: RunRow["kind"]) {
      const rows = await runs.list(await ownerOf(ctx, context), kind);
      return { runs: rows.map((row) => toRun(row, null)) };
    },

    getRun: async (ctx: Caller, context: Context, kind: RunRow["kind"], runId: string) =>
      getRun(await ownerOf(ctx, context), kind, runId),

    async cancel(ctx: Caller, context: Context, kind: RunRow["kind"], runId: string) {
      const owner = await ownerOf(ctx, context);
      const message = fill(words.cancelledBy, { name: nameOf(ctx) });
      if (await runs.cancel(owner, kind, runId, message)) runner.cancel(runId);
      return getRun(owner, kind, runId);
    },

    async clearLive(ctx: Caller, entityId: Id<"entity">) {
      return { deleted: await runs.clear(await ownerOf(ctx, { kind: "entity", id: entityId }), "live") };
    },
  };
}

const nameOf = ({ actor }: Caller): string => `${actor.firstName} ${actor.lastName}`.trim();
