/** Tests of pipelines: the module. Runs are performed in the process that was asked for them. */
import type { Deps } from "../../../platform/deps.ts";
import type { Module } from "../../../platform/module.ts";
import type { PipelineService } from "../pipelines/index.ts";
import { pipelineTestRoutes } from "./pipeline-tests.routes.ts";
import { pipelineTestsService } from "./pipeline-tests.service.ts";
import { pipelineTestsStore } from "./pipeline-tests.store.ts";
import { type RunNeeds, TestRunner } from "./runner.ts";
import { testRunsStore } from "./test-runs.store.ts";

export interface PipelineTestNeeds extends RunNeeds {
  pipelines: Pick<PipelineService, "testedVersion" | "demandRunnable" | "connectTests">;
}

export function pipelineTestsModule(deps: Deps, needs: PipelineTestNeeds): Module {
  const { pipelines } = needs;
  const runs = testRunsStore(deps.dataPool);
  const runner = new TestRunner({ deps, needs, runs });
  const service = pipelineTestsService({
    deps,
    needs,
    pipelines,
    tests: pipelineTestsStore(deps.dataPool),
    runs,
    runner,
  });
  pipelines.connectTests(service);
  return {
    name: "sync/tests",
    routes: pipelineTestRoutes(service),
    start: async () => () => runner.stop(),
  };
}
