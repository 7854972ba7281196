/** Reconciliation of pipelines: the module, and how a command runs one by itself. */
import type { Id } from "@accord/contracts";
import type { Reconciliation } from "@accord/contracts/sync/reconciliation";
import type { Deps } from "../../../platform/deps.ts";
import type { Module } from "../../../platform/module.ts";
import type { ConnectorsService } from "../../connections/connectors/index.ts";
import type { SchemaService } from "../../data/schema/index.ts";
import type { ActionsService } from "../actions/index.ts";
import type { RunsModule } from "../runs/index.ts";
import { evidenceStore } from "./comparison/evidence.store.ts";
import type { Means } from "./comparison/looks.ts";
import { reconciliationRoutes } from "./reconciliation.routes.ts";
import { reconciliationService, type ReconciliationService } from "./reconciliation.service.ts";
import { repairStore } from "./repair/repair.store.ts";
import { reportsStore } from "./report/reports.store.ts";
import { ReconciliationWorker } from "./worker.ts";
import { workStore } from "./comparison/work.store.ts";

export interface ReconciliationDependencies {
  schema: Pick<SchemaService, "getEntity">;
  connectors: Pick<ConnectorsService, "openConnection">;
  answers: Pick<ActionsService, "answer">;
  runs: Pick<RunsModule, "plans" | "schedule" | "service">;
  /** Longest wait for a pipeline to run through between two looks. */
  settleMs?: number;
}

export interface PublishedPipeline {
  instanceId: Id<"instance">;
  entityId: Id<"entity">;
  name: string;
}

/** For commands of the operator, who stands above all instances. */
export interface ReconciliationCommands {
  listPublished(): Promise<PublishedPipeline[]>;
  /** Begins one, or answers the one that waits or runs. */
  begin(pipeline: PublishedPipeline): Promise<Reconciliation>;
  find(pipeline: PublishedPipeline, id: Id<"reconciliation">): Promise<Reconciliation>;
  /** Does one that was begun in this process, unless a worker took it. */
  runOne(id: Id<"reconciliation">): Promise<void>;
}

export interface ReconciliationModule extends Module {
  service: ReconciliationService;
  commands: ReconciliationCommands;
}

const SETTLE_MS = 90_000;

export function reconciliationModule(deps: Deps, needs: ReconciliationDependencies): ReconciliationModule {
  const { schedule, plans, service: runs } = needs.runs;
  const reports = reportsStore(deps.dataPool, deps.dataReads);
  const work = workStore(deps.dataPool);
  const means: Means = {
    clock: deps.clock,
    connectors: needs.connectors,
    evidence: evidenceStore(deps.dataPool),
    work,
    reports,
    requestCycle: ({ instanceId, pipelineId }) => schedule.requestCycle(instanceId, pipelineId),
  };
  const { answers, settleMs = SETTLE_MS } = needs;
  const worker = new ReconciliationWorker({ deps, means, plans, answers, settleMs });
  const service = reconciliationService({
    deps,
    schema: needs.schema,
    plans,
    schedule,
    startResync: (ctx, entityId, request) => runs.startResync(ctx, entityId, request),
    reports,
    work,
    repairs: repairStore(deps.dataPool, deps.newId),
    means,
    answers,
    wake: () => worker.poll(),
  });
  return {
    name: "sync/reconciliation",
    service,
    commands: {
      async listPublished() {
        const pipelines: PublishedPipeline[] = [];
        for (const { instanceId, pipelineId } of await schedule.listAll()) {
          const entity = await needs.schema.getEntity(instanceId, pipelineId);
          if (entity) pipelines.push({ instanceId, entityId: pipelineId, name: entity.displayName });
        }
        return pipelines.sort((left, right) => left.name.localeCompare(right.name));
      },
      begin: ({ instanceId, entityId }) => service.begin(instanceId, entityId, "npm run reconcile"),
      find: ({ instanceId }, id) => service.find(instanceId, id),
      runOne: (id) => worker.runOne(id),
    },
    routes: reconciliationRoutes(service),
    async startWorker() {
      worker.start();
      return () => worker.stop();
    },
  };
}
