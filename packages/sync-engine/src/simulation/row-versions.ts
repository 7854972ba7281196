/** Rows of a made-up system, each with all that it ever was. */
import type { Values } from "@accord/contracts/data/values";

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

  /** Rows that stand, or those that are deleted, as they last were. */
  lastOnes(deleted: boolean): Row[] {
    return this.ids().flatMap((id) => {
      const last = this.last(id);
      return last?.deleted === deleted ? [{ id, values: last.values }] : [];
    });
  }
}
