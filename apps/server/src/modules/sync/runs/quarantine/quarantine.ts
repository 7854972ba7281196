/** Use cases of quarantine: which records were quarantined and why, trying them again, and letting them go. */
import type { Id } from "@accord/contracts";
import type { QuarantineEntry, QuarantineFilter, SyncError } from "@accord/contracts/sync/monitoring/quarantine";
import { SecretFields } from "@accord/expressions";
import { SealedValues } from "../../../../platform/secrets/sealed-values.ts";
import type { Caller } from "../../../../platform/ctx.ts";
import { cursors, missing, type PageQuery } from "../keyset-paging.ts";
import type { PipelineSecrets } from "../secrets/pipeline-secrets.ts";
import { quarantineCauses, type SecretParts, secretsOf } from "./quarantine-causes.ts";
import { namesOf, type RecordNames } from "./quarantine-names.ts";
import { readAgain } from "./reread.ts";
import {
  demandPipeline,
  demandRecord,
  type EntityId,
  type InstanceId,
  requirePublishedPipeline,
  type ServiceContext,
} from "../published-pipelines.ts";
import type { QuarantineChoice, QuarantineRow, QuarantineStore } from "./quarantine.store.ts";

type ListQuery = PageQuery & QuarantineFilter & { status?: string | undefined };

export function quarantines(parts: ServiceContext & SecretParts & { quarantineEntries: QuarantineStore }) {
  const { schedule, quarantineEntries } = parts;
  const demandNamed = async (at: InstanceId, entityId: EntityId, recordId: Id<"record"> | undefined): Promise<void> => {
    if (recordId !== undefined) await demandRecord(parts, at, entityId, recordId);
  };

  return {
    async quarantine(ctx: Caller, entityId: EntityId, query: ListQuery) {
      const at = ctx.instanceId;
      await demandPipeline(parts, at, entityId);
      await demandNamed(at, entityId, query.recordId);
      const { count, direction, cursor, ...filter } = query;
      const page = await quarantineEntries.list(at, entityId, filter, { direction, count, from: cursor ?? null });
      const secrets = page.rows.length > 0 ? await secretsOf(parts, at, entityId) : null;
      const names = await namesOf(parts, at, entityId, page.rows);
      const seals = new SealedValues(parts.deps.secrets, at, SecretFields.of(null));
      const causes = await quarantineCauses(parts, at, entityId);
      const entries = page.rows.map((row) => toQuarantine(row, { entityId, names, known: secrets, seals }));
      return {
        entries,
        open: causes.reduce((sum, cause) => sum + cause.count, 0),
        causes,
        page: cursors(page, query, ({ id }) => id),
      };
    },

    /** Of all pipelines, or of one. What is secret is so by the entry's own pipeline. */
    async syncErrors(ctx: Caller, { entityId, ...query }: ListQuery & { entityId?: EntityId | undefined }) {
      const at = ctx.instanceId;
      if (entityId !== undefined) await demandPipeline(parts, at, entityId);
      const { count, direction, cursor, ...filter } = query;
      const keyset = { direction, count, from: cursor ?? null };
      const page = await quarantineEntries.list(at, entityId ?? null, filter, keyset);
      const seals = new SealedValues(parts.deps.secrets, at, SecretFields.of(null));
      const byPipeline = Map.groupBy(page.rows, ({ pipelineId }) => pipelineId);
      const shown = new Map<string, SyncError>();
      for (const [pipelineId, rows] of byPipeline) {
        const known = await secretsOf(parts, at, pipelineId);
        const names = await namesOf(parts, at, pipelineId, rows);
        const isPublished = (await schedule.find(at, pipelineId)) !== null;
        for (const row of rows) {
          const { payload: _, ...entry } = toQuarantine(row, { entityId: pipelineId, names, known, seals });
          shown.set(row.id, { ...entry, isPublished });
        }
      }
      return {
        entries: page.rows.flatMap(({ id }) => shown.get(id) ?? []),
        page: cursors(page, query, ({ id }) => id),
      };
    },

    /** Why records were quarantined, by the entry's id; nothing where a page of them would be too large. */
    async quarantineMessages(at: InstanceId, entityId: EntityId, ids: readonly string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map();
      const all = { from: null, direction: "next", count: ids.length } as const;
      const { rows } = await quarantineEntries.list(at, entityId, { ids }, all);
      const known = await secretsOf(parts, at, entityId);
      const seals = new SealedValues(parts.deps.secrets, at, SecretFields.of(null));
      return new Map(rows.map((row) => [row.id, messageOf(row, { known, seals }).message]));
    },

    async replay(ctx: Caller, entityId: EntityId, choice: QuarantineChoice) {
      const at = ctx.instanceId;
      await requirePublishedPipeline(parts, at, entityId);
      await demandNamed(at, entityId, choice.filter?.recordId);
      const cleared = await readAgain(parts, at, entityId, await quarantineEntries.unreadable(at, entityId, choice));
      const unreadable = (await quarantineEntries.unreadable(at, entityId, choice)).length;
      const replayed = await quarantineEntries.replay(at, entityId, choice);
      if (choice.ids && replayed + cleared + unreadable === 0) throw missing("Quarantine entry");
      if (replayed + cleared > 0) await schedule.requestCycle(at, entityId);
      return { replayed, cleared, unreadable };
    },

    async dismiss(ctx: Caller, entityId: EntityId, choice: QuarantineChoice) {
      await demandPipeline(parts, ctx.instanceId, entityId);
      await demandNamed(ctx.instanceId, entityId, choice.filter?.recordId);
      const { firstName, lastName } = ctx.actor;
      const dismissed = await quarantineEntries.dismiss(
        ctx.instanceId,
        entityId,
        choice,
        `${firstName} ${lastName}`.trim(),
      );
      if (choice.ids && dismissed === 0) throw missing("Quarantine entry");
      return { dismissed };
    },
  };
}

interface Known {
  entityId: EntityId;
  names: RecordNames;
  known: PipelineSecrets | null;
  seals: SealedValues;
}

/** Without values of secret fields. */
function messageOf(row: QuarantineRow, { known, seals }: Pick<Known, "known" | "seals">) {
  const secrets = (known?.at(row.placeId) ?? SecretFields.of(null)).and(seals.sealedAmong(row.payload ?? {}));
  const opened = row.payload && seals.openAll(row.payload);
  return { secrets, opened, message: secrets.text(row.message, opened) };
}

function toQuarantine(row: QuarantineRow, { entityId, names, known, seals }: Known): QuarantineEntry {
  const { secrets, opened, message } = messageOf(row, { known, seals });
  // Of a record that could not be read there is a piece of what the system answered, with whatever stood in it.
  const hasExcerpt = row.code === "unreadable" && row.payload !== null && known?.hasSecretsAt(row.placeId) !== false;
  const payload = opened && (hasExcerpt ? SecretFields.of(null) : secrets).values(opened);
  return {
    id: row.id,
    entityId,
    at: row.at,
    direction: row.direction,
    status: row.status,
    connectorId: row.connectorId,
    connectorEntity: row.connectorEntity,
    externalId: row.externalId,
    recordId: row.recordId,
    recordName: names.of(row, payload),
    nodeId: row.nodeId,
    code: row.code,
    message,
    attempts: row.attempts,
    dismissedBy: row.dismissedBy,
    dismissedAt: row.dismissedAt,
    payload,
  };
}
