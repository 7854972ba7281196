/** Second half of a page's way: identity, merge and consequences. Turns a looked-at page into one batch to commit. */
import type { Value, Values } from "@accord/contracts/data/values";
import type { FlowRecord } from "../functions/flow.ts";
import { carryOver } from "./carry-over.ts";
import { changeTime } from "./change-time.ts";
import { allRefusals, noteConflicts, unfit, warningsOfCleared } from "./conflicts.ts";
import type { DecideEnv, Decision, Found } from "./decision.ts";
import { editedAtOnce } from "./edited-at-once.ts";
import { editsOfDeleted, untoldEdits, warningsOfDeleted } from "./edits-of-deleted.ts";
import { REMOVED_BY_US } from "./fingerprint.ts";
import { deadAfter, leavingOf } from "./leaving.ts";
import { heldBackLinks, setElsewhere } from "./held-back.ts";
import { isToldAfterReading, returned } from "./let-go.ts";
import { type LinkAfter, linkAfter } from "./link-after.ts";
import { changedFields, type LookedPage } from "./look.ts";
import { merge, type Merged } from "./merge.ts";
import { judgeShown } from "./returned-fields.ts";
import type { MergePlan } from "./merge-plan.ts";
import { type ArrivedRecord, mergeWithin, warningsOfMerging } from "./merge-within.ts";
import { findSinkAt, type Plan, type SinkPlan, type SourcePlan } from "./plan.ts";
import { contributionOf, keepOpen, lastWords } from "./open-references.ts";
import type { FoundDuplicates } from "./merge-writes.ts";
import { PageUpdates } from "./page-updates.ts";
import { attachPage, type PageAttachments } from "./page-attachments.ts";
import { setMeanwhile } from "./set-meanwhile.ts";
import { standingOf } from "./standing.ts";
import { type CommitBatch, emptyBatch, type Position } from "./storage.ts";
import type { LedgerEntry, StoredLink, StoredRecord } from "./stored.ts";
import { concerns, isComparable } from "./sink-news.ts";
import { type RecordWarning, type Traveller, withoutSecret } from "./traveller.ts";
import { agesOf, keptEntered } from "./unknown-age.ts";
import { writtenFor } from "./written-twins.ts";

/** Everything a page changes. Pure: the same page, links, records and candidates give the same batch (but for ids). */
export function decide(
  plan: Plan,
  source: SourcePlan,
  page: LookedPage,
  found: Found,
  position: Position | null,
  env: DecideEnv,
): Decision {
  const deciding = new Deciding(plan, source, env, page, found.candidates);
  deciding.batch.position = position;
  carryOver(page, deciding.batch, env.knownUntil);
  deciding.batch.links.push(...heldBackLinks(findSinkAt(plan, source.place.id), page, env));
  for (const { record, link } of page.gone) {
    if (deciding.handOver(record.modifiedAt ?? null, link)) continue;
    deciding.leave(record.modifiedAt ?? null, link, page.resolved.records.get(link.recordId) ?? null, page);
  }
  for (const { traveller, flow } of page.arrived) deciding.arrive(traveller, flow, page);
  if (plan.merge) deciding.deduplicate(plan.merge, found.duplicates ?? NONE_FOUND);
  const decision = deciding.decision();
  const standing = standingOf(decision.batch, page.resolved);
  if (standing.length > 0) decision.batch.standing = standing;
  return decision;
}

class Deciding {
  readonly batch: CommitBatch;
  readonly #plan: Plan;
  readonly #source: SourcePlan;
  readonly #env: DecideEnv;
  readonly #ownSink: SinkPlan | null;
  readonly #page: LookedPage;
  readonly #attachments: PageAttachments;
  readonly #updates: PageUpdates;
  readonly #incoming: ArrivedRecord[] = [];
  readonly #warnings: RecordWarning[] = [];
  readonly #counts = { created: 0, updated: 0, deleted: 0, refused: 0 };

