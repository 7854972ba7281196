/** What a resync would change, counted before anything is written: the same reading and deciding, without the writes. */
import type { Connection } from "@accord/connector-sdk";
import type { ResyncRequest } from "@accord/contracts/sync/runs";
import type { SecretFields } from "@accord/expressions";
import { type CommitBatch, type CycleSummary, findSource, type LedgerEntry } from "@accord/sync-engine/run";
import type { Caller } from "../../../../platform/ctx.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { dryResults } from "./dry-results.ts";
import { dryRun, NOTHING_CLAIMED } from "./dry-run.ts";
import type { PipelinePlans, CompiledPipeline } from "../worker/plans.ts";
import { nothingToRead, schemaAt } from "./explain-runs.ts";
import { type EntityId, requirePublishedPipeline, type ServiceContext } from "../published-pipelines.ts";
import { resyncOf } from "../resync.ts";
import type { DeliveryKey } from "../storage/enqueue-deliveries.store.ts";

/** A person waits for it. */
const TIME_MS = 20_000;
const SAMPLES = 20;
const PAGE_SIZE = 500;

export function resyncPreviews(parts: ServiceContext & { plans: Pick<PipelinePlans, "load"> }) {
  const { needs, plans } = parts;
  return {
    async previewResync(ctx: Caller, entityId: EntityId, request: ResyncRequest) {
      const at = ctx.instanceId;
      const row = await requirePublishedPipeline(parts, at, entityId);
      if (row.isPaused) throw new AppError("resync_on_paused");
      const resync = await resyncOf(parts, at, entityId, request);
      const pipeline = await plans.load(at, entityId);
      const signal = AbortSignal.timeout(TIME_MS);
      const open = new Map<string, Connection>();
      const start = { ...nothingToRead(pipeline), resync };
      try {
        const { summary, batches } = await dryRun(
          pipeline,
          start,
          {
            async read({ nodeId, cursor, mode, since, until }) {
              const { place } = findSource(pipeline.plan, nodeId);
              const { connectorId } = place;
              const connection = open.get(connectorId) ?? (await needs.connectors.openConnection(at, connectorId));
              open.set(connectorId, connection);
              return connection.read({
                entity: schemaAt(pipeline, place.id),
                fields: [...place.readFields],
                cursor,
                mode,
                pageSize: pipeline.connectors.get(connectorId)?.readPageSize ?? PAGE_SIZE,
                ...(since === null ? {} : { since: new Date(since) }),
                ...(until === null ? {} : { until: new Date(until) }),
              });
            },
            claim: async () => NOTHING_CLAIMED,
            answer: dryResults(needs, at, pipeline),
          },
          { deps: parts.deps, signal },
        );
        const lacking = await pipeline.storage.findLacking(batches.flatMap((batch) => batch.lacking ?? []));
        return toPreview(pipeline, summary, batches, lacking);
      } finally {
        for (const connection of open.values()) await connection.close();
      }
    },
  };
}

function toPreview(
  { plan, secrets }: CompiledPipeline,
  summary: CycleSummary | null,
  batches: readonly CommitBatch[],
  lacking: readonly DeliveryKey[],
) {
  const counts = summary?.counts;
  return {
    read: Object.values(counts?.read ?? {}).reduce((sum, count) => sum + count, 0),
    ...countOf(batches),
    unchanged: unchangedIn(counts?.read ?? {}, batches, counts?.filtered ?? 0),
    filtered: counts?.filtered ?? 0,
    refused: counts?.refused ?? 0,
    told: toldIn([...wantedIn(batches), ...lacking], plan.sinks),
    complete: summary?.resync?.done === true,
    problem: summary?.problems.find(({ severity }) => severity === "error")?.message ?? null,
    samples: batches.flatMap(({ ledger }) => ledger.map((entry) => sampleOf(entry, secrets.core))).slice(0, SAMPLES),
  };
}

const countOf = (batches: readonly CommitBatch[]) => ({
  created: batches.reduce((sum, { creates }) => sum + creates.length, 0),
  updated: entriesOf(batches, UPDATING),
  deleted: entriesOf(batches, new Set(["delete"])),
  quarantined: batches.reduce((sum, { quarantine }) => sum + quarantine.length, 0),
});

const UPDATING: ReadonlySet<string> = new Set(["update", "restore", "attach"]);

const entriesOf = (batches: readonly CommitBatch[], operations: ReadonlySet<string>): number =>
  batches.reduce((sum, { ledger }) => sum + ledger.filter(({ operation }) => operations.has(operation)).length, 0);

function unchangedIn(read: { [nodeId: string]: number }, batches: readonly CommitBatch[], filtered: number): number {
  const total = Object.values(read).reduce((sum, count) => sum + count, 0);
  const { created, updated, deleted, quarantined } = countOf(batches);
  return Math.max(0, total - created - updated - deleted - quarantined - filtered);
}

const wantedIn = (batches: readonly CommitBatch[]): DeliveryKey[] =>
  batches.flatMap(({ deliveries }) => deliveries.filter(({ onlyIfOutstanding }) => !onlyIfOutstanding));

function toldIn(
  all: readonly DeliveryKey[],
  sinks: readonly { nodeId: string; place: { id: number } }[],
): { [nodeId: string]: number } {
  const told = new Map<number, Set<string>>();
  for (const { placeId, recordId } of all) told.set(placeId, (told.get(placeId) ?? new Set()).add(recordId));
  return Object.fromEntries(sinks.map(({ nodeId, place }) => [nodeId, told.get(place.id)?.size ?? 0]));
}

const sampleOf = ({ recordId, externalId, operation, changes, refused }: LedgerEntry, secrets: SecretFields) => ({
  recordId,
  externalId,
  operation,
  changes: secrets.changes(changes),
  refused: secrets.refused(refused),
});
