/** Runs one stored record through one version of a pipeline: each of its sources is read again in memory, then each destination is sent what the core would hold. */
import type { Value, Values } from "@accord/contracts/data/values";
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import type {
  CommitBatch,
  Plan,
  Resolved,
  RunStart,
  SourcePlan,
  StoredLink,
  StoredRecord,
} from "@accord/sync-engine/run";
import type { DryPipeline, DryPorts, StoredState, TestPipeline } from "../../runs/index.ts";
import type { Deps } from "../../../../platform/deps.ts";
import { Ended, type ResultTrace } from "../test-run/result-trace.ts";
import {
  readOne,
  resyncOf,
  seeded,
  sendTo,
  type SimulatedDestination,
  type Skipped,
  wholeStart,
  withoutOutside,
} from "../test-run/simulate.ts";
import { skippedCall } from "../test-run/skipped-calls.ts";
import { type SourceValues, sourceValues, type StoredSource } from "./source-values.ts";

/** Steps to one destination that are kept, in bytes: by them is known whether the record arrives. */
const TRACE_BYTES = 8 * 1024 * 1024;

export interface VersionParts {
  deps: Pick<Deps, "clock" | "newId">;
  pipeline: TestPipeline;
  /** What was read so far. */
  published: Plan;
  trace: ResultTrace;
  stored: StoredState;
  answer: DryPorts["answer"];
}

/** A record as it is stored, with what is known of it in each system. */
export interface DiffSubject {
  record: StoredRecord;
  /** By place. Secrets are masked. */
  links: ReadonlyMap<number, StoredLink>;
  /** The same as they are stored. */
  storedLinks: ReadonlyMap<number, StoredLink>;
  /** By place. */
  sources: ReadonlyMap<number, StoredSource>;
}

export interface SourceResult extends Pick<SourceValues, "assumed" | "unknown"> {
  label: string;
  state: "passed" | "heldBack" | "failed";
  message: string | null;
  /** What was kept out of the core, and why, by core field. */
  refused: ReadonlyMap<string, { value: Value; reason: string }>;
  /** The record that it would be attached to, were it read for the first time; null: none. */
  attachedTo: string | null;
}

export interface VersionResult {
  /** By node. */
  sources: ReadonlyMap<string, SourceResult>;
  core: StoredRecord;
  mergedWith: string | null;
  destinations: readonly SimulatedDestination[];
  /** Places that it would be sent to after it was read again: where something changed, or where it is missing. */
  due: ReadonlySet<number>;
  /** What would be done besides, in words. */
  actions: readonly string[];
  hasAsked: boolean;
}

/** What storage answers, with the record as the sources before have left it. */
interface Overlay extends Pick<DiffSubject, "record" | "storedLinks"> {
  /** Passes for one that is read for the first time. */
  unlinked: string | null;
}

