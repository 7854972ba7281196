/** Records of sources that were quarantined, in memory: by place and external id, until they get through. */
import type { SourceRecord } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import type { CommitBatch, OpenQuarantine, ResolveRequest } from "@accord/sync-engine/run";
import { at, placeOf } from "./memory-tables.ts";

interface Entry extends OpenQuarantine {
  payload: Values | null;
  /** A person asked to have it tried again. */
  isToTry: boolean;
}

export class MemoryQuarantine {
  readonly #entries = new Map<string, Entry>();

  /** Place and external id of each. */
  keys(): string[] {
    return [...this.#entries.keys()];
  }

  has(placeId: number, externalId: string): boolean {
    return this.#entries.has(at(placeId, externalId));
  }

  toTry(): number {
    return [...this.#entries.values()].filter(({ isToTry }) => isToTry).length;
  }

  write({ placeId, quarantine, settled }: CommitBatch): void {
    for (const externalId of settled) this.#entries.delete(at(placeId, externalId));
    for (const { direction, externalId, payload, knownUntil = null, modifiedAt = null } of quarantine) {
      if (direction !== "source" || externalId === null) continue;
      const key = at(placeId, externalId);
      const open = this.#entries.get(key);
      const known = open ? open.knownUntil : knownUntil;
      this.#entries.set(key, { payload, isToTry: false, knownUntil: known, modifiedAt });
    }
  }

  /** Those of a page. */
  among({ placeId, records }: ResolveRequest): Map<string, OpenQuarantine> {
    return new Map(
      records.flatMap(({ externalId: id }): [string, OpenQuarantine][] => {
        const entry = this.#entries.get(at(placeId, id));
        return entry ? [[id, { knownUntil: entry.knownUntil, modifiedAt: entry.modifiedAt }]] : [];
      }),
    );
  }

  tryAgain(): void {
    for (const entry of this.#entries.values()) entry.isToTry = true;
  }

  /** Records of a place that are to be tried again, as far as it is known how they came. */
  againAt(placeId: number): SourceRecord[] {
    return [...this.#entries].flatMap(([key, { isToTry, payload }]) => {
      const [place, id] = placeOf(key);
      return place === placeId && isToTry ? [{ id, values: payload ?? {} }] : [];
    });
  }
}
