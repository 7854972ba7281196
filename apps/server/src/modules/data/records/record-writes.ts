/** Changing records by hand: every value checked first, then all of it handed to the engine in one piece. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type * as api from "@accord/contracts/data/records";
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank } from "@accord/expressions";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { InstancesService } from "../../identity/instances/index.ts";
import type { SchemaService } from "../schema/index.ts";
import type { ManualChange, ManualOutcome, RecordWriter } from "./record-changer.ts";
import { conditionSql } from "./record-filter.ts";
import { recordView, TIME_ZONE, type EntityId, type RecordId, type RecordTools } from "./record-tools.ts";
import { checkValues } from "./record-values.ts";
import * as store from "./records.store.ts";

/** What a trial may still make. */
export type RecordLimits = Pick<InstancesService, "demandWithinLimits">;

export function recordWrites(
  deps: Pick<Deps, "dataPool" | "newId">,
  { entityOf, recordOf }: RecordTools,
  { schema, changes, limits }: { schema: SchemaService; changes: RecordWriter; limits: RecordLimits },
) {
  const { dataPool } = deps;

  /** References that point nowhere and values that must be unique but are taken, by field. */
  async function storedProblems(
    ctx: Ctx,
    entity: CoreEntity,
    values: Values,
    except: RecordId | null,
  ): Promise<api.FieldErrors> {
    const errors: api.FieldErrors = {};
    for (const field of entity.fields) {
      const value = values[field.apiName];
      if (!Object.hasOwn(values, field.apiName) || isBlank(value)) continue;
      if (field.dataType === "reference" && field.referenceTo) {
        const target = await schema.findEntity(ctx.instanceId, field.referenceTo);
        const ids = [value].flat().map(String);
        const known = target ? await store.readNames(dataPool, ctx.instanceId, target, ids) : new Map();
        if (ids.some((id) => !known.has(id)))
          errors[field.apiName] = `${field.displayName} must point to a record that exists`;
      }
      if (field.unique) {
        const equals = {
          type: "condition" as const,
          left: { kind: "field" as const, field: field.apiName },
          operator: "equals" as const,
          right: [{ kind: "literal" as const, value: value as Value }],
        };
        const condition = conditionSql(equals, { fields: entity.fields, timeZone: TIME_ZONE, now: 0 });
        if (await store.isTaken(dataPool, ctx.instanceId, entity.apiName, { condition, except }))
          errors[field.apiName] = `Another record has this ${field.displayName} already; it must be unique`;
      }
    }
    return errors;
  }

  const apply = (ctx: Ctx, entity: CoreEntity, list: ManualChange[]): Promise<ManualOutcome[]> =>
    changes.applyManualChange({
      instanceId: ctx.instanceId,
      entityId: entity.id,
      actor: { userId: ctx.actor.userId, name: nameOf(ctx) },
      changes: list,
    });

  /** Applies one change and refuses as the outcome says. */
  async function applyOne(ctx: Ctx, entity: CoreEntity, change: ManualChange): Promise<void> {
    const [outcome] = await apply(ctx, entity, [change]);
    if (!outcome || outcome.status === "missing") throw new AppError("not_found", { what: "Record" });
    if (outcome.status === "stale")
      throw new AppError("stale_version", { newest: recordView(entity, await recordOf(ctx, entity, change.recordId)) });
  }

  return {
    async create(ctx: Ctx, entityId: EntityId, entered: Values): Promise<api.RecordOrErrors> {
      const entity = await entityOf(ctx, entityId);
      const { values, errors } = checkValues(entity.fields, entered, { before: null, timeZone: TIME_ZONE });
      const all = { ...(await storedProblems(ctx, entity, values, null)), ...errors };
      if (Object.keys(all).length > 0) return { record: null, errors: all };
      if (Object.values(values).every(isBlank))
        throw new AppError(
          "validation_failed",
          {},
          { errors: [{ path: "values", message: "Fill in at least one field" }] },
        );
      await limits.demandWithinLimits(ctx.instanceId, "record");
      const recordId = deps.newId<"record">();
      await applyOne(ctx, entity, { kind: "create", recordId, values });
      return { record: recordView(entity, await recordOf(ctx, entity, recordId)), errors: {} };
    },

    async save(
      ctx: Ctx,
      entityId: EntityId,
      recordId: RecordId,
      edit: { values: Values; version: number },
    ): Promise<api.RecordOrErrors> {
      const entity = await entityOf(ctx, entityId);
      const before = await recordOf(ctx, entity, recordId);
      if (before.deleted) throw new AppError("record_deleted", { recordId });
      if (before.version !== edit.version) throw new AppError("stale_version", { newest: recordView(entity, before) });
      const { values, errors } = checkValues(entity.fields, edit.values, {
        before: before.values,
        timeZone: TIME_ZONE,
      });
      const all = { ...(await storedProblems(ctx, entity, values, recordId)), ...errors };
      if (Object.keys(all).length > 0) return { record: null, errors: all };
      if (Object.keys(values).length > 0)
        await applyOne(ctx, entity, { kind: "update", recordId, values, expectedVersion: edit.version });
      return { record: recordView(entity, await recordOf(ctx, entity, recordId)), errors: {} };
    },

    /** The record when it is kept as deleted, null when it is gone for good. */
    async remove(
      ctx: Ctx,
      entityId: EntityId,
      recordId: RecordId,
      deleteInEndSystems: boolean,
    ): Promise<api.Record | null> {
      const entity = await entityOf(ctx, entityId);
      await recordOf(ctx, entity, recordId);
      await applyOne(ctx, entity, { kind: "delete", recordId, deleteInEndSystems });
      const left = await store.readRecord(dataPool, ctx.instanceId, entity, recordId);
      return left && recordView(entity, left);
    },

    /** How many were deleted; ids that are gone already are passed over. */
    async removeMany(
      ctx: Ctx,
      entityId: EntityId,
      recordIds: readonly RecordId[],
      deleteInEndSystems: boolean,
    ): Promise<number> {
      const entity = await entityOf(ctx, entityId);
      const list = [...new Set(recordIds)].map((recordId) => ({
        kind: "delete" as const,
        recordId,
        deleteInEndSystems,
      }));
      const known = await store.readPresent(dataPool, ctx.instanceId, entity.apiName, recordIds);
      if (known.size === 0) throw new AppError("not_found", { what: "Record" });
      const outcomes = await apply(
        ctx,
        entity,
        list.filter(({ recordId }) => known.has(recordId)),
      );
      return outcomes.filter(({ status }) => status === "done").length;
    },

    async restore(ctx: Ctx, entityId: EntityId, recordId: RecordId): Promise<api.Record> {
      const entity = await entityOf(ctx, entityId);
      const before = await recordOf(ctx, entity, recordId);
      if (before.deleted) await applyOne(ctx, entity, { kind: "restore", recordId });
      return recordView(entity, await recordOf(ctx, entity, recordId));
    },
  };
}

const nameOf = ({ actor }: Ctx): string => `${actor.firstName} ${actor.lastName}`.trim() || actor.email;
