/**
 * Knows what people did and so what may be true in the end. Each edit has a value of its own and remembers the edit it
 * replaced; what nobody replaced may survive, everything else must not.
 */
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank } from "@accord/expressions";
import type { FakeSystem } from "./systems/fake-system.ts";
import type { FinalState } from "./invariants/final-state.ts";
import { overwrittenEdits } from "./invariants/overwritten-edits.ts";
import { TAG_FIELD } from "./scenario/scenario-fields.ts";
import { EditHistory } from "./scenario/edit-history.ts";
import {
  duplicatesLeft,
  isLeftTwice,
  isThereAsAnother,
  separatedAndDeleted,
} from "./invariants/duplicate-invariants.ts";
import { rowsBesideKept, rowsWithoutDeletions } from "./invariants/kept-rows.ts";
import { changedLists } from "./invariants/unchanged-lists.ts";
import { tagOf } from "./systems/fake-service.ts";
import { EDITED_FIELDS, REFERENCE_FIELD } from "./scenario/pipeline-fixture.ts";
import { editKey, isIgnored } from "./systems/text-rewriting.ts";
import { CHANGING_FIELD, isFit } from "./systems/type-changes.ts";
import { enteredValues, LIST_FIELD, listOf } from "./systems/typed-values.ts";

export interface Verdict {
  lost: string[];
  doubled: string[];
}

type Row = ReturnType<FakeSystem["rows"]>[number];
/** One holder's rows of a contact. */
type Found = readonly [name: string, rows: readonly Values[]];

export class Oracle {
  readonly #judged: FinalState;
  readonly #history: EditHistory;
  readonly #createWithoutKey: string[] = [];
  /** By e-mail: whom people named as boss, by e-mail; null for nobody. */
  readonly #bosses = new Map<string, Set<string | null>>();

  constructor(judged: FinalState) {
    this.#judged = judged;
    this.#history = new EditHistory(judged);
  }

  /** The pipeline is published: what follows is news for it. */
  published(): void {
    this.#history.published();
  }

  /** A value nobody has used, noted as replacing `before`. */
  edit(email: string, field: string, before: string | null, by: string): string {
    return this.#history.edit(email, field, before, by);
  }

  newRow(email: string, by: string, blank: readonly string[] = []): Values {
    const values: Values = { email };
    for (const field of EDITED_FIELDS) if (!blank.includes(field)) values[field] = this.edit(email, field, null, by);
    return this.#judged.scenario.types ? { ...values, [LIST_FIELD]: listOf(email) } : values;
  }

  /** A contact that nobody ever edits, and that has no e-mail. */
  createWithoutKey(email: Value): Values {
    const name = this.#history.newValue();
    this.#createWithoutKey.push(name);
    return { email, name, phone: `phone of ${name}`, note: `about ${name}` };
  }

  /** A person did away with this value, in the system where it was entered. */
  erased(value: string): void {
    this.#history.erased(value);
  }

  named(email: string, boss: string | null): void {
    this.#bosses.set(email, (this.#bosses.get(email) ?? new Set()).add(boss));
  }

  deleted(email: string, system: FakeSystem, isKnown: boolean): void {
    this.#history.deleted(email, system, isKnown);
  }

  isGone = (email: string): boolean => this.#history.isGone(email);

  enteredAgain(email: string): void {
    this.#history.enteredAgain.add(email);
  }

