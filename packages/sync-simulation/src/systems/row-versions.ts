/** Rows of a fake system, each with all that it ever was. */
import type { Value, Values } from "@accord/contracts/data/values";
import { sameValue } from "@accord/expressions";

export interface Version {
  at: number;
  values: Values;
  deleted: boolean;
  /** Time of change that it has brought along, as a restored or imported row does; else it is stamped here. */
  stamp?: number;
}

export interface Row {
  id: string;
  values: Values;
}

export class RowVersions {
  readonly #versions = new Map<string, Version[]>();

  add(id: string, version: Version): void {
    this.#versions.set(id, [...(this.#versions.get(id) ?? []), version]);
  }

  ids(): string[] {
    return [...this.#versions.keys()];
  }

  first(id: string): Version | undefined {
    return this.#versions.get(id)?.[0];
  }

  last(id: string): Version | undefined {
    return this.#versions.get(id)?.at(-1);
  }

  /** As it was at a moment, milliseconds. */
  asOf(id: string, moment: number): Version | undefined {
    return this.#versions.get(id)?.findLast(({ at }) => at <= moment);
  }

  /** When a field of a row first held a value, milliseconds; null: never, or not in this spelling. */
  firstHeld(id: string, field: string, value: Value): number | null {
    return this.#versions.get(id)?.find(({ values }) => sameValue(values[field], value))?.at ?? null;
  }

  /** Rows that stand, or those that are deleted, as they last were. */
  lastOnes(deleted: boolean): Row[] {
    return this.ids().flatMap((id) => {
      const last = this.last(id);
      return last?.deleted === deleted ? [{ id, values: last.values }] : [];
    });
  }
}
