/** What people entered, field by field, and whether what became of it is right: kept, refused for a reason, or replaced. */
import type { FakeSystem } from "../systems/fake-system.ts";
import { editOf, editsInLedger, type LedgerEdits } from "./ledger-edits.ts";
import type { FinalState } from "../invariants/final-state.ts";
import { editKey, enteredText } from "../systems/text-rewriting.ts";
import { CHANGING_FIELD, enteredForm } from "../systems/type-changes.ts";

interface Edit {
  value: string;
  /** Value that was replaced. */
  before: string | null;
  by: string;
  /** Place in the order of all that people did. */
  order: number;
  /** Made before the pipeline was published. */
  isHistory: boolean;
}

export interface Deletion {
  system: number;
  /** The engine knew every row of the contact. */
  isKnown: boolean;
  order: number;
}

export class EditHistory {
  readonly #judged: FinalState;
  readonly #edits = new Map<string, Edit[]>();
  readonly #deletions = new Map<string, Deletion[]>();
  readonly #erased = new Set<string>();
  readonly emails = new Set<string>();
  /** Contacts that somebody entered again after their deletion had come everywhere. */
  readonly enteredAgain = new Set<string>();
  /** Contacts that were entered or edited since the pipeline was published. */
  readonly touched = new Set<string>();
  #ledger: LedgerEdits = { accepted: new Map(), refused: new Set(), restored: new Set() };
  #isPublished = false;
  #count = 0;

  constructor(judged: FinalState) {
    this.#judged = judged;
  }

  /** The pipeline is published: what follows is news for it. */
  published(): void {
    this.#isPublished = true;
  }

  /** A value nobody has used. */
  newValue(): string {
    this.#count += 1;
    return `e${this.#count}`;
  }

