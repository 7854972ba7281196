/**
 * Knows what people did and so what may be true in the end. Each edit has a value of its own and remembers the edit it
 * replaced; what nobody replaced may survive, everything else must not.
 */
import type { Values } from "@accord/contracts/data/values";
import type { FakeSystem } from "./fake-system.ts";
import type { MemoryStore } from "./memory-store.ts";
import { type Authority, EDITED_FIELDS } from "./scenario.ts";

interface Edit {
  value: string;
  /** Value that was replaced. */
  before: string | null;
  by: string;
}

export interface Verdict {
  lost: string[];
  doubled: string[];
}

export class Oracle {
  readonly #edits = new Map<string, Edit[]>();
  /** By e-mail: somebody deleted a row that the engine knew. */
  readonly #gone = new Set<string>();
  /** Deleted before the engine knew all its rows: where it ends is a matter of who was first. */
  readonly #maybeGone = new Set<string>();
  readonly #emails = new Set<string>();
  #count = 0;

  /** A value nobody has used, noted as replacing `before`. */
  edit(email: string, field: string, before: string | null, by: string): string {
    this.#count += 1;
    const value = `e${this.#count}`;
    const key = `${email}|${field}`;
    const edits = this.#edits.get(key) ?? [];
    edits.push({ value, before: before?.toLowerCase() ?? null, by });
    this.#edits.set(key, edits);
    this.#emails.add(email);
    return value;
  }

  newRow(email: string, by: string): Values {
    const values: Values = { email };
    for (const field of EDITED_FIELDS) values[field] = this.edit(email, field, null, by);
    return values;
  }

  deleted(email: string, isKnown: boolean): void {
    (isKnown ? this.#gone : this.#maybeGone).add(email);
  }

  /** Nobody ever deleted this contact. */
  isSettled(email: string): boolean {
    return this.#emails.has(email) && !this.#gone.has(email) && !this.#maybeGone.has(email);
  }

  judge(systems: readonly FakeSystem[], store: MemoryStore, authority: Authority): Verdict {
    const lost: string[] = [];
    const doubled: string[] = [];
    const core = [...store.records.values()].filter(({ deleted }) => !deleted).map(({ values }) => values);
    const holders: [string, Values[]][] = [
      ["core", core],
      ...systems.map((system): [string, Values[]] => [system.name, system.rows().map(({ values }) => values)]),
    ];
    for (const email of this.#emails) {
      const found = holders.map(([name, rows]) => [name, rows.filter((row) => row["email"] === email)] as const);
      for (const [name, rows] of found) if (rows.length > 1) doubled.push(`${email} ${rows.length} times in ${name}`);
      const present = found.filter(([, rows]) => rows.length > 0).map(([name]) => name);
      if (this.#gone.has(email)) {
        if (present.length > 0) lost.push(`${email} was deleted but is in ${present.join(", ")}`);
      } else if (this.#maybeGone.has(email)) {
        continue;
      } else if (present.length !== holders.length) {
        lost.push(`${email} is only in ${present.join(", ") || "none"}`);
      } else {
        for (const field of EDITED_FIELDS) {
          const values = new Set(found.map(([, rows]) => String(rows[0]?.[field] ?? "").toLowerCase()));
          if (present.length > 0) lost.push(...this.#judgeField(email, field, values, systems, authority));
        }
      }
    }
    return { lost, doubled };
  }

  #judgeField(
    email: string,
    field: string,
    values: ReadonlySet<string>,
    systems: readonly FakeSystem[],
    authority: Authority,
  ): string[] {
    const [value] = values;
    if (values.size !== 1 || value === undefined) return [`${email}.${field} differs: ${[...values].join(", ")}`];
    const edits = this.#edits.get(`${email}|${field}`) ?? [];
    const replaced = new Set(edits.map(({ before }) => before));
    const standing = edits.filter((edit) => !replaced.has(edit.value));
    // Ranked: whoever is more trusted is never overruled by the others, though they edit later.
    const trusted = ["hand", ...systems.map(({ name }) => name)];
    const ranked =
      authority === "RANKED" ? trusted.map((_, rank) => edits.filter(({ by }) => trusted.indexOf(by) <= rank)) : [];
    // A system that respells in silence looks like somebody editing: any edit may win over it or lose to it.
    const isRespelled = systems.some(({ traits }) => traits.respells);
    if (field === "note" && isRespelled && edits.some((edit) => edit.value === value)) return [];
    const allowed = [...standing, ...ranked.flatMap(unreplacedAmong)];
    return allowed.some((edit) => edit.value === value)
      ? []
      : [`${email}.${field} is ${value}, an edit that was replaced`];
  }
}

function unreplacedAmong(edits: readonly Edit[]): Edit[] {
  const replaced = new Set(edits.map(({ before }) => before));
  return edits.filter((edit) => !replaced.has(edit.value));
}
