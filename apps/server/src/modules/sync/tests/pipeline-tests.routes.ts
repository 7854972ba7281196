/** Endpoints of pipeline tests, joined with their use cases. */
import * as contract from "@accord/contracts/sync/pipeline-test-calls";
import type { Id } from "@accord/contracts";
import { type Route, route } from "../../../platform/module.ts";
import type { Context, PipelineTestsService } from "./pipeline-tests.service.ts";

const entity = (id: Id<"entity">): Context => ({ kind: "entity", id });
const field = (id: Id<"field">): Context => ({ kind: "field", id });

export const pipelineTestRoutes = (service: PipelineTestsService): Route[] => [
  ...ofEntities(service),
  ...ofFields(service),
  route(contract.startLiveTest, (ctx, { params, body }) => service.startLive(ctx, params.graphId, body)),
  route(contract.listLiveTests, (ctx, { params }) => service.listRuns(ctx, entity(params.graphId), "live")),
  route(contract.getLiveTest, (ctx, { params }) => service.getRun(ctx, entity(params.graphId), "live", params.runId)),
];

function ofEntities(service: PipelineTestsService): Route[] {
  const calls = contract.entityPipelineTests;
  return [
    route(calls.list, (ctx, { params }) => service.list(ctx, entity(params.id))),
    route(calls.get, (ctx, { params }) => service.get(ctx, entity(params.id), params.testId)),
    route(calls.create, (ctx, { params, body }) => service.create(ctx, entity(params.id), body)),
    route(calls.update, (ctx, { params, body }) => service.update(ctx, entity(params.id), params.testId, body)),
    route(calls.remove, (ctx, { params }) => service.remove(ctx, entity(params.id), params.testId)),
    route(calls.run, (ctx, { params, body }) => service.run(ctx, entity(params.id), body)),
    route(calls.listRuns, (ctx, { params }) => service.listRuns(ctx, entity(params.id), "simulated")),
    route(calls.getRun, (ctx, { params }) => service.getRun(ctx, entity(params.id), "simulated", params.runId)),
  ];
}

function ofFields(service: PipelineTestsService): Route[] {
  const calls = contract.fieldPipelineTests;
  return [
    route(calls.list, (ctx, { params }) => service.list(ctx, field(params.id))),
    route(calls.get, (ctx, { params }) => service.get(ctx, field(params.id), params.testId)),
    route(calls.create, (ctx, { params, body }) => service.create(ctx, field(params.id), body)),
    route(calls.update, (ctx, { params, body }) => service.update(ctx, field(params.id), params.testId, body)),
    route(calls.remove, (ctx, { params }) => service.remove(ctx, field(params.id), params.testId)),
    route(calls.run, (ctx, { params, body }) => service.run(ctx, field(params.id), body)),
    route(calls.listRuns, (ctx, { params }) => service.listRuns(ctx, field(params.id), "simulated")),
    route(calls.getRun, (ctx, { params }) => service.getRun(ctx, field(params.id), "simulated", params.runId)),
  ];
}