/** Throws `Ended` where the record takes more steps than can be followed. */
export async function runVersion(parts: VersionParts, subject: DiffSubject): Promise<VersionResult> {
  const { pipeline, trace } = parts;
  trace.begin(subject.record.recordId, TRACE_BYTES);
  const skipped: Skipped[] = [];
  const overlay: Overlay = { record: subject.record, storedLinks: subject.storedLinks, unlinked: null };
  const context: Running = {
    pipeline: { ...pipeline, storage: overlaid(pipeline.storage, overlay) },
    parts: { deps: { clock: parts.deps.clock, newId: parts.deps.newId }, random: seeded() },
    answer: withoutOutside({ answer: parts.answer, trace, pipeline }, skipped),
  };
  const links = new Map(subject.links);
  const sources = new Map<string, SourceResult>();
  const uncertain = new Set<string>();
  const due = new Set<number>();
  let mergedWith: string | null = null;
  for (const source of pipeline.plan.sources) {
    const link = subject.links.get(source.place.id);
    const stored = subject.sources.get(source.place.id);
    if (!link || link.dead || !stored || mergedWith !== null) continue;
    const known = sourceValues(source, parts.published, stored);
    const { batches, ...result } = await read(context, source, link, known.values);
    sources.set(source.nodeId, {
      ...result,
      assumed: known.assumed,
      unknown: known.unknown,
      attachedTo: await attachedTo(context, overlay, { source, link, values: known.values }),
    });
    for (const call of batches.flatMap(({ actions }) => actions))
      skipped.push({ kind: "action", nodeId: call.nodeId, call });
    overlay.record = recordAfter(overlay.record, batches);
    for (const [placeId, after] of linksAfter(batches, overlay.record.recordId)) links.set(placeId, after);
    mergedWith = mergedBy(batches, overlay.record.recordId);
    for (const placeId of deliveriesOf(batches, overlay.record.recordId, links)) due.add(placeId);
    for (const field of mappedTo(source, known.unknown)) uncertain.add(field);
    if (mergedWith !== null) await merge(parts, overlay, links, batches);
  }
  overlay.record = withStoredValues(overlay.record, subject.record, uncertain);
  const destinations: SimulatedDestination[] = [];
  for (const sink of pipeline.plan.sinks) {
    const steps = trace.begin(subject.record.recordId, TRACE_BYTES);
    const link = links.get(sink.place.id) ?? null;
    destinations.push(await sendTo(parts, context, { sink, record: overlay.record, link }));
    if (steps.taken > steps.steps.length) throw new Ended(words.tooManySteps);
  }
  return {
    sources,
    core: overlay.record,
    mergedWith,
    due,
    destinations: destinations.filter(({ sink }) => !sink.isActionsOnly),
    actions: skipped
      .filter(({ kind }) => kind === "action")
      .map((one) => skippedCall(one, pipeline.hasSecrets).message),
    hasAsked: skipped.some(({ kind }) => kind === "dataRequest"),
  };
}

interface Running {
  pipeline: DryPipeline;
  parts: { deps: Pick<Deps, "clock" | "newId">; random: () => number };
  answer: DryPorts["answer"];
}

const startAt = ({ pipeline }: Running, { nodeId }: SourcePlan): RunStart => resyncOf(wholeStart(pipeline), nodeId);

async function read(context: Running, source: SourcePlan, link: StoredLink, values: Values) {
  const { externalId, modifiedAt } = link;
  const record = { id: externalId, values, ...(modifiedAt === null ? {} : { modifiedAt }) };
  const { batches, summary } = await readOne(context, startAt(context, source), record);
  const failure =
    batches.flatMap(({ quarantine }) => quarantine)[0] ??
    summary?.problems.find(({ severity }) => severity === "error");
  const isHeldBack = (summary?.counts.filtered ?? 0) > 0;
  const refused = new Map(
    batches
      .flatMap(({ ledger }) => ledger)
      .filter((entry) => entry.externalId === externalId)
      .flatMap((entry) => Object.entries(entry.refused ?? {}))
      .map(([field, [value, reason]]) => [field, { value, reason }] as const),
  );
  const state: SourceResult["state"] = failure ? "failed" : isHeldBack ? "heldBack" : "passed";
  return { label: source.label, state, message: failure?.message ?? null, refused, batches };
}

async function attachedTo(
  context: Running,
  overlay: Overlay,
  { source, link, values }: { source: SourcePlan; link: StoredLink; values: Values },
): Promise<string | null> {
  if (source.attach.length === 0) return null;
  overlay.unlinked = link.externalId;
  try {
    const { batches } = await readOne(context, startAt(context, source), { id: link.externalId, values });
    const after = batches.flatMap(({ links }) => links).find(({ externalId }) => externalId === link.externalId);
    const isNew = batches.some(({ creates }) => creates.some(({ recordId }) => recordId === after?.recordId));
    return !after || isNew || after.recordId === link.recordId ? null : after.recordId;
  } finally {
    overlay.unlinked = null;
  }
}

