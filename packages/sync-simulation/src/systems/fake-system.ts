/** A fake system: keeps rows with their history, shows them late, pages its changes, and loses its temper on demand. */
import { holdsExpected } from "@accord/connector-sdk/fingerprint";
import type { Cursor, ReadPage, SourceRecord, WriteOperation, WriteOutcome } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";
import type { Rng } from "../rng.ts";
import { ChangeFeed } from "./change-feed.ts";
import { type Drift, toldWithout, type VanishedField, type Write, writtenWithout } from "./drift.ts";
import { readNumberedPage } from "./numbered-pages.ts";
import { oddAnswer } from "./odd-answers.ts";
import { PLAIN_SYSTEM, type SystemOptions } from "./plain-system.ts";
import { type ReplacedValue, replacedBy } from "./replaced-values.ts";
import { type ReaderFaults, type ReadingKind, readPass, seenUntil } from "./row-passes.ts";
import { type Row, RowVersions, type Version } from "./row-versions.ts";
import { EMPTY_CONTACT } from "../scenario/scenario-fields.ts";
import { ShownRows } from "./shown-rows.ts";
import { SystemClock } from "./system-clock.ts";
import { refusesRecord, type SystemTraits } from "./system-traits.ts";
import { type Rewriting, rewritten, stored } from "./text-rewriting.ts";
import { asEntered, asNumbers, CHANGING_FIELD, isFit } from "./type-changes.ts";
import { enteredValues, type TypedValues, typedValues } from "./typed-values.ts";

/** When histories begin. */
export const START = Date.UTC(2026, 0, 1);

export class FakeSystem {
  readonly name: string;
  readonly traits: SystemTraits;
  readonly #clock: SystemClock;
  readonly #reading: ReadingKind;
  readonly #readerFaults: ReaderFaults;
  readonly #isCurrent: boolean;
  readonly #types: TypedValues | null;
  readonly #style: number;
  readonly #rewriting: Rewriting | null;
  readonly history = new RowVersions();
  readonly #feed = new ChangeFeed();
  readonly #shown: ShownRows;
  readonly #doneKeys = new Map<string, string>();
  #nextId = 1;
  vanished: VanishedField | null = null;
  /** The column whose type changes takes numbers only. */
  hasNumbers = false;
  /** Fields that were added since, which nobody maps, and what they hold of their own accord. */
  newFields: Values = {};
  /** When something last changed here, by anybody. */
  changedAt = 0;
  /** Writes that changed something here. */
  writes = 0;
  /** Rows that our writes changed or removed, one entry a write. */
  readonly overwritten: string[] = [];
  /** Values that our writes wrote, in order. */
  readonly written: { id: string; values: Values }[] = [];
  /** Values that our writes replaced or removed with their records, in order. */
  readonly replaced: ReplacedValue[] = [];

  constructor(
    name: string,
    traits: SystemTraits,
    { clock, reading, isCurrent, readerFaults = {}, types, style, rewriting = null }: SystemOptions = PLAIN_SYSTEM,
  ) {
    this.name = name;
    this.traits = traits;
    this.#clock = new SystemClock(START, clock);
    this.#reading = reading;
    this.#readerFaults = readerFaults;
    this.#isCurrent = isCurrent;
    this.#types = types;
    this.#style = style;
    this.#rewriting = rewriting;
    const { history } = this;
    this.#shown = new ShownRows({ traits, history, clock: this.#clock, valuesOf: (values) => this.#displayed(values) });
  }

  /** Whether it can't say what changed: each reading brings all rows. */
  get listsAll(): boolean {
    return this.#reading === "listing";
  }

