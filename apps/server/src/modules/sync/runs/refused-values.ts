/** Use case: which values of a pipeline's sources the core could not hold, record by record. */
import type { RefusedValue } from "@accord/contracts/sync/monitoring/refused-values";
import { SecretFields } from "@accord/expressions";
import { SealedValues } from "../../../platform/secrets/sealed-values.ts";
import type { Caller } from "../../../platform/ctx.ts";
import { readRecordNames } from "../../data/schema/index.ts";
import { cursors, keyset, type PageQuery } from "./keyset-paging.ts";
import { demandPipeline, type EntityId, type ServiceContext } from "./published-pipelines.ts";
import { nodeAt } from "./monitoring/standing-problems.ts";

type ListQuery = PageQuery & { nodeId?: string | undefined; field?: string | undefined };

/** A record has one row for each of its values; pages break between records. */
export function refusedValues(parts: Pick<ServiceContext, "deps" | "needs" | "schedule" | "store" | "standing">) {
  const { deps, needs, store, standing } = parts;
  return {
    async refusedValues(ctx: Caller, entityId: EntityId, query: ListQuery) {
      const at = ctx.instanceId;
      await demandPipeline(parts, at, entityId);
      const nodes = (await needs.pipelines.publishedVersion(at, entityId))?.graph.nodes ?? [];
      const places = (await store.places(at)).filter(({ pipelineId }) => pipelineId === entityId);
      const placed = places.flatMap((place) => {
        const node = nodeAt(nodes, places, place.id, "ENTITY_SOURCE");
        return node && (!query.nodeId || node.id === query.nodeId) ? [{ ...place, nodeId: node.id }] : [];
      });
      const filter = { places: placed.map(({ id }) => id), field: query.field };
      const page = await standing.refusedRecords(at, filter, keyset(query));
      const entity = await needs.schema.getEntity(at, entityId);
      const ids = page.rows.map(({ recordId }) => recordId);
      const names = entity ? await readRecordNames(deps.dataPool, at, entity, ids) : new Map<string, string>();
      const secrets = SecretFields.of(entity?.fields);
      const seals = new SealedValues(deps.secrets, at, secrets);
      const values = page.rows.flatMap((row): RefusedValue[] => {
        const place = placed.find(({ id }) => id === row.placeId);
        if (!place) return [];
        const opened = seals.openAll(row.values);
        // What was sealed when it came stays masked, whatever its field is by now.
        const hidden = secrets.and(seals.sealedAmong(row.values));
        return Object.entries(opened).map(([field, value]) => ({
          recordId: row.recordId,
          recordName: names.get(row.recordId) ?? null,
          externalId: row.externalId,
          nodeId: place.nodeId,
          connectorId: place.connectorId,
          connectorEntity: place.entity,
          field,
          value: hidden.value(field, value),
          at: row.at,
        }));
      });
      return { values, page: cursors(page, query, ({ number }) => String(number)) };
    },
  };
}