function recordAfter(record: StoredRecord, batches: readonly CommitBatch[]): StoredRecord {
  const updated = batches.flatMap(({ updates }) => updates).find(({ recordId }) => recordId === record.recordId);
  return updated ? { ...record, values: updated.values, origin: updated.origin, deleted: updated.deleted } : record;
}

const mappedTo = ({ mappings }: SourcePlan, fields: readonly string[]): string[] =>
  mappings.filter(({ connectorField }) => fields.includes(connectorField)).map(({ coreField }) => coreField);

/** Nobody knows what a source would say of these fields, and whether another one's value would count instead. */
const withStoredValues = (record: StoredRecord, stored: StoredRecord, fields: ReadonlySet<string>): StoredRecord => ({
  ...record,
  values: {
    ...record.values,
    ...Object.fromEntries([...fields].map((field) => [field, stored.values[field] ?? null])),
  },
});

const linksAfter = (batches: readonly CommitBatch[], recordId: string): [number, StoredLink][] =>
  batches.flatMap(({ placeId, links }) =>
    links.filter((link) => link.recordId === recordId).map((link): [number, StoredLink] => [placeId, link]),
  );

/** Those that a cycle would have to make; a place that has no copy of the record lacks it. */
const deliveriesOf = (
  batches: readonly CommitBatch[],
  recordId: string,
  links: ReadonlyMap<number, StoredLink>,
): number[] =>
  batches.flatMap(({ deliveries, lacking = [], mergeBatch }) => [
    ...deliveries.filter((one) => one.recordId === recordId && !one.onlyIfOutstanding).map(({ placeId }) => placeId),
    ...lacking.filter((one) => one.recordId === recordId && !links.has(one.placeId)).map(({ placeId }) => placeId),
    ...(mergeBatch?.notifySinkIds ?? []),
  ]);

const mergesOf = (batches: readonly CommitBatch[]) => batches.flatMap(({ mergeBatch }) => mergeBatch?.merges ?? []);

function mergedBy(batches: readonly CommitBatch[], recordId: string): string | null {
  for (const { winner, losers } of mergesOf(batches)) {
    if (winner.recordId === recordId) return losers[0]?.recordId ?? null;
    if (losers.some((loser) => loser.recordId === recordId)) return winner.recordId;
  }
  return null;
}

/** From here on the record that stands for both goes on, with its own links and those that it takes over. */
async function merge(
  { stored, pipeline }: VersionParts,
  overlay: Overlay,
  links: Map<number, StoredLink>,
  batches: readonly CommitBatch[],
): Promise<void> {
  const merged = mergesOf(batches)[0];
  if (!merged) return;
  const { winner, values, origin } = merged;
  if (winner.recordId !== overlay.record.recordId)
    for (const [placeId, link] of await stored.maskedLinks(winner.recordId, pipeline)) links.set(placeId, link);
  overlay.record = { ...winner, values, origin };
}

function overlaid(storage: DryPipeline["storage"], overlay: Overlay): DryPipeline["storage"] {
  return {
    ...storage,
    resolve: async (request) => {
      const resolved = await storage.resolve(request);
      if (overlay.unlinked !== null) return withoutLink(resolved, overlay.unlinked);
      return asRead(resolved, overlay, request.placeId);
    },
    findDuplicates: async (keys) => {
      const found = await storage.findDuplicates(keys);
      return overlay.unlinked === null ? found : { ...found, records: [], cut: [], isFull: false };
    },
  };
}

/** Both versions meet the same, whatever a cycle writes meanwhile. */
function asRead(resolved: Resolved, { record, storedLinks }: Overlay, placeId: number): Resolved {
  const link = storedLinks.get(placeId);
  const { links, records } = resolved;
  return {
    ...resolved,
    links: link && links.has(link.externalId) ? new Map([...links, [link.externalId, link]]) : links,
    records: records.has(record.recordId) ? new Map([...records, [record.recordId, record]]) : records,
  };
}

const withoutLink = (resolved: Resolved, externalId: string): Resolved => ({
  ...resolved,
  links: new Map([...resolved.links].filter(([id]) => id !== externalId)),
});
