/** Tests of pipelines: the module. Runs are performed in the process that was asked for them. */
import type { Deps } from "../../../platform/deps.ts";
import type { Module } from "../../../platform/module.ts";
import type { PipelineService } from "../pipelines/index.ts";
import type { RunsDependencies } from "../runs/index.ts";
import { pipelineTestRoutes } from "./pipeline-tests.routes.ts";
import { pipelineTestsService } from "./pipeline-tests.service.ts";
import { pipelineTestsStore } from "./pipeline-tests.store.ts";
import type { RunNeeds } from "./test-run/perform-run.ts";
import { publishDiffRoutes } from "./publish-diff/publish-diff.routes.ts";
import { publishDiffService } from "./publish-diff/publish-diff.service.ts";
import { TestRunner } from "./test-run/runner.ts";
import { testedPipelines } from "./tested-pipelines.ts";
import { testRunsService } from "./test-runs.service.ts";
import { testRunsStore } from "./test-runs.store.ts";
import { tryRecordRoutes } from "./try-record/try-record.routes.ts";
import { tryRecordService } from "./try-record/try-record.service.ts";

export type PipelineTestNeeds = RunNeeds &
  Pick<RunsDependencies, "schema"> & {
    pipelines: Pick<
      PipelineService,
      "testedVersion" | "testedProblems" | "demandRunnable" | "connectTests" | "remappedFields"
    >;
  };

export function pipelineTestsModule(deps: Deps, needs: PipelineTestNeeds): Module {
  const { pipelines } = needs;
  const runs = testRunsStore(deps.dataPool);
  const runner = new TestRunner({ deps, needs, runs });
  const tests = pipelineTestsStore(deps.dataPool);
  const tested = testedPipelines({ needs, pipelines });
  const testRuns = testRunsService({ deps, tested, tests, runs, runner });
  pipelines.connectTests(testRuns);
  return {
    name: "sync/tests",
    routes: [
      ...pipelineTestRoutes(pipelineTestsService({ deps, tested, tests }), testRuns),
      ...publishDiffRoutes(publishDiffService({ deps, needs, tested })),
      ...tryRecordRoutes(tryRecordService({ deps, needs, tested })),
    ],
    start: async () => () => runner.stop(),
  };
}
