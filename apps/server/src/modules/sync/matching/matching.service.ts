/** Use cases of conflicts and merges. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { recordsChanged } from "@accord/contracts/data/records";
import type { Value } from "@accord/contracts/data/values";
import type { Conflict, Settlement, ValueSource } from "@accord/contracts/sync/monitoring/conflicts";
import type { Merge, MergeChoice, MergeStatus } from "@accord/contracts/sync/merges";
import { sameValue, SecretFields } from "@accord/expressions";
import { BY_USER } from "@accord/sync-engine/run";
import type { Caller } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { RecordWriter } from "../../data/records/index.ts";
import { asName, nameFieldOf, type SchemaService } from "../../data/schema/index.ts";
import type { DuplicateMerger } from "../runs/index.ts";
import { type ConflictRow, type ConflictsStore, conflictKey } from "./conflicts.store.ts";
import type { MergeRow, MergesStore } from "./merges.store.ts";
import { dismissReported, mergeReported } from "./reported-duplicates.ts";
import { type UndoRefusal, undoMerge } from "./undo-merge.store.ts";

type EntityId = Id<"entity">;

export interface MatchingDependencies {
  schema: Pick<SchemaService, "getEntity">;
  changes: RecordWriter & DuplicateMerger;
}

export interface MatchingParts {
  deps: Pick<Deps, "dataPool" | "realtime">;
  needs: MatchingDependencies;
  conflicts: ConflictsStore;
  merges: MergesStore;
}

export type MatchingService = ReturnType<typeof matchingService>;

const REFUSALS: Readonly<Record<UndoRefusal, string>> = {
  notMerged: syncRefusals.notMerged,
  mergedOn: syncRefusals.mergedOn,
};

export function matchingService({ deps, needs, conflicts, merges }: MatchingParts) {
  async function entityOf(ctx: Caller, entityId: EntityId): Promise<CoreEntity> {
    const entity = await needs.schema.getEntity(ctx.instanceId, entityId);
    if (!entity) throw new AppError("not_found", { what: "Pipeline" });
    return { ...entity, fields: entity.fields.filter(({ status }) => status === "ACTIVE") };
  }

  async function demandRecord({ instanceId }: Caller, recordId: string | undefined): Promise<void> {
    if (recordId !== undefined && !(await merges.hasRecord(instanceId, recordId))) {
      throw new AppError("not_found", { what: "Record" });
    }
  }

  async function named({ instanceId }: Caller, entity: CoreEntity, rows: readonly MergeRow[]): Promise<Merge[]> {
    const ids = rows.flatMap(({ winnerId, loserIds }) => [winnerId, ...loserIds]);
    const names = await merges.names(instanceId, entity, ids);
    const field = nameFieldOf(entity) ?? "";
    // As they were called when they were found to be the same, where that is kept.
    const nameIn = ({ before }: MergeRow, id: string) => asName(before[id]?.values[field]) ?? names.get(id) ?? null;
    return rows.map((row) => toMerge(row, entity, (id) => nameIn(row, id)));
  }

  async function mergeOf(ctx: Caller, entityId: EntityId, mergeId: string): Promise<[CoreEntity, MergeRow]> {
    const entity = await entityOf(ctx, entityId);
    const found = await merges.find(ctx.instanceId, entityId, mergeId);
    if (!found) throw new AppError("not_found", { what: "Merge" });
    return [entity, found];
  }

  /** As it stands after something was done with it. */
  async function answered(ctx: Caller, entity: CoreEntity, before: MergeRow): Promise<Merge> {
    const now = await merges.find(ctx.instanceId, entity.id, before.id);
    const [merge] = await named(ctx, entity, [now ?? before]);
    if (!merge) throw new Error("a merge has its answer");
    return merge;
  }

  return {
    async conflicts(
      ctx: Caller,
      entityId: EntityId,
      query: { cursor?: string | undefined; count: number; field?: string | undefined; recordId?: string | undefined },
    ) {
      const entity = await entityOf(ctx, entityId);
      await demandRecord(ctx, query.recordId);
      const page = await conflicts.list(ctx.instanceId, entity, query);
      const last = page.isMore ? page.rows.at(-1) : undefined;
      const secrets = SecretFields.of(entity.fields);
      return {
        conflicts: page.rows.map((row) => toConflict(row, secrets)).filter(({ competing }) => competing.length > 0),
        open: await conflicts.count(ctx.instanceId, entityId),
        page: { nextCursor: last ? conflictKey(last) : null, previousCursor: null },
      };
    },

    async settle(ctx: Caller, entityId: EntityId, settlements: readonly Settlement[]) {
      const entity = await entityOf(ctx, entityId);
      const { instanceId, actor } = ctx;
      const open = await conflicts.find(instanceId, entity, settlements);
      const values = new Map<Id<"record">, { [field: string]: Value }>();
      for (const { recordId, field, choice } of settlements) {
        const row = open.find((conflict) => conflict.recordId === recordId && conflict.field === field);
        if (!row) throw new AppError("not_found", { what: "Conflict" });
        if (choice.kind === "keep") continue;
        const chosen = row.competing.find(
          ({ connectorId, connectorEntity }) =>
            connectorId === choice.connectorId && connectorEntity === choice.connectorEntity,
        );
        if (!chosen) throw new AppError("not_found", { what: "Conflict" });
        values.set(recordId, { ...values.get(recordId), [field]: chosen.value });
      }
      const changes = [...values].map(([recordId, chosen]) => ({
        kind: "update" as const,
        recordId,
        values: chosen,
      }));
      const name = `${actor.firstName} ${actor.lastName}`.trim();
      const outcomes =
        changes.length > 0
          ? await needs.changes.applyManualChange({
              instanceId,
              entityId,
              actor: { userId: actor.userId, name },
              changes,
            })
          : [];
      // After the change: should this fail, the conflict is still there to be settled again.
      await conflicts.settle(instanceId, entityId, settlements, name);
      return { settled: settlements.length, changed: outcomes.filter(({ status }) => status === "done").length };
    },

    async merges(
      ctx: Caller,
      entityId: EntityId,
      query: {
        cursor?: string | undefined;
        count: number;
        status?: MergeStatus | undefined;
        recordId?: string | undefined;
      },
    ) {
      const entity = await entityOf(ctx, entityId);
      await demandRecord(ctx, query.recordId);
      const { rows, isMore } = await merges.list(ctx.instanceId, entityId, query);
      const nextCursor = isMore ? (rows.at(-1)?.id ?? null) : null;
      return { merges: await named(ctx, entity, rows), page: { nextCursor, previousCursor: null } };
    },

    /** Merges reported duplicates: all of them, or those chosen. */
    async mergeDuplicates(ctx: Caller, entityId: EntityId, mergeId: string, choice: MergeChoice): Promise<Merge> {
      const [entity, found] = await mergeOf(ctx, entityId, mergeId);
      await mergeReported({ merger: needs.changes, merges }, ctx, found, choice);
      return answered(ctx, entity, found);
    },

    async dismissDuplicates(ctx: Caller, entityId: EntityId, mergeId: string): Promise<Merge> {
      const [entity, found] = await mergeOf(ctx, entityId, mergeId);
      await dismissReported({ merger: needs.changes, merges }, ctx, found);
      return answered(ctx, entity, found);
    },

    async undo(ctx: Caller, entityId: EntityId, mergeId: string): Promise<Merge> {
      const [entity, found] = await mergeOf(ctx, entityId, mergeId);
      const { instanceId, actor } = ctx;
      const name = `${actor.firstName} ${actor.lastName}`.trim();
      const refusal = await undoMerge(deps.dataPool, {
        instanceId,
        entity,
        actor: { userId: actor.userId, name },
        merge: found,
      });
      if (refusal) throw new AppError("invalid_state", { reason: REFUSALS[refusal] });
      await deps.realtime.publish(instanceId, recordsChanged, { entityId, count: found.loserIds.length + 1 });
      return answered(ctx, entity, found);
    },
  };
}

