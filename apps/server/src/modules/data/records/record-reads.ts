/** Reading records: pages, counts, one record with its outside ids, its history, and each person's columns. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type * as api from "@accord/contracts/data/records";
import { DEFAULT_COLUMN_COUNT } from "@accord/contracts/data/records";
import { fixedSql } from "@accord/expressions";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import type { ConnectorsService } from "../../connections/connectors/index.ts";
import { cacheBySchema, type SchemaService } from "../schema/index.ts";
import type { RecordHistory } from "./record-changer.ts";
import { filterSql, type Filter } from "./record-filter.ts";
import { orderOf, readCursor, writeCursor } from "./record-page.ts";
import { recordView, TIME_ZONE, type EntityId, type RecordId, type RecordTools } from "./record-tools.ts";
import * as store from "./records.store.ts";

export interface RecordReadsNeeds {
  schema: SchemaService;
  history: RecordHistory;
  connectors: Pick<ConnectorsService, "listConnectors">;
}

export function recordReads(
  deps: Pick<Deps, "appDb" | "dataReads" | "clock">,
  { entityOf, recordOf }: RecordTools,
  { schema, history, connectors }: RecordReadsNeeds,
) {
  const { dataReads } = deps;

  const whereOf = (entity: CoreEntity, filter: Filter) =>
    filterSql(filter, { fields: entity.fields, timeZone: TIME_ZONE, now: deps.clock.now().getTime() });

  // Choosing columns counts as a change of the schema.
  const remembered = cacheBySchema<{ columns: string[] | null }>();
  const columnsOf = async (ctx: Ctx, entityId: EntityId): Promise<readonly string[] | null> => {
    const { userId } = ctx.actor;
    const read = async () => ({ columns: await store.readColumns(deps.appDb, ctx.instanceId, userId, entityId) });
    return (await remembered(ctx, `${userId} ${entityId}`, read))?.columns ?? null;
  };

  async function metadataOf(
    ctx: Ctx,
    entity: CoreEntity,
    records: readonly store.StoredRecord[],
    chosen: readonly string[] | null,
  ): Promise<api.RecordMetadata> {
    const references = await referencesOf(ctx, entity, records);
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
        const names = await store.readNames(dataReads, ctx.instanceId, target, [...wanted.get(target.apiName)!]);
        for (const [id, name] of names) references[id] = { entityId: target.id, name: name || id };
      }),
    );
    return references;
  }

  return {
    async list(ctx: Ctx, entityId: EntityId, query: api.RecordListQuery, predicate: string): Promise<api.RecordPage> {
      const entity = await entityOf(ctx, entityId);
      const order = orderOf(query.sort, entity.fields);
      const from = query.cursor === undefined ? null : readCursor(order, query.cursor);
      const { count, direction } = query;
      const where = whereOf(entity, { predicate, search: query.search, deleted: query.deleted });
      const reading = store
        .readPage(dataReads, ctx.instanceId, { entity, where, order, from, direction, count })
        .catch((error: unknown) => {
          if (store.isTimeout(error)) throw new AppError("query_timeout", {}, { cause: error });
          if (from && store.isBadValue(error)) throw invalidField("cursor", "is not a cursor of this list");
          throw error;
        });
      const [page, columns] = await Promise.all([reading, columnsOf(ctx, entity.id)]);
      // Where we came from there is at least the record the cursor names.
      const before = direction === "previous" ? page.hasMore : from !== null;
      const after = direction === "next" ? page.hasMore : from !== null;
      return {
        records: page.records.map((record) => recordView(entity, record)),
        pageInfo: {
          previousCursor: before && page.first ? writeCursor(order, page.first) : null,
          nextCursor: after && page.last ? writeCursor(order, page.last) : null,
        },
        metadata: await metadataOf(ctx, entity, page.records, columns),
      };
    },

    async count(ctx: Ctx, entityId: EntityId, filter: Filter): Promise<api.RecordCount> {
      const entity = await entityOf(ctx, entityId);
      return store.countWhere(dataReads, ctx.instanceId, entity.apiName, whereOf(entity, filter));
    },

    /** Per entity and in all; `names` null: every published entity. Unknown names are left out. */
    async counts(ctx: Ctx, names: readonly string[] | null) {
      const entities = await schema.listEntities(ctx.instanceId);
      const counted = await Promise.all(
        entities
          .filter((entity) => names === null || names.includes(entity.apiName))
          .map(async ({ apiName }) => {
            const [active, deleted] = await Promise.all([
              store.countWhere(dataReads, ctx.instanceId, apiName, fixedSql("NOT accord_deleted")),
              store.countWhere(dataReads, ctx.instanceId, apiName, fixedSql("accord_deleted")),
            ]);
            const small = active.precision === "exact" && deleted.precision === "exact";
            const updatedAt = small ? await store.readLastChange(dataReads, ctx.instanceId, apiName) : null;
            return [apiName, { active, deleted, updatedAt }] as const;
          }),
      );
      const all = counted.map(([, totals]) => totals);
      return {
        countMap: Object.fromEntries(counted),
        totals: { active: sum(all.map((one) => one.active)), deleted: sum(all.map((one) => one.deleted)) },
      };
    },

    /** Records of all entities together, deleted ones aside, as far as it is worth counting. */
    async countAll(at: Ctx["instanceId"]): Promise<number> {
      const entities = await schema.listEntities(at);
      const condition = fixedSql("NOT accord_deleted");
      const counts = await Promise.all(
        entities.map(({ apiName }) => store.countWhere(dataReads, at, apiName, condition)),
      );
      return sum(counts).count;
    },

    async get(ctx: Ctx, entityId: EntityId, recordId: RecordId) {
      const entity = await entityOf(ctx, entityId);
      const record = await recordOf(ctx, entity, recordId);
      const [links, all, metadata] = await Promise.all([
        history.linksOf(ctx.instanceId, entityId, [recordId]),
        connectors.listConnectors(ctx.instanceId),
        columnsOf(ctx, entityId).then((columns) => metadataOf(ctx, entity, [record], columns)),
      ]);
      const byId = new Map(all.map((connector) => [connector.id as string, connector]));
      const externalIds = links.flatMap((link) => {
        const connector = byId.get(link.connectorId);
        if (!connector) return [];
        const { recordId: _record, ...rest } = link;
        return { ...rest, connectorId: connector.id, ...face(connector) };
      });
      return { record: recordView(entity, record), metadata, externalIds };
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
        history.ledgerOf(ctx.instanceId, entity, recordId, page),
        connectors.listConnectors(ctx.instanceId),
      ]);
      const byId = new Map(all.map((connector) => [connector.id as string, connector]));
      return {
        nextCursor,
        entries: entries.map(
          ({ id, at, operation, actor, place, pipelineVersion, changes, refused }): api.LineageEntry => ({
            id,
            at,
            operation,
            pipelineVersion,
            writtenTo:
              operation === "write" && place
                ? { kind: "source" as const, ...place, ...face(byId.get(place.connectorId)) }
                : null,
            actor: actor.kind === "source" ? { ...actor, ...face(byId.get(actor.connectorId)) } : actor,
            changes,
            refused,
          }),
        ),
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

/** How a connector is shown; one deleted since keeps a neutral face. */
const face = (connector: { name: string; icon: string; backgroundColor: string } | undefined) => ({
  connectorName: connector?.name ?? "",
  icon: connector?.icon ?? "",
  backgroundColor: connector?.backgroundColor ?? "",
});

const sum = (counts: readonly api.RecordCount[]): api.RecordCount => ({
  count: counts.reduce((total, { count }) => total + count, 0),
  precision: counts.every(({ precision }) => precision === "exact") ? "exact" : "estimated",
});
