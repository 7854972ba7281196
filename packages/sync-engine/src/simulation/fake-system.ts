/** A made-up system: keeps rows with their history, shows them late, pages its changes, and loses its temper on demand. */
import type { Cursor, ReadPage, SourceRecord, WriteOperation, WriteOutcome } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";
import type { Chance } from "./chance.ts";

export interface SystemTraits {
  /** How late reads and look-ups show a change, milliseconds. */
  lagMs: number;
  tellsModifiedAt: boolean;
  answersStoredValues: boolean;
  /** Stores notes in capitals, whatever it is given. */
  respells: boolean;
  idempotentCreate: boolean;
  /** Does an update or a deletion with a key it knows not again. */
  idempotentWrites: boolean;
  /** Refuses each record whose note ends like this, until people have mended it; null: takes everything. */
  refuses: string | null;
  /** Tells some changes twice, and old ones late, as webhooks do. */
  repeatsItself: boolean;
  canLookup: boolean;
  pageSize: number;
}

interface Version {
  at: number;
  values: Values;
  deleted: boolean;
}

/** When histories begin. */
export const START = Date.UTC(2026, 0, 1);
export const moment = (at: number): string => new Date(at).toISOString();

export class FakeSystem {
  readonly name: string;
  readonly traits: SystemTraits;
  /** Milliseconds that its clock is ahead. */
  readonly #skew: number;
  readonly #rows = new Map<string, Version[]>();
  /** One entry a change, in order: what `changes` pages walk along. */
  readonly #feed: { at: number; id: string }[] = [];
  readonly #doneKeys = new Map<string, string>();
  #nextId = 1;
  /** When something last changed here, by anybody. */
  changedAt = 0;
  /** Writes that changed something here. */
  writes = 0;
  /** Until when readers of changes have been shown everything. */
  #readUntil = 0;
  /** Values that were written over before any reader could have seen them. */
  readonly unseen = new Set<string>();

  constructor(name: string, traits: SystemTraits, skew = 0) {
    this.name = name;
    this.traits = traits;
    this.#skew = skew;
  }

  /** Changes so far: where a reader that knows all of them stands. */
  get changes(): number {
    return this.#feed.length;
  }

  rows(): { id: string; values: Values }[] {
    const rows: { id: string; values: Values }[] = [];
    for (const [id, versions] of this.#rows) {
      const last = versions.at(-1);
      if (last && !last.deleted) rows.push({ id, values: last.values });
    }
    return rows;
  }

  insert(values: Values, now: number): string {
    const id = `${this.name}${this.#nextId}`;
    this.#nextId += 1;
    this.#change(id, values, false, now);
    return id;
  }

  update(id: string, values: Values, now: number): boolean {
    const last = this.#rows.get(id)?.at(-1);
    if (!last || last.deleted) return false;
    this.#change(id, { ...last.values, ...values }, false, now);
    return true;
  }

  remove(id: string, now: number): boolean {
    const last = this.#rows.get(id)?.at(-1);
    if (!last || last.deleted) return false;
    this.#change(id, last.values, true, now);
    return true;
  }