  /** A row that stands for a record which is in every system, of a contact that nobody ever deleted. */
  isSettled(system: FakeSystem, { id, values }: Row): boolean {
    const email = String(values["email"]);
    const { store, systems } = this.#judged;
    const recordId = store.recordAt(systems.indexOf(system) + 1, id);
    const isLive =
      recordId !== null &&
      store.records.get(recordId)?.deleted === false &&
      systems.every((_, index) => store.linkOf(index + 1, recordId)?.dead === false);
    return (
      this.#history.emails.has(email) &&
      this.#history.deletionsOf(email).length === 0 &&
      isLive &&
      !isLeftTwice(this.#judged, email)
    );
  }

  judge(): Verdict {
    this.#history.beginJudging();
    const { lost, doubled } = this.#judgeNamed();
    this.#judgeNameless(lost, doubled);
    lost.push(...overwrittenEdits(this.#judged), ...changedLists(this.#judged));
    return { lost, doubled };
  }

  /** With nothing to find it by, each of them is a thing of its own. */
  #judgeNameless(lost: string[], doubled: string[]): void {
    const holders = this.#holders();
    for (const name of this.#createWithoutKey) {
      for (const [holder, rows] of holders) {
        const own = rows.filter((row) => row["name"] === name);
        const isWhole = own.every(({ email, phone }) => isBlank(email) && phone === `phone of ${name}`);
        if (own.length === 0) lost.push(`${name} without an e-mail is not in ${holder}`);
        else if (own.length > 1) doubled.push(`${name} without an e-mail is ${own.length} times in ${holder}`);
        else if (!isWhole) lost.push(`${name} without an e-mail took over what another one holds`);
      }
    }
  }

  /** Core and systems with what each of them holds, as it was entered. */
  #holders(): [string, Values[]][] {
    const { systems, store, scenario } = this.#judged;
    const core = [...store.records.values()].filter(({ deleted }) => !deleted);
    return [
      ["core", core.map(({ values }) => enteredValues(scenario.types, values))],
      ...systems.map((system): [string, Values[]] => [system.name, system.rows().map(({ values }) => values)]),
    ];
  }

  #judgeNamed(): Verdict {
    const lost: string[] = [];
    const doubled: string[] = [];
    if (this.#judged.scenario.duplicates) {
      for (const recordId of this.#judged.store.records.keys()) lost.push(...this.#judgeRecord(recordId));
      for (const email of this.#history.emails) doubled.push(...duplicatesLeft(this.#judged, email));
      return { lost, doubled };
    }
    const holders = this.#holders();
    for (const email of this.#history.emails) {
      const found = holders.map(([name, rows]): Found => [
        name,
        this.#rowsBeside(email, name) ?? rows.filter((row) => row["email"] === email),
      ]);
      for (const [name, rows] of found) if (rows.length > 1) doubled.push(`${email} ${rows.length} times in ${name}`);
      lost.push(...this.#judgePresence(email, found), ...this.#judgeValues(email, found));
    }
    return { lost, doubled };
  }

  /** What stands beside rows of deleted records, where a contact was deleted before all its rows were known. */
  #rowsBeside(email: string, holder: string): Values[] | null {
    const isKnown = this.#history.deletionsOf(email).every((deletion) => deletion.isKnown);
    return isKnown ? null : rowsBesideKept(this.#judged, holder, email);
  }

  /** Whether the pipeline has to know the contact: what stood still since before it was published, it need not. */
  #isConcerned(email: string, found: readonly Found[]): boolean {
    const { reading } = this.#judged.scenario;
    if (!reading?.startsAtPublication || this.#history.touched.has(email)) return true;
    return this.#judged.systems.some(
      ({ name }, index) =>
        reading.kinds[index] === "listing" && found.some(([holder, rows]) => holder === name && rows.length > 0),
    );
  }

  /** Whether the contact is where it has to be, and gone where it has to be gone. */
  #judgePresence(email: string, found: readonly Found[]): string[] {
    if (!this.#isConcerned(email, found)) return [];
    const present = found.filter(([, rows]) => rows.length > 0).map(([name]) => name);
    const deletions = this.#history.deletionsOf(email);
    const [first] = deletions;
    const isAll = present.length === found.length;
    if (!first || this.#history.enteredAgain.has(email))
      return isAll ? [] : [`${email} is only in ${present.join(", ") || "none"}`];
    const { noDeleteSystems } = this.#judged.scenario;
    if (noDeleteSystems.length === 0) {
      // Deleted before the engine knew all its rows: where it ends is a matter of who was first.
      const isGone = present.length === 0 || !deletions.some(({ isKnown }) => isKnown);
      return isGone ? [] : [`${email} was deleted but is in ${present.join(", ")}`];
    }
    if (deletions.length > 1 || !first.isKnown) return [];
    const own = noDeleteSystems.find(({ system }) => system === first.system);
    const isKept = noDeleteSystems.some(({ system }) => system !== first.system);
    if (!isKept) {
      // A place that gets back what it lost may do so before its deletion was heard of.
      const isRight = present.length === 0 || (own?.recreates === true && isAll);
      return isRight ? [] : [`${email} was deleted but is in ${present.join(", ")}`];
    }
    const missing = found.filter(([, rows]) => rows.length === 0).map(([name]) => name);
    const name = this.#judged.systems[first.system]?.name ?? "";
    const isRight = own?.recreates ? missing.length === 0 : missing.length === 1 && missing[0] === name;
    return isRight ? [] : [`${email} was deleted in ${name} only, and is missing in ${missing.join(", ") || "none"}`];
  }

  /** `recordId`: the record that is judged, where a contact may be several. */
  #judgeValues(email: string, found: readonly Found[], recordId?: string): string[] {
    const present = found.filter(([name, rows]) => rows.length > 0 && !this.#isOfDeleted(name, email));
    const isAll = present.length === found.length;
    if (
      present.length === 0 ||
      (!isAll && (this.#judged.scenario.noDeleteSystems.length === 0 || present[0]?.[0] !== "core"))
    )
      return [];
    const apart = recordId !== undefined && isLeftTwice(this.#judged, email) ? recordId : null;
    const bosses = new Set(present.map(([name, rows]) => this.#emailBehind(name, rows[0]?.[REFERENCE_FIELD] ?? null)));
    return [
      ...EDITED_FIELDS.flatMap((field) => {
        const [, [core] = []] = present.find(([name]) => name === "core") ?? [];
        const holders = present.filter(
          ([name, [row]]) =>
            !this.#isIgnored(name, field) &&
            !this.#isUnfit(name, field, core?.[field]) &&
            !(isBlank(row?.[field]) && this.#history.isErasedUnread(email, field, name)),
        );
        const values = new Set(holders.map(([, rows]) => editKey(rows[0]?.[field])));
        return this.#history.judge(email, field, values, apart);
      }),
      ...this.#judgeBoss(email, bosses),
      ...this.#judgeTag(email, present),
    ];
  }

  /** Where nothing is deleted, a row goes on standing for its deleted record; another one of its key waits for a person. */
  #isOfDeleted(holder: string, email: string): boolean {
    const [row] = rowsWithoutDeletions(this.#judged, holder, email) ?? [];
    return row?.isOfDeleted === true;
  }

  /** What is no number is left out where a column takes nothing else. */
  #isUnfit(holder: string, field: string, value: Value | undefined): boolean {
    const hasNumbers = this.#judged.systems.find(({ name }) => name === holder)?.hasNumbers === true;
    return hasNumbers && field === CHANGING_FIELD && !isFit(value);
  }

  #isIgnored(holder: string, field: string): boolean {
    const { systems, scenario } = this.#judged;
    return isIgnored(
      scenario.texts,
      systems.findIndex(({ name }) => name === holder),
      field,
    );
  }

  /** Contact behind a reference, in a system or in the core. */
  #emailBehind(holder: string, reference: Values[string]): string | null {
    if (reference === null || reference === undefined) return null;
    const { systems, store } = this.#judged;
    const id = String(reference);
    if (holder === "core") return String(store.records.get(id)?.values["email"] ?? `nobody (${id})`);
    const system = systems.find(({ name }) => name === holder);
    return String(system?.rows().find((row) => row.id === id)?.values["email"] ?? `nobody (${id})`);
  }

  #judgeBoss(email: string, bosses: ReadonlySet<string | null>): string[] {
    if (!this.#judged.scenario.hasReferences) return [];
    const [boss = null] = bosses;
    // A boss whose duplicates are left alone can't be everywhere, and so can't be named everywhere.
    const isWaiting = boss !== null && isLeftTwice(this.#judged, boss);
    if (bosses.size !== 1 && !isWaiting) return [`${email}.${REFERENCE_FIELD} differs: ${[...bosses].join(", ")}`];
    const named = this.#bosses.get(email) ?? new Set([null]);
    return boss === null || named.has(boss) ? [] : [`${email}.${REFERENCE_FIELD} is ${boss}, whom nobody named`];
  }

  /** What a lookup on the way found out is everywhere. */
  #judgeTag(email: string, present: readonly Found[]): string[] {
    if (!this.#judged.scenario.actionOptions) return [];
    return present.flatMap(([name, rows]) =>
      rows[0]?.[TAG_FIELD] === tagOf(email) ? [] : [`${email} has no tag in ${name}`],
    );
  }

  /** A live record is at each place, by its link, with the values of the core. */
  #judgeRecord(recordId: string): string[] {
    const { systems, store } = this.#judged;
    const record = store.records.get(recordId);
    if (!record || record.deleted || isBlank(record.values["email"])) return [];
    if (store.isSeparated(recordId)) return separatedAndDeleted(this.#judged, recordId);
    const email = String(record.values["email"]);
    const found: Found[] = [["core", [record.values]]];
    for (const [index, system] of systems.entries()) {
      const link = store.linkOf(index + 1, recordId);
      const row = system.rows().find(({ id }) => id === link?.externalId);
      if (row && !link?.dead) found.push([system.name, [row.values]]);
      // Asked whether it has the contact already, a place that holds another row of it says yes.
      else if (!isLeftTwice(this.#judged, email) && !isThereAsAnother(this.#judged, recordId, index + 1))
        return [`${email} (${recordId}) is not in ${system.name}`];
    }
    return this.#judgeValues(email, found.length <= systems.length ? [] : found, recordId);
  }
}