  constructor(plan: Plan, source: SourcePlan, env: DecideEnv, page: LookedPage, candidates: Found["candidates"]) {
    this.#plan = plan;
    this.#source = source;
    this.#env = env;
    this.#ownSink = findSinkAt(plan, source.place.id);
    this.#page = page;
    this.batch = emptyBatch(source.place.id, null);
    this.#updates = new PageUpdates(this.batch);
    this.#attachments = attachPage(source, this.#ownSink, page, candidates);
    this.#warnings.push(...this.#attachments.warnings);
  }

  decision(): Decision {
    const warnings = this.#warnings.map((warning) => withoutSecret(this.#plan, warning));
    return { batch: this.batch, ...this.#counts, warnings };
  }

  arrive(traveller: Traveller, flow: FlowRecord, page: LookedPage): void {
    const attached = this.#attachments.records.get(traveller) ?? null;
    const stored =
      this.#updates.latest(traveller.stored ?? attached, page.resolved) ?? this.#updates.back(traveller.formerId);
    // Found by its key, it may still be what we created there ourselves, changed by somebody since.
    if (attached) traveller.written = page.resolved.unanswered.get(attached.recordId)?.written ?? [];
    if (stored?.deleted && this.#ownSink && !traveller.isBack) this.#keepDeleted(traveller, flow, stored);
    else if (stored) this.#update(traveller, flow, stored, attached !== null);
    else this.#create(traveller, flow);
  }

  /** The row is gone, and its record has passed to another one: answers whether it has. */
  handOver(modifiedAt: string | null, link: StoredLink): boolean {
    if (!this.#attachments.handedOver.has(link.externalId)) return false;
    this.batch.links.push(deadAfter(link, modifiedAt));
    return true;
  }

  /** Records of this page that are the same thing as others: joined, or reported. */
  deduplicate(rules: MergePlan, found: FoundDuplicates): void {
    const { run, newId } = this.#env;
    const merging = mergeWithin(this.#plan, rules, this.batch, this.#incoming, { found, env: { ...run, newId } });
    if (!merging) return;
    this.batch.merging = merging;
    this.#warnings.push(...warningsOfMerging(rules, merging));
  }

  /** The outside record is gone: its core record goes too when nobody else holds on to it. */
  leave(modifiedAt: string | null, link: StoredLink, stored: StoredRecord | null, page: LookedPage): void {
    const leaving = leavingOf(this.#plan, this.#source.place.id, link, stored, page.resolved);
    // Our own deletion, though its answer never came; or one that goes with the record, and is over when that is back.
    const isOurs = !link.dead && page.resolved.unanswered.get(link.recordId)?.intent === "delete";
    const isWithRecord = leaving?.operation === "delete" || stored?.deleted === true;
    const told = isOurs || isWithRecord ? REMOVED_BY_US : link.told;
    // Asked for and still gone: known from now on, so that it is not asked for at each poll.
    if (!link.dead || told !== link.told || page.seen.isReplay)
      this.batch.links.push({ ...deadAfter(link, modifiedAt), told });
    if (!stored || !leaving) return;
    const { recordId, version, values, origin } = stored;
    if (leaving.operation === "delete") {
      this.batch.updates.push({ recordId, expectedVersion: version, values, origin, deleted: true });
      this.#counts.deleted += 1;
    }
    const untold = leaving.operation === "delete" && this.#ownSink ? untoldEdits(this.#ownSink, link, values) : null;
    if (untold) {
      this.#counts.refused += Object.keys(untold).length;
      this.#warnings.push(...warningsOfDeleted(this.#source.nodeId, { record: { id: link.externalId } }, untold));
    }
    this.#ledger(recordId, leaving.operation, link.externalId, {}, untold);
    for (const placeId of leaving.tell) this.#tell(placeId, recordId, false);
    // What waited to be written to it, or was set aside, is over.
    const placeId = this.#source.place.id;
    if (this.#ownSink && !leaving.tell.includes(placeId)) this.#tell(placeId, recordId, true);
  }

  #create(traveller: Traveller, flow: FlowRecord): void {
    const { formerId } = traveller;
    const recordId = formerId ?? this.#env.newId();
    const ages = this.#agesOf(traveller);
    const at = this.#timeOf(traveller);
    const merged = merge(this.#plan, this.#source, null, flow.values, at, { ...FIRST, ...ages });
    const created = { recordId, values: merged.values, origin: merged.origin };
    this.batch.creates.push(created);
    if (formerId !== null) this.#updates.bringBack(created, returned(this.#plan, this.#source, formerId, flow.values));
    this.#counts.created += 1;
    if (this.#plan.merge) {
      const place = { source: this.#source, sink: this.#ownSink, page: this.#page };
      const isWrittenFor = traveller.link ? null : writtenFor(place, traveller, flow.values, this.#env);
      this.#incoming.push({ recordId, flow, isWrittenFor });
    }
    this.batch.ledger.push({
      recordId,
      operation: "create",
      externalId: traveller.record.id,
      changes: merged.changes,
      created: merged.values,
      refused: this.#unconverted(traveller, null),
    });
    const open = { recordId, timeOf: () => ages.old?.at ?? at, isChanged: () => true };
    if (traveller.pending.length > 0) keepOpen(this.batch, this.#source, traveller, open);
    this.#finish(traveller, recordId, merged, { hasChanged: true, isNews: true });
  }

  #update(traveller: Traveller, flow: FlowRecord, stored: StoredRecord, isAttached: boolean): void {
    // What was written before a deletion says nothing about what was entered after it.
    if (!traveller.isBack)
      traveller.spelling = judgeShown(this.#ownSink, this.#source, traveller, stored.values, this.#env);
    // Entered again after its deletion, it is as new: what was set before, and by whom, was deleted.
    const isAnew = traveller.isBack && stored.deleted;
    const isChanged = isAnew ? () => true : changedFields(this.#source, traveller, flow.values, this.#env.reapply);
    const contributed = contributionOf(traveller, flow.values, isChanged);
    const at = this.#timeOf(traveller);
    const ages = this.#agesOf(traveller);
    const place = { source: this.#source, sink: this.#ownSink, page: this.#page };
    const meanwhile = setMeanwhile(this.#plan, place, traveller, stored, this.#env);
    const isSetElsewhere = setElsewhere(this.#plan, place, traveller, stored);
    const merged = merge(this.#plan, this.#source, isAnew ? { ...stored, origin: {} } : stored, contributed, at, {
      isFirst: traveller.link === null,
      isRepeat: this.#env.reapply,
      isAnew,
      meanwhile,
      setElsewhere: isSetElsewhere,
      ...ages,
    });
    const heldSince = (field: string) => (isSetElsewhere?.(field) ? traveller.link?.heldBack?.since : null);
    const timeOf = (field: string): string =>
      (ages.old?.has(field) ? ages.old.at : (heldSince(field) ?? meanwhile?.(field))) ?? at;
    const isRestored = stored.deleted;
    if (traveller.spelling) this.#warnings.push(...traveller.spelling.warnings);
    const refused = this.#unconverted(traveller, merged.refused);
    // What is read again was not cleared just now.
    if (!this.#env.reapply) this.#warnings.push(...warningsOfCleared(this.#source.nodeId, traveller, merged.refused));
    if (merged.hasChanged || isRestored || merged.origin !== stored.origin) {
      this.#updates.write(stored, merged);
    }
    if (!isAnew) this.#warnings.push(...editedAtOnce(this.#plan, this.#source, this.#ownSink, traveller, merged));
    this.#warnings.push(...keptEntered(this.#plan, this.#source, traveller, merged, ages));
    if (this.#plan.authority.findsConflicts) {
      noteConflicts(this.batch, stored.recordId, contributed, merged.refused, timeOf);
    }
    const isCompared = this.#plan.merge && (merged.hasChanged || isRestored || isAttached || this.#env.reapply);
    if (isCompared) this.#incoming.push({ recordId: stored.recordId, flow });
    if (merged.hasChanged || isRestored) this.#counts.updated += 1;
    if (merged.hasChanged || isRestored || isAttached || refused) {
      const operation = isRestored ? "restore" : isAttached ? "attach" : merged.hasChanged ? "update" : "refuse";
      this.#ledger(stored.recordId, operation, traveller.record.id, merged.changes, refused);
    }
    const isLastWord = lastWords(this.#plan, merged);
    keepOpen(this.batch, this.#source, traveller, { recordId: stored.recordId, timeOf, isChanged, isLastWord });
    const hasChanged = merged.hasChanged || isRestored;
    const holds = this.#finish(traveller, stored.recordId, merged, { hasChanged, isNews: isRestored });
    if (holds) this.#updates.fulfil(stored);
  }

  /** A deleted record stays deleted at places we tell about it: the deletion is on its way there, where we may delete. */
  #keepDeleted(traveller: Traveller, flow: FlowRecord, stored: StoredRecord): void {
    this.#refuseEdits(traveller, flow, stored);
    this.#link(traveller, stored.recordId, null, null);
    if (this.#ownSink?.delete) this.#tell(this.#source.place.id, stored.recordId, false);
  }

  /** What somebody entered in a record that was deleted elsewhere goes with it: said in its history and to people. */
  #refuseEdits(traveller: Traveller, flow: FlowRecord, stored: StoredRecord): void {
    const isChanged = changedFields(this.#source, traveller, flow.values, false);
    const refused = editsOfDeleted(flow.values, isChanged, stored);
    if (refused === null) return;
    this.#counts.refused += Object.keys(refused).length;
    this.#ledger(stored.recordId, "refuse", traveller.record.id, {}, refused);
    this.#warnings.push(...warningsOfDeleted(this.#source.nodeId, traveller, refused));
  }

  /** Link, and who has to be told. Answers whether the place surely holds all it should. */
  #finish(
    traveller: Traveller,
    recordId: string,
    merged: Merged,
    { hasChanged, isNews }: { hasChanged: boolean; isNews: boolean },
  ): boolean {
    const { differs, waits } = this.#link(traveller, recordId, merged.values, merged.refused);
    const back = traveller.formerId === recordId && this.batch.returned?.find((one) => one.recordId === recordId);
    for (const sink of this.#plan.sinks) {
      // Actions hear of news, not of what is read again.
      if (sink.isActionsOnly && this.#env.reapply) continue;
      if (sink.place.id !== this.#source.place.id) {
        if (back && isToldAfterReading(sink, back)) continue;
        if (hasChanged && (isNews || concerns(sink, merged))) this.#tell(sink.place.id, recordId, false);
        else if (this.#env.reapply && sink.create) this.#lacks(sink.place.id, recordId);
      } else if (hasChanged || differs) {
        this.#tell(sink.place.id, recordId, sink.reads !== null && !differs && !traveller.isAlias);
      }
    }
    return !differs && !waits && !traveller.isAlias && this.#ownSink !== null && isComparable(this.#ownSink);
  }

  #link(traveller: Traveller, recordId: string, values: Values | null, refused: Merged["refused"]): LinkAfter {
    const after = linkAfter(this.#ownSink, this.#source, traveller, { recordId, values, refused });
    if (after.write) this.batch.links.push(after.write);
    return after;
  }

  #unconverted(traveller: Traveller, refused: LedgerEntry["refused"]): LedgerEntry["refused"] {
    const all = allRefusals(traveller, refused);
    if (all === null) return null;
    const { nodeId } = this.#source;
    this.#warnings.push(...traveller.refusedFields.map(({ field, value }) => unfit(nodeId, traveller, field, value)));
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

  #tell(placeId: number, recordId: string, onlyIfOutstanding: boolean): void {
    this.batch.deliveries.push({ placeId, recordId, onlyIfOutstanding });
  }

  /** Whoever joined since it was read first has not heard of it yet. */
  readonly #lacks = (placeId: number, recordId: string) => (this.batch.lacking ??= []).push({ placeId, recordId });

  readonly #agesOf = (traveller: Traveller) => agesOf(this.#source, traveller, this.#env.following, this.#env.now);

  readonly #timeOf = (traveller: Traveller): string => changeTime(traveller, this.#env, this.#page.seen.isCurrent);
}

const FIRST = { isFirst: true, isRepeat: false };
const NONE_FOUND: FoundDuplicates = { records: [], places: new Map(), parted: [] };
