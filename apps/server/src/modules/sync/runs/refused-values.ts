/** Use case: which values the core, or a destination, could not take, record by record. */
import type { RefusedValue } from "@accord/contracts/sync/monitoring/refused-values";
import { values as words } from "@accord/contracts/messages/en/values";
import { fill } from "@accord/contracts/messages/fill";
import type { Value } from "@accord/contracts/data/values";
import { convertValue, SecretFields } from "@accord/expressions";
import { SealedValues } from "../../../platform/secrets/sealed-values.ts";
import type { Caller } from "../../../platform/ctx.ts";
import { readRecordNames } from "../../data/schema/index.ts";
import { cursors, keyset, type PageQuery } from "./keyset-paging.ts";
import { demandPipeline, type EntityId, type InstanceId, type ServiceContext } from "./published-pipelines.ts";
import type { RefusedRecord } from "./monitoring/standing-problems.store.ts";
import { type SecretParts, secretsOf } from "./quarantine/quarantine-causes.ts";
import { NODE_TYPES, nodeAt, type NumberedPlace } from "./monitoring/standing-problems.ts";

type ListQuery = PageQuery & { nodeId?: string | undefined; field?: string | undefined };

/** A record has one row for each of its values; pages break between records. */
export function refusedValues(
  parts: Pick<ServiceContext, "deps" | "needs" | "schedule" | "store" | "standing"> & SecretParts,
) {
  const { deps, needs, store, standing } = parts;
  return {
    async refusedValues(ctx: Caller, entityId: EntityId, query: ListQuery) {
      const at = ctx.instanceId;
      await demandPipeline(parts, at, entityId);
      const nodes = (await needs.pipelines.publishedVersion(at, entityId))?.graph.nodes ?? [];
      const places = (await store.places(at)).filter(({ pipelineId }) => pipelineId === entityId);
      const placed = (["source", "destination"] as const).flatMap((direction) =>
        places.flatMap((place) => {
          const node = nodeAt(nodes, places, place.id, NODE_TYPES[direction]);
          return node && (!query.nodeId || node.id === query.nodeId) ? [{ ...place, direction, nodeId: node.id }] : [];
        }),
      );
      const filter = { places: placed, field: query.field };
      const page = await standing.refusedRecords(at, filter, keyset(query));
      const entity = await needs.schema.getEntity(at, entityId);
      const ids = page.rows.map(({ recordId }) => recordId);
      const names = entity ? await readRecordNames(deps.dataPool, at, entity, ids) : new Map<string, string>();
      const seals = new SealedValues(deps.secrets, at, SecretFields.of(entity?.fields));
      const isAnyUnfit = page.rows.some(({ direction }) => direction === "destination");
      const there = isAnyUnfit ? await secretsOf(parts, at, entityId) : null;
      const reasonOf = await unfitReasons(parts, at, page.rows, placed);
      const values = page.rows.flatMap((row): RefusedValue[] => {
        const place = placed.find(({ id, direction }) => id === row.placeId && direction === row.direction);
        if (!place) return [];
        const opened = seals.openAll(row.values);
        // What was sealed when it came stays masked, whatever its field is by now.
        const secrets = place.direction === "source" ? SecretFields.of(entity?.fields) : there?.at(place.id);
        const hidden = (secrets ?? SecretFields.of(null)).and(seals.sealedAmong(row.values));
        return Object.entries(opened).map(([field, value]) => ({
          recordId: row.recordId,
          recordName: names.get(row.recordId) ?? null,
          externalId: row.externalId,
          direction: place.direction,
          nodeId: place.nodeId,
          connectorId: place.connectorId,
          connectorEntity: place.entity,
          field,
          value: hidden.value(field, value),
          reason: hidden.has(field) ? null : reasonOf(row, field, value),
          at: row.at,
        }));
      });
      return { values, page: cursors(page, query, ({ number }) => String(number)) };
    },
  };
}

/** Why destinations can't take values, by what is known of their fields now; null where they could, and of sources. */
async function unfitReasons(
  { needs }: Pick<ServiceContext, "needs">,
  at: InstanceId,
  rows: readonly RefusedRecord[],
  places: readonly NumberedPlace[],
) {
  const ids = new Set(rows.flatMap(({ placeId, direction }) => (direction === "destination" ? [placeId] : [])));
  const schemas = new Map(
    await Promise.all(
      [...ids].map(async (placeId) => {
        const place = places.find(({ id }) => id === placeId);
        const facts = place && (await needs.connectors.entitySchema(at, place.connectorId, place.entity));
        return [placeId, facts?.schema.fields ?? []] as const;
      }),
    ),
  );
  return ({ placeId, direction }: RefusedRecord, field: string, value: Value): string | null => {
    const to = direction === "destination" && schemas.get(placeId)?.find(({ apiName }) => apiName === field);
    const converted = to && convertValue(value, to, { timeZone: "UTC" });
    return converted && !converted.ok ? fill(words.conversion[converted.code], converted.facts) : null;
  };
}
