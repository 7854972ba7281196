/** Use cases of pipeline tests: saving them, starting simulated and live runs, and reading results back. */
import type { FieldProblem, Id } from "@accord/contracts";
import { pipelineTests as words } from "@accord/contracts/messages/en/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import type { Graph } from "@accord/contracts/sync/graph";
import {
  PIPELINE_TEST_LIMITS as LIMITS,
  isProcessing,
  type PipelineTestRun,
  type RunBody,
  type TestBody,
} from "@accord/contracts/sync/pipeline-tests";
import { CompileError } from "@accord/sync-engine/functions";
import { newTrace } from "@accord/sync-engine/run";
import type { Caller } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { PipelineService, TestedVersion } from "../pipelines/index.ts";
import {
  compileTest,
  PipelineNotRunnable,
  secretNames,
  type TestGraphs,
  type TestNeeds,
  type TestPipeline,
  testSecrets,
} from "../runs/index.ts";
import { generalProblems, testProblems } from "./check-test.ts";
import { graphsHash } from "./graphs-hash.ts";
import { maskResult } from "./mask-secrets.ts";
import type { PipelineTestsStore } from "./pipeline-tests.store.ts";
import type { Job, RunEnd, TestRunner } from "./runner.ts";
import type { RunRow, TestRunsStore } from "./test-runs.store.ts";
import { toRun, type Today, toTest } from "./test-views.ts";

/** Whose tests: those of an entity pipeline, or of the pipeline of a field. */
export type Context = { kind: "entity"; id: Id<"entity"> } | { kind: "field"; id: Id<"field"> };
type Owner = Job["owner"];

export interface TestParts {
  deps: Pick<Deps, "newId">;
  needs: TestNeeds;
  pipelines: Pick<PipelineService, "testedVersion" | "demandRunnable">;
  tests: PipelineTestsStore;
  runs: TestRunsStore;
  runner: Pick<TestRunner, "start">;
}

export type PipelineTestsService = ReturnType<typeof pipelineTestsService>;