function toConflict(row: ConflictRow, secrets: SecretFields): Conflict {
  const { recordId, version, field, name, value, origin, competing } = row;
  return {
    recordId,
    recordName: name,
    version,
    field,
    value: secrets.value(field, value),
    setBy: sourceOf(origin?.by),
    setAt: origin?.at ?? null,
    competing: competing
      .filter((other) => !sameValue(other.value, value))
      .map((other) => ({ ...other, value: secrets.value(field, other.value) })),
  };
}

function sourceOf(by: string | undefined): ValueSource {
  if (by === undefined) return { kind: "unknown" };
  if (by === BY_USER) return { kind: "user" };
  const [connectorId = "", ...entity] = by.split("/");
  return { kind: "source", connectorId, connectorEntity: entity.join("/") };
}

function toMerge(row: MergeRow, entity: CoreEntity, nameOf: (recordId: string) => string | null): Merge {
  const secrets = SecretFields.of(entity.fields);
  return {
    id: row.id,
    entityId: entity.id,
    at: row.at,
    status: row.status,
    winnerId: row.winnerId,
    loserIds: row.loserIds,
    names: Object.fromEntries([row.winnerId, ...row.loserIds].map((id) => [id, nameOf(id)])),
    changes: secrets.changes(row.changes),
    before: Object.fromEntries(
      Object.entries(row.before).map(([recordId, { values }]) => [recordId, secrets.values(values)]),
    ),
    movedLinks: row.moved.length,
    repointed: row.repointed.length,
    undoneAt: row.undoneAt,
    undoneBy: row.undoneBy,
    mergedBy: row.mergedBy,
  };
}
