/** What the use cases of running pipelines share: their parts, and finding a published pipeline or saying why there is none. */
import type { Id } from "@accord/contracts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { currentRecord } from "./edits/current-record.store.ts";
import type { DeletionDetectionStore } from "./deletions/deletion-detection.store.ts";
import type { RunsDependencies } from "./worker/plans.ts";
import type { ReplicationSlotsStore } from "./monitoring/replication-slots.store.ts";
import type { RunsStore } from "./monitoring/runs.store.ts";
import type { PipelineRow } from "./schedule/pipeline-rows.store.ts";
import type { ScheduleStore } from "./schedule/schedule.store.ts";
import type { StandingProblemsStore } from "./monitoring/standing-problems.store.ts";

export type InstanceId = Id<"instance">;
export type EntityId = Id<"entity">;

export interface ServiceContext {
  deps: Pick<Deps, "clock" | "config" | "newId" | "realtime" | "dataPool" | "secrets">;
  needs: RunsDependencies;
  schedule: ScheduleStore;
  store: RunsStore;
  missing: DeletionDetectionStore;
  slots: Pick<ReplicationSlotsStore, "list">;
  standing: StandingProblemsStore;
}

/** Throws `pipeline_not_published`, or `not_found` when there is no such entity either. */
export async function requirePublishedPipeline(
  { needs, schedule }: Pick<ServiceContext, "needs" | "schedule">,
  at: InstanceId,
  entityId: EntityId,
): Promise<PipelineRow> {
  const row = await schedule.find(at, entityId);
  if (row) return row;
  const entity = await needs.schema.getEntity(at, entityId);
  throw entity ? new AppError("pipeline_not_published") : new AppError("not_found", { what: "Pipeline" });
}

/** Throws `not_found` unless the entity exists or its pipeline still runs. */
export async function demandPipeline(
  { needs, schedule }: Pick<ServiceContext, "needs" | "schedule">,
  at: InstanceId,
  entityId: EntityId,
): Promise<void> {
  const entity = await needs.schema.getEntity(at, entityId);
  if (!entity && !(await schedule.find(at, entityId))) throw new AppError("not_found", { what: "Pipeline" });
}

/** Throws `not_found` unless the record is there, or was once. */
export async function demandRecord(
  { deps, needs, store }: Pick<ServiceContext, "deps" | "needs" | "store">,
  at: Id<"instance">,
  entityId: EntityId,
  recordId: Id<"record">,
): Promise<void> {
  const entity = await needs.schema.getEntity(at, entityId);
  const isThere = entity && (await currentRecord(deps.dataPool, at, entity, recordId));
  if (!isThere && !(await store.hasRecord(at, recordId))) throw new AppError("not_found", { what: "Record" });
}

export const sourceIds = (nodes: readonly { id: string; nodeType: string }[]): string[] =>
  nodes.filter(({ nodeType }) => nodeType === "ENTITY_SOURCE").map(({ id }) => id);
