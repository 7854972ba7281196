/** A record as it was at a time, from the ledger: each field's value, who set it and when. */
import type { Id } from "@accord/contracts";
import type { Value } from "@accord/contracts/data/values";
import { SecretFields } from "@accord/expressions";
import type { Caller } from "../../../platform/ctx.ts";
import type { ExplainStore } from "./dry-run/explain.store.ts";
import { missing } from "./keyset-paging.ts";
import type { EntityId, ServiceContext } from "./published-pipelines.ts";
import { actorOf } from "./monitoring/run-history.ts";
import { ledgerId } from "./run-ids.ts";
import type { LedgerRow } from "./monitoring/runs.store.ts";
import { LIFE_OPERATIONS } from "./life-operations.ts";
import { currentRecord } from "./edits/current-record.store.ts";

export function asOf({ deps, needs }: Pick<ServiceContext, "deps" | "needs">, past: Pick<ExplainStore, "past">) {
  return {
    async recordAsOf(
      ctx: Caller,
      entityId: EntityId,
      recordId: Id<"record">,
      { at, field }: { at: string; field?: string | undefined },
    ) {
      const entity = await needs.schema.getEntity(ctx.instanceId, entityId);
      if (!entity) throw missing("Entity");
      const rows = await past.past(ctx.instanceId, entityId, recordId);
      const current = await currentRecord(deps.dataPool, ctx.instanceId, entity, recordId);
      if (rows.length === 0 && !current) throw missing("Record");
      const fields = entity.fields.filter(
        ({ status, apiName }) => status === "ACTIVE" && (!field || apiName === field),
      );
      if (field && fields.length === 0) throw missing("Field");
      const moment = Date.parse(at);
      // Of times before, only what still held at their end is kept.
      const { ledger: keptDays } = deps.config.keepDays;
      const keptSince = keptDays === 0 ? 0 : deps.clock.now().getTime() - keptDays * DAY_MS;
      const state = stateAt(rows, moment);
      const secrets = SecretFields.of(fields);
      return {
        recordId,
        at,
        state,
        complete: rows[0]?.operation === "create" && (Date.parse(rows[0].at) > keptSince || moment > keptSince),
        fields: fields.map(({ apiName }) => {
          const { value, set } = fieldAt(rows, moment, apiName, current?.[apiName]);
          return {
            field: apiName,
            value: state === "unborn" ? null : secrets.value(apiName, value),
            setBy: set && { at: set.at, actor: actorOf(set), transactionId: ledgerId(set.number) },
          };
        }),
      };
    },
  };
}

const DAY_MS = 86_400_000;

const isBy = (row: LedgerRow, moment: number): boolean => Date.parse(row.at) <= moment;

function stateAt(rows: readonly LedgerRow[], moment: number): "unborn" | "live" | "deleted" {
  const before = rows.filter((row) => isBy(row, moment));
  if (before.length === 0) return rows[0]?.operation === "create" ? "unborn" : "live";
  return before.findLast(({ operation }) => LIFE.has(operation))?.operation === "delete" ? "deleted" : "live";
}

const LIFE: ReadonlySet<string> = new Set(LIFE_OPERATIONS);

/**
 * What the first later change says it changed from; else the present value; else, for a record that is gone, what the
 * last change before set. So a ledger that was cut off at its old end answers right for all times it reaches.
 */
function fieldAt(
  rows: readonly LedgerRow[],
  moment: number,
  field: string,
  current: Value | undefined,
): { value: Value; set: LedgerRow | null } {
  const changes = rows.filter((row) => row.changes[field] !== undefined);
  const set = changes.findLast((row) => isBy(row, moment)) ?? null;
  const later = changes.find((row) => !isBy(row, moment));
  const value = later ? later.changes[field]?.[0] : (current ?? set?.changes[field]?.[1]);
  return { value: value ?? null, set };
}
