/** Use cases of the data studio: browse, read, create, edit, delete and restore records, and follow where values came from. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type * as api from "@accord/contracts/data/records";
import { DEFAULT_COLUMN_COUNT, PASSWORD_MASK } from "@accord/contracts/data/records";
import type { Value, Values } from "@accord/contracts/data/values";
import { fixedSql, isBlank } from "@accord/expressions";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import type { ConnectorsService } from "../../connections/connectors/index.ts";
import type { SchemaService } from "../schema/index.ts";
import type { ManualChange, ManualOutcome, RecordChanger, RecordHistory } from "./record-changer.ts";
import { conditionSql, filterSql, type Filter } from "./record-filter.ts";
import { orderOf, readCursor, writeCursor } from "./record-page.ts";
import { checkValues } from "./record-values.ts";
import * as store from "./records.store.ts";

type EntityId = Id<"entity">;
type RecordId = Id<"record">;

export interface RecordsNeeds {
  schema: SchemaService;
  changes: RecordChanger & RecordHistory;
  connectors: Pick<ConnectorsService, "listConnectors">;
}

/** Zone in which wall-clock texts are read; browsers send moments in UTC. */
const TIME_ZONE = "UTC";

export type RecordsService = ReturnType<typeof recordsService>;

export function recordsService(deps: Pick<Deps, "appDb" | "dataPool" | "clock" | "newId">, needs: RecordsNeeds) {
  const { schema, changes, connectors } = needs;
  const { dataPool } = deps;

  async function entityOf(ctx: Ctx, entityId: EntityId): Promise<CoreEntity> {
    const entity = await schema.getEntity(ctx.instanceId, entityId);
    if (!entity) throw new AppError("not_found", { what: "Entity" });
    return entity;
  }

  async function recordOf(ctx: Ctx, entity: CoreEntity, recordId: RecordId): Promise<store.StoredRecord> {
    const record = await store.readRecord(dataPool, ctx.instanceId, entity, recordId);
    if (!record) throw new AppError("not_found", { what: "Record" });
    return record;
  }

  const whereOf = (entity: CoreEntity, filter: Filter) =>
    filterSql(filter, { fields: entity.fields, timeZone: TIME_ZONE, now: deps.clock.now().getTime() });

  async function metadataOf(
    ctx: Ctx,
    entity: CoreEntity,
    records: readonly store.StoredRecord[],
  ): Promise<api.RecordMetadata> {
    const [chosen, references] = await Promise.all([
      store.readColumns(deps.appDb, ctx.instanceId, ctx.actor.userId, entity.id),
      referencesOf(ctx, entity, records),
    ]);
    const known = new Set(entity.fields.map((field) => field.apiName));
    const selected = chosen?.filter((column) => known.has(column)) ?? [];
    const first = entity.fields.slice(0, DEFAULT_COLUMN_COUNT).map((field) => field.apiName);
    return { fields: entity.fields, selectedColumns: selected.length > 0 ? selected : first, references };
  }

  /** Names of the records that the given ones point to. */
  async function referencesOf(ctx: Ctx, entity: CoreEntity, records: readonly store.StoredRecord[]) {
    const wanted = new Map<string, Set<string>>();
    for (const field of entity.fields) {
      if (field.dataType !== "reference" || !field.referenceTo) continue;
      const ids = wanted.get(field.referenceTo) ?? new Set<string>();
      for (const { values } of records)
        for (const id of [values[field.apiName]].flat()) if (typeof id === "string") ids.add(id);
      if (ids.size > 0) wanted.set(field.referenceTo, ids);
    }
    const references: api.RecordMetadata["references"] = {};
    if (wanted.size === 0) return references;
    const entities = await schema.listEntities(ctx.instanceId);
    const found = entities.filter((target) => wanted.has(target.apiName));
    await Promise.all(
      found.map(async (target) => {
        const names = await store.readNames(dataPool, ctx.instanceId, target, [...wanted.get(target.apiName)!]);
        for (const [id, name] of names) references[id] = { entityId: target.id, name: name || id };
      }),
    );
    return references;
  }

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
      throw new AppError("stale_version", { newest: view(entity, await recordOf(ctx, entity, change.recordId)) });
  }

  return {
    async list(ctx: Ctx, entityId: EntityId, query: api.RecordListQuery, predicate: string): Promise<api.RecordPage> {
      const entity = await entityOf(ctx, entityId);
      const order = orderOf(query.sort, entity.fields);
      const from = query.cursor === undefined ? null : readCursor(order, query.cursor);
      const { count, direction } = query;
      const where = whereOf(entity, { predicate, search: query.search, deleted: query.deleted });
      const page = await store
        .readPage(dataPool, ctx.instanceId, { entity, where, order, from, direction, count })
        .catch((error: unknown) => {
          if (store.isTimeout(error)) throw new AppError("query_timeout", {}, { cause: error });
          if (from && store.isBadValue(error)) throw invalidField("cursor", "is not a cursor of this list");
          throw error;
        });
      // Where we came from there is at least the record the cursor names.
      const before = direction === "previous" ? page.hasMore : from !== null;
      const after = direction === "next" ? page.hasMore : from !== null;
      return {
        records: page.records.map((record) => view(entity, record)),
        pageInfo: {
          previousCursor: before && page.first ? writeCursor(order, page.first) : null,
          nextCursor: after && page.last ? writeCursor(order, page.last) : null,
        },
        metadata: await metadataOf(ctx, entity, page.records),
      };
    },

    async count(ctx: Ctx, entityId: EntityId, filter: Filter): Promise<api.RecordCount> {
      const entity = await entityOf(ctx, entityId);
      return store.countWhere(dataPool, ctx.instanceId, entity.apiName, whereOf(entity, filter));
    },

    /** Per entity and in all; `names` null: every published entity. Unknown names are left out. */
    async counts(ctx: Ctx, names: readonly string[] | null) {
      const entities = await schema.listEntities(ctx.instanceId);
      const counted = await Promise.all(
        entities
          .filter((entity) => names === null || names.includes(entity.apiName))
          .map(async ({ apiName }) => {
            const [active, deleted] = await Promise.all([
              store.countWhere(dataPool, ctx.instanceId, apiName, fixedSql("NOT accord_deleted")),
              store.countWhere(dataPool, ctx.instanceId, apiName, fixedSql("accord_deleted")),
            ]);
            const small = active.precision === "exact" && deleted.precision === "exact";
            const updatedAt = small ? await store.readLastChange(dataPool, ctx.instanceId, apiName) : null;
            return [apiName, { active, deleted, updatedAt }] as const;
          }),
      );
      const all = counted.map(([, totals]) => totals);
      return {
        countMap: Object.fromEntries(counted),
        totals: { active: sum(all.map((one) => one.active)), deleted: sum(all.map((one) => one.deleted)) },
      };
    },

    async get(ctx: Ctx, entityId: EntityId, recordId: RecordId) {
      const entity = await entityOf(ctx, entityId);
      const record = await recordOf(ctx, entity, recordId);
      const [links, all, metadata] = await Promise.all([
        changes.linksOf(ctx.instanceId, entityId, [recordId]),
        connectors.listConnectors(ctx.instanceId),
        metadataOf(ctx, entity, [record]),
      ]);
      const byId = new Map(all.map((connector) => [connector.id as string, connector]));
      const externalIds = links.flatMap((link) => {
        const connector = byId.get(link.connectorId);
        if (!connector) return [];
        const { recordId: _record, ...rest } = link;
        return { ...rest, connectorId: connector.id, ...face(connector) };
      });
      return { record: view(entity, record), metadata, externalIds };
    },

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
      const recordId = deps.newId<"record">();
      await applyOne(ctx, entity, { kind: "create", recordId, values });
      return { record: view(entity, await recordOf(ctx, entity, recordId)), errors: {} };
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
      if (before.version !== edit.version) throw new AppError("stale_version", { newest: view(entity, before) });
      const { values, errors } = checkValues(entity.fields, edit.values, {
        before: before.values,
        timeZone: TIME_ZONE,
      });
      const all = { ...(await storedProblems(ctx, entity, values, recordId)), ...errors };
      if (Object.keys(all).length > 0) return { record: null, errors: all };
      if (Object.keys(values).length > 0)
        await applyOne(ctx, entity, { kind: "update", recordId, values, expectedVersion: edit.version });
      return { record: view(entity, await recordOf(ctx, entity, recordId)), errors: {} };
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
      return left && view(entity, left);
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
      return view(entity, await recordOf(ctx, entity, recordId));
    },

    async lineage(
      ctx: Ctx,
      entityId: EntityId,
      recordId: RecordId,
      page: { field?: string; cursor?: string; count: number },
    ) {
      const entity = await entityOf(ctx, entityId);
      await recordOf(ctx, entity, recordId);
      const [{ entries, nextCursor }, all] = await Promise.all([
        changes.ledgerOf(ctx.instanceId, entityId, recordId, page),
        connectors.listConnectors(ctx.instanceId),
      ]);
      const byId = new Map(all.map((connector) => [connector.id as string, connector]));
      const hidden = new Set(
        entity.fields.filter((field) => field.dataType === "password").map((field) => field.apiName),
      );
      const masked = (field: string, value: Value): Value =>
        hidden.has(field) && !isBlank(value) ? PASSWORD_MASK : value;
      return {
        nextCursor,
        entries: entries.map(({ cycleId: _cycle, actor, ...entry }): api.LineageEntry => {
          const connector = actor.kind === "source" ? byId.get(actor.connectorId) : undefined;
          return {
            ...entry,
            changes: entry.changes.map((one) => ({
              ...one,
              from: masked(one.field, one.from),
              to: masked(one.field, one.to),
            })),
            refused: entry.refused.map((one) => ({ ...one, value: masked(one.field, one.value) })),
            actor: actor.kind === "source" ? { ...actor, ...face(connector) } : actor,
          };
        }),
      };
    },

    async saveColumns(ctx: Ctx, entityId: EntityId, columns: readonly string[]): Promise<string[]> {
      const entity = await entityOf(ctx, entityId);
      const known = new Set(entity.fields.map((field) => field.apiName));
      const selected = [...new Set(columns)].filter((column) => known.has(column));
      await store.saveColumns(deps.appDb, ctx.instanceId, ctx.actor.userId, entityId, selected);
      return selected;
    },
  };
}

const nameOf = ({ actor }: Ctx): string => `${actor.firstName} ${actor.lastName}`.trim() || actor.email;

/** How a connector is shown; one deleted since keeps a neutral face. */
const face = (connector: { name: string; icon: string; backgroundColor: string } | undefined) => ({
  connectorName: connector?.name ?? "",
  icon: connector?.icon ?? "",
  backgroundColor: connector?.backgroundColor ?? "",
});

function view(entity: CoreEntity, record: store.StoredRecord): api.Record {
  const values: Values = { ...record.values, isDeleted: record.deleted };
  for (const field of entity.fields)
    if (field.dataType === "password" && !isBlank(values[field.apiName])) values[field.apiName] = PASSWORD_MASK;
  const { id, deleted, version, createdAt, updatedAt } = record;
  return { accordId: id, values, deleted, version, createdAt, updatedAt };
}

const sum = (counts: readonly api.RecordCount[]): api.RecordCount => ({
  count: counts.reduce((total, { count }) => total + count, 0),
  precision: counts.every(({ precision }) => precision === "exact") ? "exact" : "estimated",
});