export function pipelineTestsService(parts: TestParts) {
  const { deps, needs, pipelines, tests, runs, runner } = parts;

  async function ownerOf(ctx: Caller, context: Context): Promise<Owner> {
    const { instanceId } = ctx;
    const entities = [
      ...(await needs.schema.listEntities(instanceId, "draft")),
      ...(await needs.schema.listEntities(instanceId)),
    ];
    const entity = entities.find((one) =>
      context.kind === "entity" ? one.id === context.id : one.fields.some((field) => field.id === context.id),
    );
    if (!entity) throw new AppError("not_found", { what: context.kind === "entity" ? "Pipeline" : "Field" });
    return { instanceId, pipelineId: entity.id, fieldId: context.kind === "field" ? context.id : "" };
  }

  async function versionOf(owner: Owner, wanted?: "draft" | "published"): Promise<TestedVersion> {
    const tested = await pipelines.testedVersion(owner.instanceId, owner.pipelineId, wanted);
    const reason = wanted ? fill(words.noVersion, { version: wanted }) : words.nothingToTest;
    if (!tested) throw new AppError("test_failed", { reason });
    return tested;
  }

  /** The draft and the published version, as far as there are any. */
  async function versionsOf({ instanceId, pipelineId }: Owner): Promise<TestedVersion[]> {
    const found = [
      await pipelines.testedVersion(instanceId, pipelineId, "draft"),
      await pipelines.testedVersion(instanceId, pipelineId, "published"),
    ];
    return found.filter((one) => one !== null);
  }

  const graphsOf = async (owner: Owner): Promise<TestGraphs[]> =>
    (await versionsOf(owner)).map(({ version }) => version);

  /** Fields that are secret today, whatever they were when something was stored. */
  const secretsOf = async (owner: Owner, graphs?: TestGraphs[]): Promise<Set<string>> =>
    secretNames(await testSecrets(needs, owner.instanceId, owner.pipelineId, graphs ?? (await graphsOf(owner))));

  /** What tests are answered with: names of secret fields, and the versions as they are now. */
  async function today(owner: Owner): Promise<Today> {
    const versions = await versionsOf(owner);
    const hashes = versions.map(({ graphVersion, version }) => [graphVersion, graphsHash(version)] as const);
    const names = await secretsOf(
      owner,
      versions.map(({ version }) => version),
    );
    return { names, hashes: new Map(hashes) };
  }

  async function compiled(owner: Owner, tested: TestedVersion, graphs: TestGraphs[]): Promise<TestPipeline> {
    await pipelines.demandRunnable(owner.instanceId, tested);
    try {
      return await compileTest(needs, owner.instanceId, { ...tested, graphs }, newTrace().observe);
    } catch (error) {
      if (error instanceof PipelineNotRunnable || error instanceof CompileError)
        throw new AppError("test_failed", { reason: error.message });
      throw error;
    }
  }

  /**
   * Throws `validation_failed` naming each field that neither the draft nor the published version has. While neither can
   * run, only what holds for any pipeline is checked.
   */
  async function check(owner: Owner, body: TestBody): Promise<void> {
    const versions = await versionsOf(owner);
    if (versions.length === 0) throw new AppError("test_failed", { reason: words.nothingToTest });
    const graphs = versions.map(({ version }) => version);
    const found: FieldProblem[][] = [];
    for (const tested of versions) {
      const pipeline = await compiled(owner, tested, graphs).catch(notRunnable);
      const graph = findGraph(owner, tested);
      if (pipeline && graph) found.push(testProblems(pipeline, graph, body));
    }
    const [errors] = found.length > 0 ? found.toSorted((a, b) => a.length - b.length) : [];
    demandValid(errors ?? generalProblems(await secretsOf(owner, graphs), body));
  }

  async function requireTest(owner: Owner, testId: string) {
    const found = await tests.find(owner, testId);
    if (!found) throw new AppError("not_found", { what: words.test });
    return toTest(await today(owner), found);
  }

  /** Nothing of the pipeline changes from here on until the run has ended. */
  async function begin(
    ctx: Caller,
    owner: Owner,
    run: { kind: RunRow["kind"]; name: string; graphVersion?: "draft" | "published" | undefined },
    work: Pick<Job, "tests" | "live" | "deadline"> & { version?: TestedVersion },
  ): Promise<{ run: PipelineTestRun; ended: Promise<RunEnd> }> {
    const { firstName, lastName } = ctx.actor;
    const runId = deps.newId<"pipelineTestRun">();
    const row = await runs.begin(owner, {
      id: runId,
      kind: run.kind,
      name: run.name,
      testIds: work.tests.map((test) => test.id),
      graphVersion: run.graphVersion ?? "draft",
      requestedBy: `${firstName} ${lastName}`.trim(),
    });
    if (!row) throw new AppError("test_running");
    try {
      const { version, ...job } = work;
      const tested = version ?? (await versionOf(owner, run.graphVersion));
      const graphs = await graphsOf(owner);
      await compiled(owner, tested, graphs);
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
    const names = await secretsOf(owner);
    return toRun(
      row,
      (await runs.results(owner.instanceId, runId)).map((result) => maskResult(names, result)),
    );
  }

  return {
    isTesting: (instanceId: Id<"instance">, entityId: Id<"entity">) => runs.isUnderWay(instanceId, entityId),

    /** All within the time of one run. A field whose pipeline is not part of the version has nothing to test. Throws `test_failed` where a run breaks off. */
    async runAll(ctx: Caller, tested: TestedVersion, name: string): Promise<string[]> {
      const failed: string[] = [];
      const deadline = AbortSignal.timeout(LIMITS.runSeconds * 1000);
      const owned = { instanceId: ctx.instanceId, pipelineId: tested.entity.id };
      for (const fieldId of await tests.fieldsWithTests(ctx.instanceId, tested.entity.id)) {
        const owner: Owner = { ...owned, fieldId };
        if (!findGraph(owner, tested)) continue;
        const all = await tests.all(owner);
        const { ended } = await begin(
          ctx,
          owner,
          { kind: "simulated", name },
          { tests: all, live: null, version: tested, deadline },
        );
        const { status, message, results } = await ended;
        if (message !== null) throw new AppError("test_failed", { reason: message });
        if (status !== "success")
          failed.push(...results.filter((result) => result.status !== "success").map((result) => result.name));
      }
      return failed;
    },

    async list(ctx: Caller, context: Context) {
      const owner = await ownerOf(ctx, context);
      const now = await today(owner);
      return { tests: (await tests.list(owner)).map((one) => toTest(now, one)) };
    },

    get: async (ctx: Caller, context: Context, testId: string) => requireTest(await ownerOf(ctx, context), testId),

    async create(ctx: Caller, context: Context, body: TestBody) {
      const owner = await ownerOf(ctx, context);
      await check(owner, body);
      const { name, records, expectedResult: expected } = body;
      const testId = deps.newId<"pipelineTest">();
      const outcome = await tests.add(owner, { id: testId, name, records, expected }, LIMITS.tests);
      if (outcome === "name_taken") throw new AppError("name_taken", { name });
      if (outcome === "too_many")
        throw new AppError("test_failed", { reason: fill(words.tooMany, { count: LIMITS.tests }) });
      return requireTest(owner, testId);
    },

    async update(
      ctx: Caller,
      context: Context,
      testId: string,
      { revision, ...body }: TestBody & { revision: number },
    ) {
      const owner = await ownerOf(ctx, context);
      await requireTest(owner, testId);
      await check(owner, body);
      const { name, records, expectedResult: expected } = body;
      const outcome = await tests.update(owner, { id: testId, name, records, expected, revision });
      if (outcome === "name_taken") throw new AppError("name_taken", { name });
      const newest = await requireTest(owner, testId);
      if (outcome === "not_updated") throw new AppError("stale_version", { newest });
      return newest;
    },

    async remove(ctx: Caller, context: Context, testId: string) {
      if (!(await tests.remove(await ownerOf(ctx, context), testId)))
        throw new AppError("not_found", { what: words.test });
      return {};
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
  };
}

/** A pipeline that can't run as it is. */
function notRunnable(error: unknown): null {
  if (error instanceof AppError && (error.code === "pipeline_invalid" || error.code === "test_failed")) return null;
  throw error;
}

function demandValid(errors: FieldProblem[]): void {
  if (errors.length > 0) throw new AppError("validation_failed", {}, { errors });
}

/** The graph whose nodes a test is about. */
function graphOf(owner: Owner, tested: TestedVersion): Graph {
  const graph = findGraph(owner, tested);
  if (graph) return graph;
  const field = tested.entity.fields.find(({ id }) => id === owner.fieldId)?.displayName ?? owner.fieldId;
  throw new AppError("test_failed", { reason: fill(words.noFieldPipeline, { field }) });
}

function findGraph({ fieldId }: Owner, { entity, version }: TestedVersion): Graph | undefined {
  if (fieldId === "") return version.graph;
  const field = entity.fields.find((one) => one.id === fieldId);
  return field && version.fieldGraphs?.[field.apiName];
}
