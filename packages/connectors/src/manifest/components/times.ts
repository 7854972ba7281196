/** Times and durations as manifests write them: what is none gives a sentence or nothing, never an error of a template. */
import { assertFormat, parseMoment } from "../template/moment-format.ts";
import { Moment, parseDuration, parseIso, type Duration } from "../template/moments.ts";
import { TemplateError } from "../template/errors.ts";
import type { Build } from "./model.ts";

/** The first format that fits; ISO 8601 beside them. A time without a zone is one of UTC. */
export function momentIn(text: string, formats: readonly string[]): Moment | null {
  for (const read of [...formats.map((format) => () => parseMoment(text, format)), () => parseIso(text)]) {
    const moment = withinCalendar(read);
    if (moment) return new Moment(moment.ms, { micros: moment.micros });
  }
  return null;
}

/** What lies outside the calendar in one format may be a time in another: seconds and microseconds are both digits. */
export const withinCalendar = (work: () => Moment | null): Moment | null => attempt(work, () => null);

/** A code that is not known is named when the manifest is looked at, not with each record. */
export const assertReadable = (format: string, build: Build): void =>
  attempt(
    () => assertFormat(format),
    (reason) => {
      throw build.problem(`the format "${format.slice(0, 60)}" can't be used: ${reason}`);
    },
  );

export const readDuration = (text: string, build: Build): Duration =>
  attempt(
    () => parseDuration(text),
    (reason) => {
      throw build.problem(reason);
    },
  );

function attempt<Result>(work: () => Result, otherwise: (reason: string) => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof TemplateError) return otherwise(error.message);
    throw error;
  }
}