  /** Whether a reader at this position has been shown every change. */
  isReadUpTo(cursor: Cursor): boolean {
    if (this.#reading === "feed") return (cursor ?? 0) === this.#feed.length;
    return (seenUntil(cursor) ?? 0) > this.changedAt;
  }

  rows(): Row[] {
    return this.history.lastOnes(false);
  }

  /** Rows that were deleted, as they last were. */
  deletedRows(): Row[] {
    return this.history.lastOnes(true);
  }

  insert(values: Values, now: number): string {
    const id = `${this.name}${this.#nextId}`;
    this.#nextId += 1;
    this.#change(id, values, false, now);
    return id;
  }

  /** Puts a row under an id that was there before: restored, or another thing with the same key. */
  reinsert(id: string, values: Values, now: number): void {
    this.#change(id, values, false, now);
  }

  /** `stamp`: the time of change that it brings along. */
  update(id: string, values: Values, now: number, stamp?: number): boolean {
    const last = this.history.last(id);
    if (!last || last.deleted) return false;
    this.#change(id, { ...last.values, ...values }, false, now, stamp);
    return true;
  }

  remove(id: string, now: number): boolean {
    const last = this.history.last(id);
    if (!last || last.deleted) return false;
    this.#change(id, last.values, true, now);
    return true;
  }

  #change(id: string, values: Values, deleted: boolean, now: number, stamp?: number): void {
    const { note } = values;
    const given = rewritten(this.#rewriting, this.traits.storeAs ? this.traits.storeAs(values) : values);
    const stored = this.traits.respells && typeof note === "string" ? { ...given, note: note.toUpperCase() } : given;
    this.history.add(id, { at: now, values: stored, deleted, ...(stamp === undefined ? {} : { stamp }) });
    this.#feed.note({ at: now, id });
    this.changedAt = now;
  }

  /** As whoever asks gets them. */
  #displayed(values: Values): Values {
    const shown = typedValues(this.#types, { ...EMPTY_CONTACT, ...this.newFields, ...values }, this.#style);
    if (this.vanished) return toldWithout(this.vanished, shown);
    return this.hasNumbers ? asNumbers(shown) : shown;
  }

  /** The field that had vanished is there again, with what it held or empty. */
  bringBack({ field, comesBack, touchesRows }: Drift, now: number): void {
    this.vanished = null;
    for (const { id } of touchesRows ? this.rows() : [])
      this.update(id, comesBack === "empty" ? { [field]: null } : {}, now);
  }

  /** An earlier state of a row that still exists, as a message that was under way for long. */
  lateNews(rng: Rng, now: number): SourceRecord | null {
    const stands = ({ id }: { id: string }): boolean => this.history.last(id)?.deleted === false;
    const entries = this.#feed.until(now - this.traits.lagMs).filter(stands);
    if (entries.length === 0) return null;
    const { id, at } = rng.pick(entries);
    const version = this.history.asOf(id, at);
    if (!version) return null;
    const { deleted } = version;
    return { id, values: this.#displayed(version.values), deleted, modifiedAt: this.#shown.timeOf(version) };
  }

  /** What is news at a position; `since`: where reading starts that has no position yet. */
  readChanges(cursor: Cursor, now: number, since: string | null = null): ReadPage {
    const page = this.#changesFrom(cursor, now, since);
    return this.#isCurrent ? { ...page, isCurrent: true } : page;
  }

  #changesFrom(cursor: Cursor, now: number, since: string | null): ReadPage {
    const visible = now - this.traits.lagMs;
    const start = since === null ? null : Date.parse(since);
    if (this.#reading !== "feed") {
      const request = {
        cursor,
        pageSize: this.traits.pageSize,
        mark: { trueTime: visible, ownTime: this.#clock.timeAt(visible) },
        floor: start === null ? null : this.#clock.timeAt(start),
        ids: this.history.ids().sort(),
        visible: (id: string) => this.#shown.visible(id, now),
      };
      return this.#reading === "numbered"
        ? readNumberedPage(request, this.#readerFaults)
        : readPass({ ...request, kind: this.#reading }, this.#readerFaults);
    }
    const from = Number(cursor ?? (start === null ? 0 : this.#feed.from(start)));
    return this.#feed.page(from, this.traits.pageSize, visible, (id) => this.#shown.record(id, now));
  }

  /** Rows that stand, or those of them that last changed in a span of time, by this system's clock. */
  readAll(cursor: Cursor, now: number, span: { since: string | null; until: string | null }): ReadPage {
    return this.#shown.list(cursor, now, span);
  }

  /** As these rows look now; what is gone is said to be. */
  readAgain(kept: readonly SourceRecord[], now: number): SourceRecord[] {
    return kept.map(({ id, values }) => this.#shown.record(id, now) ?? { id, values, deleted: true });
  }

  lookup(field: string, values: readonly Value[], now: number): SourceRecord[] {
    return this.history
      .ids()
      .flatMap((id) => this.#shown.record(id, now) ?? [])
      .filter((record) => !record.deleted && values.includes(record.values[field] ?? null));
  }

  /** What it takes of a write, or why it refuses it. */
  #taken(given: Write): Write | WriteOutcome {
    const values = stored(this.#rewriting, asEntered(enteredValues(this.#types, given.values)));
    if (this.hasNumbers && !isFit(values[CHANGING_FIELD]))
      return { status: "rejected", code: "wrong_type", message: "simulated: this is no number" };
    return this.vanished ? writtenWithout(this.vanished, { ...given, values }) : { ...given, values };
  }

  write(given: WriteOperation, now: number): WriteOutcome {
    const operation = given.kind === "delete" ? given : this.#taken(given);
    if ("status" in operation) return operation;
    if (operation.kind !== "delete" && refusesRecord(this.traits, operation.values)) {
      return { status: "rejected", code: "refused", message: "simulated: this note is not allowed here" };
    }
    if (this.traits.idempotentWrites && operation.kind !== "create") {
      if (this.#doneKeys.has(operation.idempotencyKey)) return this.#done(operation.id, now);
    }
    if (operation.kind !== "create" && this.#isHidden(operation.id, now)) return { status: "missing" };
    const conflict = this.#conflictOf(operation, now);
    if (conflict) return conflict;
    if (operation.kind !== "create")
      this.replaced.push(...replacedBy(operation, this.history.last(operation.id), this.vanished?.field));
    const changed = this.changedAt;
    const count = this.#feed.length;
    const before = operation.kind === "create" ? undefined : this.history.last(operation.id);
    const outcome = this.#asAnswered(given, before, this.#apply(operation, now));
    if (this.changedAt !== changed || this.#feed.length !== count) {
      this.writes += 1;
      if (operation.kind !== "create") this.overwritten.push(operation.id);
    }
    if (outcome.status !== "done") return outcome;
    if (operation.kind !== "delete") this.written.push({ id: outcome.id, values: operation.values });
    this.#doneKeys.set(operation.idempotencyKey, outcome.id);
    return outcome;
  }

  /** Whether it is so new that it can't be found by its id yet. */
  #isHidden(id: string, now: number): boolean {
    const made = this.history.first(id);
    return this.traits.hidesNew && made !== undefined && made.at > now - this.traits.lagMs;
  }

  /** Somebody changed the record since it was last read: nothing is written. */
  #conflictOf(operation: WriteOperation, now: number): WriteOutcome | null {
    if (operation.kind === "create" || !operation.expected) return null;
    const shown = this.traits.comparesLate ? this.#shown.record(operation.id, now) : null;
    if (shown && !holdsExpected(operation.expected, shown.values)) return { status: "conflict", record: shown };
    const last = this.history.last(operation.id);
    if (!last || last.deleted || holdsExpected(operation.expected, this.#displayed(last.values))) return null;
    if (shown) return { status: "retry", message: "simulated: the record keeps changing" };
    return { status: "conflict", record: { id: operation.id, ...this.#shown.row(last) } };
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

  /** A write that was done, as this system answers it. */
  #asAnswered(operation: WriteOperation, before: Version | undefined, outcome: WriteOutcome): WriteOutcome {
    const { answers } = this.traits;
    const last = outcome.status === "done" ? this.history.last(outcome.id) : undefined;
    if (!answers || outcome.status !== "done" || !last) return outcome;
    const rows = { before: before ? this.#shown.row(before) : null, now: this.#shown.row(last) };
    return oddAnswer(answers, operation, outcome.id, rows);
  }

  #done(id: string, now: number): WriteOutcome {
    const last = this.history.last(id);
    return {
      status: "done",
      id,
      ...(this.traits.answersStoredValues && last ? { values: this.#displayed(last.values) } : {}),
      ...(this.traits.reportsModifiedAt ? { modifiedAt: this.#shown.timeOf(last ?? { at: now }) } : {}),
    };
  }
}
