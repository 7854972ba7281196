/** Second half of a page's way: identity, merge and consequences. Turns a looked-at page into one batch to commit. */
import type { Value, Values } from "@accord/contracts/data/values";
import type { FlowRecord } from "../functions/flow.ts";
import { fieldOf, hashValue, holds, isKnown, replaceFields } from "./fingerprint.ts";
import { changedFields, type LookedPage, type Traveller } from "./look.ts";
import { merge, type Merged } from "./merge.ts";
import { findSinkAt, Inconvertible, type Plan, type SinkPlan, type SourcePlan } from "./plan.ts";
import type { CommitBatch, LedgerEntry, LinkWrite, Position, StoredRecord } from "./storage.ts";

/** What deciding needs from the world, as values. */
export interface DecideEnv {
  /** UTC ISO-8601 with milliseconds. */
  now: string;
  newId: () => string;
  /** Resync: values of one-way sources count though the source did not change them. */
  reapply: boolean;
}

export interface Decision {
  batch: CommitBatch;
  created: number;
  updated: number;
  deleted: number;
  refused: number;
}

/** Everything a page changes. Pure: the same page, links, records and candidates give the same batch (but for ids). */
export function decide(
  plan: Plan,
  source: SourcePlan,
  page: LookedPage,
  candidates: readonly StoredRecord[],
  position: Position | null,
  env: DecideEnv,
): Decision {
  const deciding = new Deciding(plan, source, env, position);
  deciding.batch.quarantine.push(...page.quarantine);
  deciding.batch.settled.push(...page.settled);
  for (const { record, link } of page.gone) {
    deciding.leave(record.modifiedAt ?? null, link, page.resolved.records.get(link.recordId) ?? null, page);
  }
  for (const { traveller, flow } of page.arrived) deciding.arrive(traveller, flow, candidates);
  return deciding.decision();
}

class Deciding {
  readonly batch: CommitBatch;
  readonly #plan: Plan;
  readonly #source: SourcePlan;
  readonly #env: DecideEnv;
  readonly #ownSink: SinkPlan | null;
  /** Records that this page's records of the same source already stand for. */
  readonly #taken = new Set<string>();
  #created = 0;
  #updated = 0;
  #deleted = 0;
  #refused = 0;

  constructor(plan: Plan, source: SourcePlan, env: DecideEnv, position: Position | null) {
    this.#plan = plan;
    this.#source = source;
    this.#env = env;
    this.#ownSink = findSinkAt(plan, source.place.id);
    this.batch = {
      placeId: source.place.id,
      creates: [],
      updates: [],
      links: [],
      ledger: [],
      deliveries: [],
      quarantine: [],
      settled: [],
      pending: [],
      position,
    };
  }

  decision(): Decision {
    return {
      batch: this.batch,
      created: this.#created,
      updated: this.#updated,
      deleted: this.#deleted,
      refused: this.#refused,
    };
  }

