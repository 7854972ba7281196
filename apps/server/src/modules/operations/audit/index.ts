/** The audit log: every change of the administration, by whom, from where. */
import * as contract from "@accord/contracts/operations/audit";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { Deps } from "../../../platform/deps.ts";
import { route, type Module } from "../../../platform/module.ts";
import { insertEntry, listEntries, type AuditRow } from "./audit.store.ts";

export interface AuditTarget {
  kind: string;
  id?: string;
  name?: string;
}

export interface AuditLog {
  /** Notes a change after it succeeded, or `within` its transaction. `details`: what changed, never a secret. */
  record(ctx: Ctx, action: string, target?: AuditTarget, details?: unknown, within?: Db): Promise<void>;
}

export function auditModule({ appDb, clock, newId }: Deps): Module & { service: AuditLog } {
  const service: AuditLog = {
    async record(ctx, action, target, details, within = appDb) {
      await insertEntry(within, {
        id: newId(),
        organisation_id: ctx.organisationId,
        instance_id: ctx.hasInstance ? ctx.instanceId : null,
        user_id: ctx.actor.userId,
        user_email: ctx.actor.email,
        action,
        target_kind: target?.kind ?? null,
        target_id: target?.id ?? null,
        target_name: target?.name ?? null,
        details: details === undefined ? null : JSON.stringify(details),
        request_id: ctx.requestId,
        address: ctx.exchange.address,
        at: clock.now(),
      });
    },
  };
  return {
    name: "operations/audit",
    service,
    routes: [
      route(contract.listAuditEntries, async (ctx, { query }) => {
        const rows = await listEntries(appDb, {
          organisationId: ctx.organisationId,
          // Only organisation administrators see what happened in other instances.
          instanceId: ctx.isOrganisationAdmin ? null : ctx.instanceId,
          before: query.cursor ?? null,
          limit: query.count + 1,
        });
        const page = rows.slice(0, query.count);
        const nextCursor = rows.length > query.count ? (page.at(-1)?.id ?? null) : null;
        return { entries: page.map(toEntry), pageInfo: { nextCursor, previousCursor: null } };
      }),
    ],
  };
}

function toEntry(row: AuditRow): contract.AuditEntry {
  return {
    id: row.id,
    at: String(row.at),
    user: { id: row.user_id as contract.AuditEntry["user"]["id"], email: row.user_email },
    instanceId: row.instance_id as contract.AuditEntry["instanceId"],
    action: row.action,
    target: { kind: row.target_kind, id: row.target_id, name: row.target_name },
    details: row.details as contract.AuditEntry["details"],
    address: row.address,
    requestId: row.request_id,
  };
}
