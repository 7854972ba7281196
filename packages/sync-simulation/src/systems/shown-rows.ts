/** What a fake system shows of its rows: late, in its own values, and with times of change by its own clock. */
import type { Cursor, ReadPage, SourceRecord } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import type { ShownRow } from "./odd-answers.ts";
import type { VisibleRow } from "./row-passes.ts";
import type { RowVersions, Version } from "./row-versions.ts";
import { moment, type SystemClock } from "./system-clock.ts";
import type { SystemTraits } from "./system-traits.ts";

interface RowParts {
  traits: SystemTraits;
  history: RowVersions;
  clock: SystemClock;
  /** Values of a row as readers get them. */
  valuesOf: (values: Values) => Values;
}

export class ShownRows {
  readonly #parts: RowParts;

  constructor(parts: RowParts) {
    this.#parts = parts;
  }

  /** As the row looked when readers were last let see. */
  record(id: string, now: number): SourceRecord | null {
    const version = this.#versionAt(id, now);
    if (!version) return null;
    const { values, modifiedAt } = this.row(version);
    return { id, values, deleted: version.deleted, ...(modifiedAt === undefined ? {} : { modifiedAt }) };
  }

  /** Likewise, for passes over all rows. */
  visible(id: string, now: number): VisibleRow | null {
    const version = this.#versionAt(id, now);
    const record = this.record(id, now);
    return version && record ? { record, changedAt: this.#stampOf(version) } : null;
  }

  /** A version of a row, with its time of change where the system has such times. */
  row(version: Version): ShownRow {
    const { traits, valuesOf } = this.#parts;
    const values = valuesOf(version.values);
    return traits.reportsModifiedAt ? { values, modifiedAt: this.timeOf(version) } : { values };
  }

  timeOf(version: Pick<Version, "at" | "stamp">): string {
    return moment(this.#stampOf(version));
  }

  /** A page of the rows that stand, or of those of them that last changed in a span of time, by this system's clock. */
  list(cursor: Cursor, now: number, span: { since: string | null; until: string | null }): ReadPage {
    const { traits, history } = this.#parts;
    const ids = history.ids().sort();
    const from = cursor === null ? 0 : ids.findIndex((id) => id > String(cursor));
    const page = from < 0 ? [] : ids.slice(from, from + traits.pageSize);
    const isWithin = (id: string): boolean => {
      const changedAt = this.timeOf(history.last(id) ?? { at: 0 });
      return (span.since === null || changedAt >= span.since) && (span.until === null || changedAt <= span.until);
    };
    const shown = page.filter(isWithin).flatMap((id) => this.record(id, now) ?? []);
    const records = shown.filter(({ deleted }) => !deleted);
    const last = page.at(-1) ?? cursor ?? "";
    return { records, cursor: last, drained: page.length < traits.pageSize };
  }

  #versionAt(id: string, now: number): Version | undefined {
    const { traits, history } = this.#parts;
    return history.asOf(id, now - traits.lagMs);
  }

  #stampOf({ at, stamp }: Pick<Version, "at" | "stamp">): number {
    return stamp ?? this.#parts.clock.timeAt(at);
  }
}