  arrive(traveller: Traveller, flow: FlowRecord, candidates: readonly StoredRecord[]): void {
    const attached = traveller.stored || traveller.link ? null : this.#attach(flow, candidates);
    const stored = traveller.stored ?? attached;
    if (stored) this.#taken.add(stored.recordId);
    if (stored?.deleted && this.#ownSink) this.#keepDeleted(traveller, stored);
    else if (stored) this.#update(traveller, flow, stored, attached !== null);
    else this.#create(traveller, flow);
  }

  /** The outside record is gone: its core record goes too when nobody else holds on to it. */
  leave(
    modifiedAt: string | null,
    link: LinkWrite | Omit<LinkWrite, "isNew">,
    stored: StoredRecord | null,
    page: LookedPage,
  ): void {
    this.batch.links.push({ ...link, isNew: false, dead: true, modifiedAt: modifiedAt ?? link.modifiedAt });
    if (!stored || stored.deleted) return;
    const others = page.resolved.otherPlaces.get(stored.recordId) ?? [];
    const mayGo = others.every((placeId) => findSinkAt(this.#plan, placeId)?.delete === true);
    const operation = mayGo ? "delete" : "unlink";
    this.#ledger(stored.recordId, operation, link.externalId, {}, null);
    if (mayGo) {
      const { recordId, version, values, origin } = stored;
      this.batch.updates.push({ recordId, expectedVersion: version, values, origin, deleted: true });
      this.#deleted += 1;
      for (const placeId of others) this.#tell(placeId, recordId, false);
    } else if (this.#ownSink?.recreate) {
      this.#tell(this.#source.place.id, stored.recordId, false);
    }
  }

  /** Oldest candidate that satisfies one of the attach rules the record met, in the order it met them. */
  #attach(flow: FlowRecord, candidates: readonly StoredRecord[]): StoredRecord | null {
    for (const intent of flow.attach) {
      const rule = this.#source.attach.find((candidate) => candidate.nodeId === intent.nodeId);
      if (!rule) continue;
      const found = candidates.find(
        (candidate) =>
          !candidate.deleted && !this.#taken.has(candidate.recordId) && rule.matches(intent, candidate.values),
      );
      if (found) return found;
    }
    return null;
  }

  #create(traveller: Traveller, flow: FlowRecord): void {
    const recordId = this.#env.newId();
    const merged = merge(this.#plan, this.#source, null, flow.values, this.#timeOf(traveller));
    this.batch.creates.push({ recordId, values: merged.values, origin: merged.origin });
    this.#created += 1;
    this.#ledger(recordId, "create", traveller.record.id, merged.changes, this.#unconverted(traveller, null));
    this.#finish(traveller, recordId, merged, true);
  }

  #update(traveller: Traveller, flow: FlowRecord, stored: StoredRecord, isAttached: boolean): void {
    const isChanged = changedFields(this.#source, traveller, flow.values, this.#env.reapply);
    const contributed: Values = {};
    for (const field in flow.values) if (isChanged(field)) contributed[field] = flow.values[field] ?? null;
    const merged = merge(this.#plan, this.#source, stored, contributed, this.#timeOf(traveller));
    const isRestored = stored.deleted;
    const refused = this.#unconverted(traveller, merged.refused);
    if (merged.hasChanged || isRestored || merged.origin !== stored.origin) {
      const { recordId, version } = stored;
      const { values, origin } = merged;
      this.batch.updates.push({ recordId, expectedVersion: version, values, origin, deleted: false });
    }
    if (merged.hasChanged || isRestored) this.#updated += 1;
    if (merged.hasChanged || isRestored || isAttached || refused) {
      const operation = isRestored ? "restore" : isAttached ? "attach" : merged.hasChanged ? "update" : "refuse";
      this.#ledger(stored.recordId, operation, traveller.record.id, merged.changes, refused);
    }
    this.#finish(traveller, stored.recordId, merged, merged.hasChanged || isRestored);
  }

  /** A deleted record stays deleted at places we tell about it: the deletion is on its way there. */
  #keepDeleted(traveller: Traveller, stored: StoredRecord): void {
    this.#link(traveller, stored.recordId, null);
    this.#tell(this.#source.place.id, stored.recordId, false);
  }

  /** Link, references still open, and who has to be told. */
  #finish(traveller: Traveller, recordId: string, merged: Merged, hasChanged: boolean): void {
    const differs = this.#link(traveller, recordId, merged.values);
    for (const pending of traveller.pending) this.batch.pending.push({ ...pending, recordId });
    for (const sink of this.#plan.sinks) {
      if (sink.place.id !== this.#source.place.id) {
        if (hasChanged) this.#tell(sink.place.id, recordId, false);
      } else if (hasChanged || differs) {
        this.#tell(sink.place.id, recordId, sink.isPlain && !differs);
      }
    }
  }

  /**
   * Writes the link if it would change. Answers whether the place holds something else than it should: a value we
   * refused, or one the core has and the place hasn't.
   */
  #link(traveller: Traveller, recordId: string, values: Values | null): boolean {
    const { link, record, seen } = traveller;
    const [told, differs] = this.#toldAfter(traveller, values);
    const modifiedAt = latest(record.modifiedAt ?? null, link?.modifiedAt ?? null);
    if (!link || link.seen !== seen || link.told !== told || link.dead || link.modifiedAt !== modifiedAt) {
      this.batch.links.push({
        externalId: record.id,
        recordId,
        seen,
        told,
        modifiedAt,
        dead: false,
        isNew: link === null,
      });
    }
    return differs;
  }

  /** What the place now holds of the fields we write there, as just seen; and whether that is what it should hold. */
  #toldAfter(traveller: Traveller, values: Values | null): [told: string | null, differs: boolean] {
    const sink = this.#ownSink;
    const before = traveller.link?.told ?? null;
    if (!sink) return [before, false];
    const parts = new Map<number, string>();
    for (const { read, told } of sink.place.shared) {
      const part = fieldOf(traveller.seen, read);
      // A system that stores values in its own spelling has not changed them: what it was told still stands.
      const isAsKnown =
        before !== null && holds(traveller.link?.seen ?? null, read, part) && isKnown(fieldOf(before, told));
      if (!isAsKnown) parts.set(told, part);
    }
    let differs = false;
    for (const mapping of sink.mappings) {
      if (!values || mapping.createOnly) continue;
      const wanted = mapping.reference ? undefined : mapping.convert(values[mapping.coreField] ?? null);
      if (wanted === undefined || wanted instanceof Inconvertible) continue;
      const hash = hashValue(wanted);
      const isUnreadable = traveller.refusedFields.some(({ field }) => field === mapping.coreField);
      // A value that can't be read here is left as it is there until the core's own value changes.
      if (isUnreadable) parts.set(mapping.toldIndex, hash);
      const holdsPart = parts.get(mapping.toldIndex) ?? (before === null ? "" : fieldOf(before, mapping.toldIndex));
      if (holdsPart !== hash) differs = true;
    }
    return [replaceFields(before, sink.place.toldFields.length, parts), differs];
  }

  #unconverted(traveller: Traveller, refused: LedgerEntry["refused"]): LedgerEntry["refused"] {
    if (traveller.refusedFields.length === 0) {
      this.#refused += refused ? Object.keys(refused).length : 0;
      return refused;
    }
    const all: NonNullable<LedgerEntry["refused"]> = { ...refused };
    for (const { field, value } of traveller.refusedFields) all[field] = [value, "not_convertible"];
    this.#refused += Object.keys(all).length;
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

  #timeOf(traveller: Traveller): string {
    return traveller.record.modifiedAt ?? this.#env.now;
  }
}

const latest = (left: string | null, right: string | null): string | null =>
  left === null || (right !== null && right > left) ? right : left;
