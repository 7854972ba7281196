/** Use cases of quarantine: which records were put aside and why, and trying them again. */
import type { Id } from "@accord/contracts";
import type { QuarantineEntry } from "@accord/contracts/sync/runs";
import type { Caller } from "../../../platform/ctx.ts";
import { cut, missing, type PageQuery } from "./keyset-paging.ts";
import { demandPipeline, type EntityId, publishedRow, type ServiceParts } from "./published-pipelines.ts";
import type { QuarantineRow } from "./runs.store.ts";

export function quarantines(parts: ServiceParts) {
  const { schedule, store } = parts;

  return {
    async quarantine(ctx: Caller, entityId: EntityId, query: PageQuery & { status?: string | undefined }) {
      const at = ctx.instanceId;
      await demandPipeline(parts, at, entityId);
      const { count, direction, status, cursor } = query;
      const rows = await store.quarantine(at, entityId, { status, direction, count, from: cursor ?? null });
      const [page, info] = cut(rows, query, ({ id }) => id);
      const open = (await store.countOpenQuarantine(at)).get(entityId) ?? 0;
      return { entries: page.map((row) => toQuarantine(row, entityId)), open, page: info };
    },

    async replay(ctx: Caller, entityId: EntityId, ids: string[] | undefined) {
      const at = ctx.instanceId;
      await publishedRow(parts, at, entityId);
      const replayed = await store.replay(at, entityId, ids ?? null);
      if (ids && replayed === 0) throw missing("Quarantine entry");
      await schedule.poke(at, entityId);
      return { replayed };
    },
  };
}

const toQuarantine = (row: QuarantineRow, entityId: EntityId): QuarantineEntry => ({
  id: row.id as Id<"quarantine">,
  entityId,
  at: row.at,
  direction: row.direction,
  status: row.status,
  connectorId: row.connectorId,
  connectorEntity: row.connectorEntity,
  externalId: row.externalId,
  recordId: row.recordId as Id<"record"> | null,
  nodeId: row.nodeId,
  code: row.code,
  message: row.message,
  attempts: row.attempts,
  payload: row.payload,
});
