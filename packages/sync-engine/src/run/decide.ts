/** Second half of a page's way: identity, merge and consequences. Turns a looked-at page into one batch to commit. */
import type { Value, Values } from "@accord/contracts/data/values";
import type { FlowRecord } from "../functions/flow.ts";
import { fieldOf, hashValue, holds, isKnown, replaceFields } from "./fingerprint.ts";
import { changedFields, type LookedPage, type Traveller } from "./look.ts";
import { merge, type Merged } from "./merge.ts";
import { findSinkAt, Inconvertible, type Plan, type SinkPlan, type SourcePlan } from "./plan.ts";
import type { CommitBatch, LedgerEntry, Position, Resolved, StoredLink, StoredRecord } from "./storage.ts";

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
  for (const { traveller, flow } of page.arrived) deciding.arrive(traveller, flow, candidates, page);
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

  arrive(traveller: Traveller, flow: FlowRecord, candidates: readonly StoredRecord[], page: LookedPage): void {
    const attached = traveller.stored || traveller.link ? null : this.#attach(flow, candidates, page.resolved);
    const stored = traveller.stored ?? attached;
    if (stored) this.#taken.add(stored.recordId);
    // Found by its key, it may still be what we created there ourselves, changed by somebody since.
    if (attached) traveller.written = page.resolved.unanswered.get(attached.recordId)?.written ?? [];
    if (stored?.deleted && this.#ownSink) this.#keepDeleted(traveller, stored);
    else if (stored) this.#update(traveller, flow, stored, attached !== null);
    else this.#create(traveller, flow);
  }

  /** The outside record is gone: its core record goes too when nobody else holds on to it. */
  leave(modifiedAt: string | null, link: StoredLink, stored: StoredRecord | null, page: LookedPage): void {
    const isNews = !link.dead;
    if (isNews) {
      this.batch.links.push({ ...link, isNew: false, dead: true, modifiedAt: modifiedAt ?? link.modifiedAt });
    }
    if (!stored || stored.deleted) return;
    const { recordId, version, values, origin } = stored;
    const others = page.resolved.otherPlaces.get(recordId) ?? [];
    const mayGo = others.every((placeId) => findSinkAt(this.#plan, placeId)?.delete === true);
    if (mayGo) {
      this.batch.updates.push({ recordId, expectedVersion: version, values, origin, deleted: true });
      this.#ledger(recordId, "delete", link.externalId, {}, null);
      this.#deleted += 1;
      for (const placeId of others) this.#tell(placeId, recordId, false);
    } else if (isNews) {
      this.#ledger(recordId, "unlink", link.externalId, {}, null);
      if (this.#ownSink?.recreate) this.#tell(this.#source.place.id, recordId, false);
    }
  }

  /**
   * Oldest candidate that satisfies one of the attach rules the record met, in the order it met them. A record that we
   * tried to create at this place comes first, even if it is deleted by now: this may be that creation.
   */
  #attach(flow: FlowRecord, candidates: readonly StoredRecord[], resolved: Resolved): StoredRecord | null {
    const created = [...resolved.unanswered]
      .filter(([, { intent }]) => intent === "create")
      .flatMap(([recordId]) => resolved.records.get(recordId) ?? []);
    for (const intent of flow.attach) {
      const rule = this.#source.attach.find((candidate) => candidate.nodeId === intent.nodeId);
      if (!rule) continue;
      const isMatch = (record: StoredRecord): boolean =>
        !this.#taken.has(record.recordId) && rule.matches(intent, record.values);
      const found = created.find(isMatch) ?? candidates.find((record) => !record.deleted && isMatch(record));
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
    this.#link(traveller, stored.recordId, null, null);
    this.#tell(this.#source.place.id, stored.recordId, false);
  }

  /** Link, references still open, and who has to be told. */
  #finish(traveller: Traveller, recordId: string, merged: Merged, hasChanged: boolean): void {
    const differs = this.#link(traveller, recordId, merged.values, merged.refused);
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
  #link(traveller: Traveller, recordId: string, values: Values | null, refused: Merged["refused"]): boolean {
    const { link, record, seen } = traveller;
    const after = this.#ownSink
      ? this.#toldAfter(this.#ownSink, traveller, values, refused)
      : { told: link?.told ?? null, refused: link?.refused ?? null, differs: false };
    const modifiedAt = latest(record.modifiedAt ?? null, link?.modifiedAt ?? null);
    const isSame =
      link !== null &&
      link.seen === seen &&
      link.told === after.told &&
      link.refused === after.refused &&
      link.modifiedAt === modifiedAt &&
      link.recordId === recordId &&
      !link.dead;
    if (!isSame) {
      const { told, refused: spurned } = after;
      const isNew = link === null;
      this.batch.links.push({
        externalId: record.id,
        recordId,
        seen,
        told,
        refused: spurned,
        modifiedAt,
        dead: false,
        isNew,
      });
    }
    return after.differs;
  }

  /** What the place now holds of the fields we write there, as just seen; and whether that is what it should hold. */
  #toldAfter(
    sink: SinkPlan,
    traveller: Traveller,
    values: Values | null,
    refused: Merged["refused"],
  ): { told: string; refused: string | null; differs: boolean } {
    const before = traveller.link?.told ?? null;
    const spurned = traveller.link?.refused ?? null;
    const count = sink.place.toldFields.length;
    const parts = new Map<number, string>();
    const newlySpurned = new Map<number, string>();
    for (const { read, told } of sink.place.shared) {
      const part = fieldOf(traveller.seen, read);
      // A system that stores values in its own spelling has not changed them: what it was told still stands.
      const isAsKnown =
        before !== null && holds(traveller.link?.seen ?? null, read, part) && isKnown(fieldOf(before, told));
      if (!isAsKnown) parts.set(told, part);
    }
    let differs = false;
    for (const { createOnly, reference, convert, coreField, toldIndex } of sink.mappings) {
      if (!values || createOnly) continue;
      const wanted = reference ? undefined : convert(values[coreField] ?? null);
      if (wanted === undefined || wanted instanceof Inconvertible) continue;
      const hash = hashValue(wanted);
      const shown = parts.get(toldIndex) ?? (before === null ? "" : fieldOf(before, toldIndex));
      // Left as it is until the core's own value changes: what can't be read, and what comes back after it was
      // overwritten once, as from a system that respells what it is given.
      const isUnreadable = traveller.refusedFields.some(({ field }) => field === coreField);
      const isInsisted = holds(before, toldIndex, hash) && holds(spurned, toldIndex, shown);
      if (isUnreadable || isInsisted) {
        parts.set(toldIndex, hash);
      } else if (shown !== hash) {
        differs = true;
        if (refused && coreField in refused) newlySpurned.set(toldIndex, shown);
      }
    }
    return {
      told: replaceFields(before, count, parts),
      refused: newlySpurned.size > 0 ? replaceFields(spurned, count, newlySpurned) : spurned,
      differs,
    };
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
