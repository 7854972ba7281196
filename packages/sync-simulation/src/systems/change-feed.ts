/** Changes of a fake system in their order: what pages of changes walk along. */
import type { ReadPage, SourceRecord } from "@accord/connector-sdk";

interface Change {
  at: number;
  id: string;
}

export class ChangeFeed {
  readonly #changes: Change[] = [];

  get length(): number {
    return this.#changes.length;
  }

  note(change: Change): void {
    this.#changes.push(change);
  }

  /** Changes up to a moment. */
  until(moment: number): Change[] {
    return this.#changes.filter(({ at }) => at <= moment);
  }

  /** Position of the first change from this moment of true time on: a mark that a feed hands out. */
  from(start: number): number {
    const index = this.#changes.findIndex(({ at }) => at >= start);
    return index < 0 ? this.#changes.length : index;
  }

  /** The page from a position on, of what could be seen at a moment; `shown`: the record as it is told. */
  page(from: number, size: number, visible: number, shown: (id: string) => SourceRecord | null): ReadPage {
    let to = from;
    const records: SourceRecord[] = [];
    for (const entry of this.#changes.slice(from, from + size)) {
      if (entry.at > visible) break;
      const record = shown(entry.id);
      if (record) records.push(record);
      to += 1;
    }
    const next = this.#changes[to];
    return { records, cursor: to, drained: !next || next.at > visible };
  }
}