  #change(id: string, values: Values, deleted: boolean, now: number): void {
    const { note } = values;
    const stored = this.traits.respells && typeof note === "string" ? { ...values, note: note.toUpperCase() } : values;
    const versions = this.#rows.get(id) ?? [];
    versions.push({ at: now, values: stored, deleted });
    this.#rows.set(id, versions);
    this.#feed.push({ at: now, id });
    this.changedAt = now;
  }

  /** As the row looked when readers were last let see. */
  #shown(id: string, now: number): SourceRecord | null {
    const visible = now - this.traits.lagMs;
    const version = this.#rows.get(id)?.findLast(({ at }) => at <= visible);
    if (!version) return null;
    return {
      id,
      values: version.values,
      deleted: version.deleted,
      ...(this.traits.tellsModifiedAt ? { modifiedAt: this.#timeOf(version.at) } : {}),
    };
  }

  #timeOf(at: number): string {
    return moment(at + this.#skew);
  }

  /** An earlier state of a row that still exists, as a message that was under way for long. */
  lateNews(chance: Chance, now: number): SourceRecord | null {
    const entries = this.#feed.filter(
      ({ at, id }) => at <= now - this.traits.lagMs && this.#rows.get(id)?.at(-1)?.deleted === false,
    );
    if (entries.length === 0) return null;
    const { id, at } = chance.pick(entries);
    const version = this.#rows.get(id)?.findLast((candidate) => candidate.at <= at);
    return version
      ? { id, values: version.values, deleted: version.deleted, modifiedAt: this.#timeOf(version.at) }
      : null;
  }

  readChanges(cursor: Cursor, now: number): ReadPage {
    const from = Number(cursor ?? 0);
    const visible = now - this.traits.lagMs;
    let to = from;
    const records: SourceRecord[] = [];
    while (to < this.#feed.length && to - from < this.traits.pageSize) {
      const entry = this.#feed[to]!;
      if (entry.at > visible) break;
      const record = this.#shown(entry.id, now);
      if (record) records.push(record);
      to += 1;
    }
    const next = this.#feed[to];
    const drained = !next || next.at > visible;
    this.#readUntil = Math.max(this.#readUntil, drained ? visible : (next?.at ?? 0) - 1);
    return { records, cursor: to, drained };
  }

  /** Rows that stand, or those of them that last changed in a span of time, by this system's clock. */
  readAll(cursor: Cursor, now: number, span: { since: string | null; until: string | null }): ReadPage {
    const ids = [...this.#rows.keys()].sort();
    const from = cursor === null ? 0 : ids.findIndex((id) => id > String(cursor));
    const page = from < 0 ? [] : ids.slice(from, from + this.traits.pageSize);
    const isWithin = (id: string): boolean => {
      const changedAt = this.#timeOf(this.#rows.get(id)?.at(-1)?.at ?? 0);
      return (span.since === null || changedAt >= span.since) && (span.until === null || changedAt <= span.until);
    };
    const records = page
      .filter(isWithin)
      .flatMap((id) => this.#shown(id, now) ?? [])
      .filter(({ deleted }) => !deleted);
    const last = page.at(-1) ?? cursor ?? "";
    return { records, cursor: last, drained: page.length < this.traits.pageSize };
  }

  /** As these rows look now; what is gone is said to be. */
  readAgain(kept: readonly SourceRecord[], now: number): SourceRecord[] {
    return kept.map(({ id, values }) => this.#shown(id, now) ?? { id, values, deleted: true });
  }

  lookup(field: string, values: readonly Value[], now: number): SourceRecord[] {
    return [...this.#rows.keys()]
      .flatMap((id) => this.#shown(id, now) ?? [])
      .filter((record) => !record.deleted && values.includes(record.values[field] ?? null));
  }

  /** Whether it refuses this record for what it holds. */
  #refuses({ note }: Values): boolean {
    return this.traits.refuses !== null && typeof note === "string" && note.endsWith(this.traits.refuses);
  }

  write(operation: WriteOperation, now: number): WriteOutcome {
    if (operation.kind !== "delete" && this.#refuses(operation.values)) {
      return { status: "rejected", code: "refused", message: "simulated: this note is not allowed here" };
    }
    if (this.traits.idempotentWrites && operation.kind !== "create") {
      if (this.#doneKeys.has(operation.idempotencyKey)) return this.#done(operation.id, now);
    }
    if (operation.kind === "update") this.#writeOver(operation.id, operation.values);
    const changed = this.changedAt;
    const count = this.#feed.length;
    const outcome = this.#apply(operation, now);
    if (this.changedAt !== changed || this.#feed.length !== count) this.writes += 1;
    if (outcome.status === "done") this.#doneKeys.set(operation.idempotencyKey, outcome.id);
    return outcome;
  }

  /** What people entered since readers last looked is gone with this: nobody could know of it. */
  #writeOver(id: string, values: Values): void {
    const versions = this.#rows.get(id) ?? [];
    const seen = versions.findLast(({ at }) => at <= this.#readUntil);
    for (const { at, values: held } of versions) {
      if (at <= this.#readUntil) continue;
      for (const field in values) {
        const isNews = held[field] !== values[field] && held[field] !== seen?.values[field];
        if (isNews) this.unseen.add(String(held[field]).toLowerCase());
      }
    }
  }

  #apply(operation: WriteOperation, now: number): WriteOutcome {
    if (operation.kind === "create") {
      const known = this.traits.idempotentCreate ? this.#doneKeys.get(operation.idempotencyKey) : undefined;
      return this.#done(known ?? this.insert(operation.values, now), now);
    }
    const done =
      operation.kind === "update" ? this.update(operation.id, operation.values, now) : this.remove(operation.id, now);
    return done ? this.#done(operation.id, now) : { status: "missing" };
  }

  #done(id: string, now: number): WriteOutcome {
    const last = this.#rows.get(id)?.at(-1);
    return {
      status: "done",
      id,
      ...(this.traits.answersStoredValues && last ? { values: last.values } : {}),
      ...(this.traits.tellsModifiedAt ? { modifiedAt: this.#timeOf(last?.at ?? now) } : {}),
    };
  }
}

/** Traits as they come in the wild; each system can do at least one of the two things that make creating safe. */
export function drawTraits(chance: Chance): SystemTraits {
  const idempotentCreate = chance.happens(0.5);
  const lagMs = chance.happens(0.4) ? chance.between(100, 4_000) : 0;
  const tellsModifiedAt = lagMs > 0 || chance.happens(0.5);
  return {
    lagMs,
    // Without a time of change, an old state shown late can't be told from somebody's change back to it.
    tellsModifiedAt,
    answersStoredValues: chance.happens(0.5),
    respells: chance.happens(0.2),
    idempotentCreate,
    idempotentWrites: chance.happens(0.4),
    refuses: chance.happens(0.25) ? String(chance.between(0, 10)) : null,
    // Only by its time can old news be told from new.
    repeatsItself: tellsModifiedAt && chance.happens(0.3),
    canLookup: !idempotentCreate || chance.happens(0.5),
    pageSize: chance.between(1, 5),
  };
}
