/** The dry runs that explanations are made of: one source read as a resync reads it, or one destination that is sent one record. */
import { explain as words } from "@accord/contracts/messages/en/sync/explain";
import { fill } from "@accord/contracts/messages/fill";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import type { ExplainedDestination, ExplainedSource } from "@accord/contracts/sync/monitoring/explain";
import {
  type Claimed,
  type FieldVerdictOf,
  type ResyncStart,
  type RunStart,
  type StoredRecord,
  wholeFlow,
} from "@accord/sync-engine/run";
import {
  type DryOutcome,
  type DryPipeline,
  type DryPorts,
  dryRun,
  NOTHING_CLAIMED,
  singleRecordSource,
} from "./dry-run.ts";
import type { KnownPlace } from "./explain.store.ts";
import type { CompiledPipeline } from "../worker/plans.ts";
import type { ServiceContext } from "../published-pipelines.ts";

/** What the entity at a place looks like. */
export function schemaAt({ entities }: Pick<CompiledPipeline, "entities">, placeId: number): EntitySchema {
  const facts = entities.get(placeId);
  if (!facts) throw new Error(`place ${placeId} is not part of this pipeline`);
  return facts.schema;
}

/** How to run dry. */
export interface DryRunContext {
  pipeline: DryPipeline;
  parts: { deps: Pick<ServiceContext["deps"], "clock" | "newId">; random?: () => number };
  answer: DryPorts["answer"];
}

/** One external record (`values` null: gone there) comes in at a source, as a resync would bring it. */
export function readAgain(
  { pipeline, parts, answer }: DryRunContext,
  nodeId: string,
  { externalId, values }: { externalId: string; values: Values | null },
): Promise<DryOutcome> {
  const record = values ? { id: externalId, values } : { id: externalId, values: {}, deleted: true };
  const ports = { ...singleRecordSource(record), claim: async () => NOTHING_CLAIMED, answer };
  return dryRun(pipeline, resyncOf(pipeline, nodeId), ports, parts);
}

/** One destination is sent one record, as if it were outstanding for the first time. */
export function dryRunSink(
  { pipeline, parts, answer }: DryRunContext,
  placeId: number,
  subject: {
    record: StoredRecord | null;
    link: Claimed["deliveries"][number]["link"];
    references: Claimed["references"];
  },
  start: RunStart = nothingToRead(pipeline),
): Promise<DryOutcome> {
  const { record, link, references } = subject;
  let isSent = false;
  const claim: DryPorts["claim"] = async (claiming) => {
    if (claiming !== placeId || isSent) return NOTHING_CLAIMED;
    isSent = true;
    const recordId = record?.recordId ?? link?.recordId ?? "";
    const delivery = {
      recordId,
      attempts: 0,
      wanted: 0,
      unanswered: null,
      dueForMs: 0,
      writtenForMs: null,
      record,
      link,
    };
    return { deliveries: [delivery], references, nextAt: null };
  };
  const read = (): Promise<never> => Promise.reject(new Error("nothing is read to send to a destination"));
  return dryRun(pipeline, start, { read, getById: read, claim, answer }, parts);
}

/** What telling a destination comes to. */
export function destinationOutcome(
  { sent, settled }: DryOutcome,
  hasArrived: boolean,
  fields: readonly FieldVerdictOf[],
  isParked: boolean,
): ExplainedDestination["outcome"] {
  const operation = sent.flatMap(({ operations }) => operations)[0];
  if (operation) return operation.kind;
  if (settled.some(({ settlements }) => settlements.some(({ quarantine }) => quarantine !== null))) return "failed";
  if (isParked) return "put_aside";
  if (!hasArrived) return "filtered";
  return fields.some(({ verdict }) => verdict === "differs") ? "not_allowed" : "up_to_date";
}

export const countDiffering = (fields: readonly FieldVerdictOf[]): number =>
  fields.filter(({ verdict }) => verdict === "differs").length;

/** `count`: fields that differ there. `reason`: why it waits in quarantine. */
export const destinationMessage = (
  outcome: ExplainedDestination["outcome"],
  { operation, ...facts }: { place: string; count: number; reason: string; operation: ReturnType<typeof operationFor> },
): string => fill(words.destination[outcome], { ...facts, deed: words.deed[operation] });

/** What has to be done in a place for it to hold a record as it is. */
export function operationFor(
  record: Pick<StoredRecord, "deleted"> | null,
  link: Pick<NonNullable<KnownPlace["link"]>, "dead"> | null,
): "create" | "recreate" | "update" | "delete" {
  if (!record || record.deleted) return "delete";
  if (!link) return "create";
  return link.dead ? "recreate" : "update";
}

export type ReadOne =
  | { state: "read"; values: Values | null; reason?: undefined }
  | { state: "no_single_read" | "unreadable"; reason: string };

export function sourceOutcome(facts: {
  isGone: boolean;
  hasFailed: boolean;
  deletes: boolean;
  isFiltered: boolean;
  hasChanges: boolean;
  hasRefusals: boolean;
}): ExplainedSource["outcome"] {
  if (facts.hasFailed) return "failed";
  if (facts.deletes) return "deletes";
  if (facts.isGone) return "gone";
  if (facts.isFiltered) return "filtered";
  if (facts.hasChanges) return "changes";
  return facts.hasRefusals ? "refused" : "unchanged";
}

/** A run that reads one source as a resync does: nothing is absorbed unseen. */
function resyncOf(pipeline: DryPipeline, nodeId: string): RunStart {
  const resync: ResyncStart = { resyncId: "", nodeIds: [nodeId], since: null, until: null, cursors: {}, finished: [] };
  return { ...nothingToRead(pipeline), resync };
}

export const nothingToRead = ({ plan }: Pick<DryPipeline, "plan">): RunStart => ({
  cycleId: "",
  epoch: 0,
  sources: plan.sources.map(({ nodeId }) => ({
    nodeId,
    cursor: null,
    isComplete: false,
    since: null,
    due: false,
    replay: [],
  })),
  resync: null,
  failures: {},
});

/** Ids of the edges that a dry run's record took. */
export const edgesTaken = (summary: DryOutcome["summary"]): ReadonlySet<string> =>
  new Set(Object.keys(summary?.counts.flow ? wholeFlow(summary.counts.flow).passed : {}));