  /** The text that is entered for it. */
  edit(email: string, field: string, before: string | null, by: string): string {
    const value = this.newValue();
    const key = `${email}|${field}`;
    const edits = this.#edits.get(key) ?? [];
    const replaced = before === null ? null : editKey(before);
    edits.push({ value, before: replaced, by, order: this.#count, isHistory: !this.#isPublished });
    this.#edits.set(key, edits);
    this.emails.add(email);
    if (this.#isPublished) this.touched.add(email);
    const { scenario, systems } = this.#judged;
    if (scenario.typeChange && field === CHANGING_FIELD)
      return enteredForm(value, systems.find(({ name }) => name === by)?.hasNumbers === true);
    return enteredText(scenario.texts, field, value);
  }

  /** A person did away with this value, in the system where it was entered. */
  erased(value: string): void {
    this.#erased.add(editKey(value));
  }

  /**
   * The latest of a field's edits was made in this system and done away with there before anybody read it: where it was
   * stands a blank that is later than what everybody else has.
   */
  isErasedUnread(email: string, field: string, system: string): boolean {
    const last = this.#edits.get(`${email}|${field}`)?.at(-1);
    if (!last || last.by !== system || !this.#erased.has(last.value)) return false;
    return !this.#ledger.accepted.has(last.value) && !this.#ledger.refused.has(last.value);
  }

  deleted(email: string, system: FakeSystem, isKnown: boolean): void {
    this.#count += 1;
    const deletion = { system: this.#judged.systems.indexOf(system), isKnown, order: this.#count };
    this.#deletions.set(email, [...this.deletionsOf(email), deletion]);
  }

  deletionsOf(email: string): readonly Deletion[] {
    return this.#deletions.get(email) ?? [];
  }

  /** Whether every row of the contact was known when it was deleted. */
  isGone(email: string): boolean {
    const deletions = this.deletionsOf(email);
    return deletions.length > 0 && deletions.every(({ isKnown }) => isKnown);
  }

  /** What follows is judged by the ledger as it stands. */
  beginJudging(): void {
    // What a system shows to nobody goes unseen where its record is deleted.
    for (const { isHidden, value } of this.#judged.systems.flatMap(({ replaced }) => replaced))
      if (isHidden) this.erased(String(value));
    this.#ledger = editsInLedger(this.#judged.store.ledger, this.#judged.scenario.types);
  }

  /**
   * `values`: what all who hold the contact have in this field. `apart`: its record, where another one of the same
   * contact is left beside it.
   */
  judge(email: string, field: string, values: ReadonlySet<string>, apart: string | null): string[] {
    const [value] = values;
    if (values.size !== 1 || value === undefined) return [`${email}.${field} differs: ${[...values].join(", ")}`];
    const edits = this.#edits.get(`${email}|${field}`) ?? [];
    // Somebody entered it twice, once without this field: where the two stay apart, so does the blank.
    const isOver = (edit: Edit): boolean => this.#isUndone(email, edit, edits) || this.#ledger.refused.has(edit.value);
    if (value === "" && (edits.every(isOver) || apart !== null)) return [];
    const final = edits.find((edit) => edit.value === value);
    if (!final) return [`${email}.${field} is ${value}, which nobody entered`];
    const faults = edits.flatMap((edit) => this.#judgeEdit(email, field, edit, edits));
    const isReplaced = edits.some(
      (edit) => this.#hasComeTo(apart, edit) && replaces(edit, final, edits) && !this.#isOutranked(field, edit),
    );
    if (!isReplaced || this.#ledger.restored.has(final.value)) return faults;
    return [...faults, `${email}.${field} is ${value}, an edit that was replaced`];
  }

  /** Whether an edit came in; where another record of the contact is left beside this one: whether it came to this one. */
  #hasComeTo(apart: string | null, { value }: Edit): boolean {
    const { merges } = this.#judged.store;
    const recordIds = [...(this.#ledger.accepted.get(value) ?? [])];
    return apart === null ? recordIds.length > 0 : recordIds.some((id) => (merges.winnerOf(id) ?? id) === apart);
  }

  /** By rank, a merge may prefer another record's value: the merge keeps this one, and taking it back restores it. */
  #isOutranked(field: string, { value }: Edit): boolean {
    const { authority, scenario, store } = this.#judged;
    if (authority !== "RANKED") return false;
    return store.merges.kept.some(
      ({ status, before }) =>
        status === "MERGED" &&
        [...before.values()].some(({ values }) => editOf(scenario.types, field, values[field]) === value),
    );
  }

  /** Every edit came in or was refused for a reason, unless a person did away with it where it was made. */
  #judgeEdit(email: string, field: string, edit: Edit, edits: readonly Edit[]): string[] {
    const isKnown = this.#ledger.accepted.has(edit.value) || this.#ledger.refused.has(edit.value);
    // What stood still since before the pipeline was published is none of its business.
    if (edit.isHistory && this.#judged.scenario.reading?.startsAtPublication) return [];
    if (isKnown || this.#isUndone(email, edit, edits)) return [];
    return [`${email}.${field}: ${edit.value} by ${edit.by} was lost unseen`];
  }

  /** A person did away with it where it was made: replaced, emptied or deleted there. */
  #isUndone(email: string, edit: Edit, edits: readonly Edit[]): boolean {
    const isReplaced = edits.some(({ before, by }) => by === edit.by && before === edit.value);
    return this.#erased.has(edit.value) || isReplaced || this.#isDeletedByPerson(email, edit);
  }

  #isDeletedByPerson(email: string, { by, order }: Edit): boolean {
    const index = this.#judged.systems.findIndex(({ name }) => name === by);
    return this.deletionsOf(email).some((deletion) => deletion.system === index && deletion.order > order);
  }
}

/** Whether an edit was made on top of another one, or of one that was. */
function replaces(edit: Edit, earlier: Edit, edits: readonly Edit[]): boolean {
  for (let next: Edit | undefined = edit, steps = 0; next && next !== earlier && steps <= edits.length; steps += 1) {
    const { before }: Edit = next;
    if (before === earlier.value) return true;
    next = edits.find(({ value }) => value === before);
  }
  return false;
}
