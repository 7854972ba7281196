/** Use cases of saved pipeline tests: listing, checking, changing and deleting them. */
import type { FieldProblem } from "@accord/contracts";
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import { PIPELINE_TEST_LIMITS as LIMITS, type TestBody } from "@accord/contracts/sync/tests/pipeline-tests";
import type { Caller } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { generalProblems, testProblems } from "./check-test.ts";
import type { PipelineTestsStore } from "./pipeline-tests.store.ts";
import { toTest } from "./test-views.ts";
import { type Context, findGraph, type Owner, type TestedPipelines } from "./tested-pipelines.ts";

export interface TestParts {
  deps: Pick<Deps, "newId">;
  tested: TestedPipelines;
  tests: PipelineTestsStore;
}

export type PipelineTestsService = ReturnType<typeof pipelineTestsService>;

export function pipelineTestsService({ deps, tested: pipelines, tests }: TestParts) {
  const { ownerOf, versionsOf, compiled, secretsOf, today } = pipelines;

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
      const pipeline = await compiled(owner, tested, { graphs }).catch(notRunnable);
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

  return {
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
