/** Second half of a page's way: identity, merge and consequences. Turns a looked-at page into one batch to commit. */
import type { Value, Values } from "@accord/contracts/data/values";
import type { FlowRecord } from "../../functions/flow.ts";
import { carryOver } from "./carry-over.ts";
import { changeTime } from "../merge/authority/change-time.ts";
import { rejectedValues, recordConflicts, conversionWarning, warningsOfCleared } from "../merge/authority/conflicts.ts";
import type { BatchContext, Decision, Found } from "./decision.ts";
import { concurrentEdits } from "../merge/authority/concurrent-edits.ts";
import { discardedEdits, unsentEdits, warningsOfDeleted } from "../merge/discarded-edits.ts";
import { REMOVED_BY_US } from "../state/fingerprint.ts";
import { deadAfter, deletionEffectOf } from "./source-deletion.ts";
import { filteredLinks, setElsewhere } from "../state/filtered-records.ts";
import { isWrittenAfterReading, returned } from "../state/links/released-links.ts";
import { type LinkUpdate, computeLinkUpdate } from "../state/links/link-update.ts";
import { changedFields } from "./page/changed-fields.ts";
import type { ProcessedPage } from "./page/process-page.ts";
import { merge, type Merged } from "../merge/merge.ts";
import { judgeShown } from "../state/fields/returned-fields.ts";
import type { MergeCode } from "../merge/duplicates/merge-code.ts";
import type { MergePlan } from "../merge/duplicates/merge-plan.ts";
import { type ArrivedRecord, mergeDuplicatesInPage } from "../merge/duplicates/merge-page.ts";
import { findSinkAt, type Plan, type SinkPlan, type SourcePlan } from "../plan/plan.ts";
import { contributedFields, recordPending, lastWords } from "../merge/pending-references.ts";
import type { FoundDuplicates } from "../protocol/merge-writes.ts";
import { PageUpdates } from "../state/page-updates.ts";
import { matchPage, type PageMatching } from "../merge/duplicates/page-matching.ts";
import { setConcurrently } from "../state/unconfirmed/concurrent-updates.ts";
import { withMergeGuards } from "./merge-guards.ts";
import { mergingByCode } from "./merging-by-code.ts";
import { type CommitBatch, emptyBatch, type Position } from "../protocol/storage.ts";
import type { LedgerEntry, StoredLink, StoredRecord } from "../protocol/stored.ts";
import { isRelevant, isComparable } from "../sink/sink-relevance.ts";
import { type RecordWarning, type InboundRecord, withoutSecret } from "../protocol/inbound-record.ts";
import { agesOf, keptUserValues } from "../merge/authority/unknown-change-time.ts";
import { writtenFor } from "./written-twins.ts";

/** Everything a page changes. Pure: the same page, links, records and candidates give the same batch (but for ids). */
export function decide(
  plan: Plan,
  source: SourcePlan,
  page: ProcessedPage,
  found: Found,
  position: Position | null,
  env: BatchContext,
): Decision {
  const builder = new BatchBuilder(plan, source, env, page, found);
  builder.batch.position = position;
  carryOver(page, builder.batch, env.knownUntil);
  builder.batch.links.push(...filteredLinks(findSinkAt(plan, source.place.id), page, env));
  for (const { record, link } of page.gone) {
    if (builder.handOver(record.modifiedAt ?? null, link)) continue;
    builder.leave(record.modifiedAt ?? null, link, page.resolved.records.get(link.recordId) ?? null, page);
  }
  for (const { inbound, flow } of page.completed) builder.finishPage(inbound, flow, page);
  const rules = plan.merge;
  const finish = (): Decision => withMergeGuards(builder.decision(), page.resolved);
  return rules ? mergingByCode((code) => builder.deduplicate(rules, found, code), finish) : finish();
}

class BatchBuilder {
  readonly batch: CommitBatch;
  readonly #plan: Plan;
  readonly #source: SourcePlan;
  readonly #env: BatchContext;
  readonly #ownSink: SinkPlan | null;
  readonly #page: ProcessedPage;
  readonly #attachments: PageMatching;
  readonly #updates: PageUpdates;
  readonly #incoming: ArrivedRecord[] = [];
  readonly #warnings: RecordWarning[] = [];
  readonly #counts = { created: 0, updated: 0, deleted: 0, refused: 0 };

