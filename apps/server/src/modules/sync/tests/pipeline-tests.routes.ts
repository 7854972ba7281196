/** Endpoints of pipeline tests, joined with their use cases. */
import * as contract from "@accord/contracts/sync/tests/pipeline-test-calls";
import type { Id } from "@accord/contracts";
import { type Route, route } from "../../../platform/module.ts";
import type { PipelineTestsService } from "./pipeline-tests.service.ts";
import type { TestRunsService } from "./test-runs.service.ts";
import type { Context } from "./tested-pipelines.ts";

const entity = (id: Id<"entity">): Context => ({ kind: "entity", id });
const field = (id: Id<"field">): Context => ({ kind: "field", id });

export const pipelineTestRoutes = (service: PipelineTestsService, runs: TestRunsService): Route[] => [
  ...ofEntities(service, runs),
  ...ofFields(service, runs),
  route(contract.startLiveTest, (ctx, { params, body }) => runs.startLive(ctx, params.graphId, body)),
  route(contract.listLiveTests, (ctx, { params }) => runs.listRuns(ctx, entity(params.graphId), "live")),
  route(contract.getLiveTest, (ctx, { params }) => runs.getRun(ctx, entity(params.graphId), "live", params.runId)),
  route(contract.cancelLiveTest, (ctx, { params }) => runs.cancel(ctx, entity(params.graphId), "live", params.runId)),
  route(contract.clearLiveTests, (ctx, { params }) => runs.clearLive(ctx, params.graphId)),
];

function ofEntities(service: PipelineTestsService, runs: TestRunsService): Route[] {
  const calls = contract.entityPipelineTests;
  return [
    route(calls.list, (ctx, { params }) => service.list(ctx, entity(params.id))),
    route(calls.get, (ctx, { params }) => service.get(ctx, entity(params.id), params.testId)),
    route(calls.create, (ctx, { params, body }) => service.create(ctx, entity(params.id), body)),
    route(calls.update, (ctx, { params, body }) => service.update(ctx, entity(params.id), params.testId, body)),
    route(calls.remove, (ctx, { params }) => service.remove(ctx, entity(params.id), params.testId)),
    route(calls.run, (ctx, { params, body }) => runs.run(ctx, entity(params.id), body)),
    route(calls.listRuns, (ctx, { params }) => runs.listRuns(ctx, entity(params.id), "simulated")),
    route(calls.getRun, (ctx, { params }) => runs.getRun(ctx, entity(params.id), "simulated", params.runId)),
    route(calls.cancelRun, (ctx, { params }) => runs.cancel(ctx, entity(params.id), "simulated", params.runId)),
  ];
}

function ofFields(service: PipelineTestsService, runs: TestRunsService): Route[] {
  const calls = contract.fieldPipelineTests;
  return [
    route(calls.list, (ctx, { params }) => service.list(ctx, field(params.id))),
    route(calls.get, (ctx, { params }) => service.get(ctx, field(params.id), params.testId)),
    route(calls.create, (ctx, { params, body }) => service.create(ctx, field(params.id), body)),
    route(calls.update, (ctx, { params, body }) => service.update(ctx, field(params.id), params.testId, body)),
    route(calls.remove, (ctx, { params }) => service.remove(ctx, field(params.id), params.testId)),
    route(calls.run, (ctx, { params, body }) => runs.run(ctx, field(params.id), body)),
    route(calls.listRuns, (ctx, { params }) => runs.listRuns(ctx, field(params.id), "simulated")),
    route(calls.getRun, (ctx, { params }) => runs.getRun(ctx, field(params.id), "simulated", params.runId)),
    route(calls.cancelRun, (ctx, { params }) => runs.cancel(ctx, field(params.id), "simulated", params.runId)),
  ];
}
