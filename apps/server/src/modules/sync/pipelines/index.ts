/** Pipelines: the module, and what the engine and others may call. */
import type { Deps } from "../../../platform/deps.ts";
import type { Module } from "../../../platform/module.ts";
import type { PipelineDependencies } from "./needs.ts";
import { pipelineRoutes } from "./pipelines.routes.ts";
import { pipelineService, type PipelineService } from "./pipelines.service.ts";
import { registerUses } from "./uses.ts";

export type { PipelineRuns, PublishedVersion, TestedVersion } from "./needs.ts";
export type { PipelineService } from "./pipelines.service.ts";

export function pipelinesModule(deps: Deps, needs: PipelineDependencies): Module & { service: PipelineService } {
  const service = pipelineService(deps, needs);
  registerUses(service, needs);
  return { name: "sync/pipelines", service, routes: pipelineRoutes(service) };
}