  constructor(plan: Plan, source: SourcePlan, env: BatchContext, page: ProcessedPage, found: Found) {
    this.#plan = plan;
    this.#source = source;
    this.#env = env;
    this.#ownSink = findSinkAt(plan, source.place.id);
    this.#page = page;
    this.batch = emptyBatch(source.place.id, null);
    this.#updates = new PageUpdates(this.batch);
    this.#attachments = matchPage(source, this.#ownSink, page, found);
    this.#warnings.push(...this.#attachments.warnings);
  }

  decision(): Decision {
    const warnings = this.#warnings.map((warning) => withoutSecret(this.#plan, warning));
    return { batch: this.batch, pending: null, ...this.#counts, warnings };
  }

  finishPage(inbound: InboundRecord, flow: FlowRecord, page: ProcessedPage): void {
    const attached = this.#attachments.records.get(inbound) ?? null;
    const stored =
      this.#updates.latest(inbound.stored ?? attached, page.resolved) ?? this.#updates.back(inbound.formerId);
    // Found by its key, it may still be what we created there ourselves, changed by somebody since.
    if (attached) inbound.written = page.resolved.unanswered.get(attached.recordId)?.written ?? [];
    if (stored?.deleted && this.#ownSink && !inbound.isBack) this.#keepDeleted(inbound, flow, stored);
    else if (stored) this.#update(inbound, flow, stored, attached !== null);
    else this.#create(inbound, flow);
  }

  /** The row is gone, and its record has passed to another one: answers whether it has. */
  handOver(modifiedAt: string | null, link: StoredLink): boolean {
    if (!this.#attachments.reassigned.has(link.externalId)) return false;
    this.batch.links.push(deadAfter(link, modifiedAt));
    return true;
  }

  /** Records of this page that are the same thing as others: joined, or reported. */
  deduplicate(rules: MergePlan, { duplicates = NONE_FOUND, cutDuplicates }: Found, code: MergeCode): void {
    const env = { ...this.#env.run, newId: this.#env.newId, code };
    const found = { found: duplicates, cut: cutDuplicates, env };
    const { mergeBatch, warnings } = mergeDuplicatesInPage(this.#plan, rules, this.batch, this.#incoming, found);
    if (mergeBatch) this.batch.mergeBatch = mergeBatch;
    this.#warnings.push(...warnings);
  }

  /** The external record is gone: its core record goes too when nobody else holds on to it. */
  leave(modifiedAt: string | null, link: StoredLink, stored: StoredRecord | null, page: ProcessedPage): void {
    const leaving = deletionEffectOf(this.#plan, this.#source.place.id, link, stored, page.resolved);
    // Our own deletion, though its answer never came; or one that goes with the record, and is over when that is back.
    const isOurs = !link.dead && page.resolved.unanswered.get(link.recordId)?.intent === "delete";
    const isWithRecord = leaving?.operation === "delete" || stored?.deleted === true;
    const lastWritten = isOurs || isWithRecord ? REMOVED_BY_US : link.lastWritten;
    // Asked for and still gone: known from now on, so that it is not asked for at each poll.
    if (!link.dead || lastWritten !== link.lastWritten || page.seen.isReplay)
      this.batch.links.push({ ...deadAfter(link, modifiedAt), lastWritten });
    if (!stored || !leaving) return;
    const { recordId, version, values, origin } = stored;
    if (leaving.operation === "delete") {
      this.batch.updates.push({ recordId, expectedVersion: version, values, origin, deleted: true });
      this.#counts.deleted += 1;
    }
    const untold = leaving.operation === "delete" && this.#ownSink ? unsentEdits(this.#ownSink, link, values) : null;
    if (untold) {
      this.#counts.refused += Object.keys(untold).length;
      this.#warnings.push(...warningsOfDeleted(this.#source.nodeId, { record: { id: link.externalId } }, untold));
    }
    this.#ledger(recordId, leaving.operation, link.externalId, {}, untold);
    for (const placeId of leaving.tell) this.#enqueueDelivery(placeId, recordId, false);
    // What waited to be written to it, or was quarantined, is over.
    const placeId = this.#source.place.id;
    if (this.#ownSink && !leaving.tell.includes(placeId)) this.#enqueueDelivery(placeId, recordId, true);
  }

  #create(inbound: InboundRecord, flow: FlowRecord): void {
    const { formerId } = inbound;
    const recordId = formerId ?? this.#env.newId();
    const ages = this.#agesOf(inbound);
    const at = this.#timeOf(inbound);
    const merged = merge(this.#plan, this.#source, null, flow.values, at, { ...FIRST, ...ages });
    const created = { recordId, values: merged.values, origin: merged.origin };
    this.batch.creates.push(created);
    if (formerId !== null) this.#updates.bringBack(created, returned(this.#plan, this.#source, formerId, flow.values));
    this.#counts.created += 1;
    if (this.#plan.merge) {
      const place = { source: this.#source, sink: this.#ownSink, page: this.#page };
      const isWrittenFor = inbound.link ? null : writtenFor(place, inbound, flow.values, this.#env);
      this.#incoming.push({ recordId, flow, isWrittenFor });
    }
    this.batch.ledger.push({
      recordId,
      operation: "create",
      externalId: inbound.record.id,
      changes: merged.changes,
      created: merged.values,
      refused: this.#unconverted(inbound, null),
    });
    const open = { recordId, timeOf: () => ages.old?.at ?? at, isChanged: () => true };
    if (inbound.pending.length > 0) recordPending(this.batch, this.#source, inbound, open);
    this.#finish(inbound, recordId, merged, { hasChanged: true, isChange: true });
  }

  #update(inbound: InboundRecord, flow: FlowRecord, stored: StoredRecord, isAttached: boolean): void {
    // What was written before a deletion says nothing about what was entered after it.
    if (!inbound.isBack) inbound.spelling = judgeShown(this.#ownSink, this.#source, inbound, stored.values, this.#env);
    // Entered again after its deletion, it is as new: what was set before, and by whom, was deleted.
    const isAnew = inbound.isBack && stored.deleted;
    const isChanged = isAnew ? () => true : changedFields(this.#source, inbound, flow.values, this.#env.reapply);
    const contributed = contributedFields(inbound, flow.values, isChanged);
    const at = this.#timeOf(inbound);
    const ages = this.#agesOf(inbound);
    const place = { source: this.#source, sink: this.#ownSink, page: this.#page };
    const meanwhile = setConcurrently(this.#plan, place, inbound, stored, this.#env);
    const isSetElsewhere = setElsewhere(this.#plan, place, inbound, stored);
    const merged = merge(this.#plan, this.#source, isAnew ? { ...stored, origin: {} } : stored, contributed, at, {
      isFirst: inbound.link === null,
      isRepeat: this.#env.reapply,
      isAnew,
      meanwhile,
      setElsewhere: isSetElsewhere,
      ...ages,
    });
    const heldSince = (field: string) => (isSetElsewhere?.(field) ? inbound.link?.heldBack?.since : null);
    const timeOf = (field: string): string =>
      (ages.old?.has(field) ? ages.old.at : (heldSince(field) ?? meanwhile?.(field))) ?? at;
    const isRestored = stored.deleted;
    if (inbound.spelling) this.#warnings.push(...inbound.spelling.warnings);
    const refused = this.#unconverted(inbound, merged.refused);
    // What is read again was not cleared just now.
    if (!this.#env.reapply) this.#warnings.push(...warningsOfCleared(this.#source.nodeId, inbound, merged.refused));
    if (merged.hasChanged || isRestored || merged.origin !== stored.origin) {
      this.#updates.write(stored, merged);
    }
    if (!isAnew) this.#warnings.push(...concurrentEdits(this.#plan, this.#source, this.#ownSink, inbound, merged));
    this.#warnings.push(...keptUserValues(this.#plan, this.#source, inbound, merged, ages));
    if (this.#plan.authority.findsConflicts)
      recordConflicts(this.batch, { stored, inbound, values: flow.values, contributed, merged, timeOf });
    const isCompared = this.#plan.merge && (merged.hasChanged || isRestored || isAttached || this.#env.reapply);
    if (isCompared) this.#incoming.push({ recordId: stored.recordId, flow });
    if (merged.hasChanged || isRestored) this.#counts.updated += 1;
    if (merged.hasChanged || isRestored || isAttached || refused) {
      const operation = isRestored ? "restore" : isAttached ? "attach" : merged.hasChanged ? "update" : "refuse";
      this.#ledger(stored.recordId, operation, inbound.record.id, merged.changes, refused);
    }
    const isLastWord = lastWords(this.#plan, merged);
    recordPending(this.batch, this.#source, inbound, { recordId: stored.recordId, timeOf, isChanged, isLastWord });
    const hasChanged = merged.hasChanged || isRestored;
    const holds = this.#finish(inbound, stored.recordId, merged, { hasChanged, isChange: isRestored });
    if (holds) this.#updates.fulfil(stored);
  }

  /** A deleted record stays deleted at places we tell about it: the deletion is on its way there, where we may delete. */
  #keepDeleted(inbound: InboundRecord, flow: FlowRecord, stored: StoredRecord): void {
    this.#refuseEdits(inbound, flow, stored);
    this.#link(inbound, stored.recordId, null, null);
    if (this.#ownSink?.delete) this.#enqueueDelivery(this.#source.place.id, stored.recordId, false);
  }

  /** What somebody entered in a record that was deleted elsewhere goes with it: said in its history and to people. */
  #refuseEdits(inbound: InboundRecord, flow: FlowRecord, stored: StoredRecord): void {
    const isChanged = changedFields(this.#source, inbound, flow.values, false);
    const refused = discardedEdits(flow.values, isChanged, stored);
    if (refused === null) return;
    this.#counts.refused += Object.keys(refused).length;
    this.#ledger(stored.recordId, "refuse", inbound.record.id, {}, refused);
    this.#warnings.push(...warningsOfDeleted(this.#source.nodeId, inbound, refused));
  }

  /** Link, and who has to be told. Answers whether the place surely holds all it should. */
  #finish(
    inbound: InboundRecord,
    recordId: string,
    merged: Merged,
    { hasChanged, isChange }: { hasChanged: boolean; isChange: boolean },
  ): boolean {
    const { differs, waits, unfit, arrived } = this.#link(inbound, recordId, merged.values, merged.refused);
    const back = inbound.formerId === recordId && this.batch.returned?.find((one) => one.recordId === recordId);
    for (const sink of this.#plan.sinks) {
      // Actions learn of news, not of what is read again.
      if (sink.isActionsOnly && this.#env.reapply) continue;
      if (sink.place.id !== this.#source.place.id) {
        if (back && isWrittenAfterReading(sink, back)) continue;
        if (hasChanged && (isChange || isRelevant(sink, merged))) this.#enqueueDelivery(sink.place.id, recordId, false);
        else if (this.#env.reapply && sink.create) this.#lacks(sink.place.id, recordId);
      } else if (hasChanged || differs || arrived) {
        this.#enqueueDelivery(sink.place.id, recordId, sink.reads !== null && !differs && !unfit && !inbound.isAlias);
      }
    }
    return !differs && !waits && !unfit && !inbound.isAlias && this.#ownSink !== null && isComparable(this.#ownSink);
  }

  #link(inbound: InboundRecord, recordId: string, values: Values | null, refused: Merged["refused"]): LinkUpdate {
    const after = computeLinkUpdate(this.#ownSink, this.#source, inbound, { recordId, values, refused });
    if (after.write) this.batch.links.push(after.write);
    return after;
  }

  #unconverted(inbound: InboundRecord, refused: LedgerEntry["refused"]): LedgerEntry["refused"] {
    const all = rejectedValues(inbound, refused);
    if (all === null) return null;
    for (const { field, value } of inbound.refusedFields)
      this.#warnings.push(conversionWarning(this.#source.nodeId, inbound, field, value));
    this.#counts.refused += Object.keys(all).length;
    return all;
  }

  #ledger(
    recordId: string,
    operation: LedgerEntry["operation"],
    externalId: string,
    changes: { [field: string]: [Value, Value] },
    refused: LedgerEntry["refused"],
  ): void {
    this.batch.ledger.push({ recordId, operation, externalId, changes, refused });
  }

  #enqueueDelivery(placeId: number, recordId: string, onlyIfOutstanding: boolean): void {
    this.batch.deliveries.push({ placeId, recordId, onlyIfOutstanding });
  }

  /** Whoever joined since it was read first has not heard of it yet. */
  readonly #lacks = (placeId: number, recordId: string) => (this.batch.lacking ??= []).push({ placeId, recordId });

  readonly #agesOf = (inbound: InboundRecord) => agesOf(this.#source, inbound, this.#env.following, this.#env.now);

  readonly #timeOf = (inbound: InboundRecord): string => changeTime(inbound, this.#env, this.#page.seen.isCurrent);
}

const FIRST = { isFirst: true, isRepeat: false };
const NONE_FOUND: FoundDuplicates = { records: [], places: new Map(), separated: [] };
