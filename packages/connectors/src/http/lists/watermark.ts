/** Moments by which a list is asked for changes: by the system's own clock, in the form its API wants. */
import { timeInZone } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { Value } from "@accord/contracts/data/values";

export interface SourceClock {
  /** ISO. */
  now: string;
  /** Told by the system; else it is our own. */
  isSource: boolean;
}

export function clockOf(headers: Readonly<Record<string, string>>, now: Date): SourceClock {
  const told = Date.parse(headers["date"] ?? "");
  return Number.isNaN(told)
    ? { now: now.toISOString(), isSource: false }
    : { now: new Date(told).toISOString(), isSource: true };
}

/** Where history begins for a first read, by the system's clock and less the overlap: `since` is by ours. */
export function firstMoment(since: Date, clock: SourceClock, now: Date, overlapSeconds: number): string {
  const difference = clock.isSource ? Date.parse(clock.now) - now.getTime() : 0;
  return new Date(since.getTime() + difference - overlapSeconds * 1000).toISOString();
}

export function watermarkFacts(
  entity: HttpEntityConfig,
  since: string | null,
  until: Date | null,
): { query: Record<string, string>; facts: { [name: string]: Value } } {
  const { watermark } = entity.list;
  const { timeZone } = entity;
  const start = since && watermark ? formatted(since, watermark.format, { timeZone, bound: "start" }) : null;
  const end = until && watermark ? formatted(until.toISOString(), watermark.format, { timeZone, bound: "end" }) : null;
  const query: Record<string, string> = {};
  if (watermark && watermark.param !== "" && start !== null) query[watermark.param] = String(start);
  if (watermark && watermark.untilParam !== "" && end !== null) query[watermark.untilParam] = String(end);
  return { query, facts: { watermark: { start, end } } };
}

interface Asked {
  timeZone: string;
  bound: "start" | "end";
}

/** Of another zone the API is told what clocks show there, as it tells it itself. */
function formatted(iso: string, format: string, { timeZone, bound }: Asked): string | number {
  if (format === "epochSeconds") return Math.floor(Date.parse(iso) / 1000);
  if (format === "epochMilliseconds") return Date.parse(iso);
  const moment = format === "isoSeconds" && bound === "end" ? nextFullSecond(iso) : iso;
  const shown = timeZone === "UTC" ? moment : timeInZone(moment, timeZone, bound);
  if (format === "isoSeconds") return withoutFraction(shown);
  return format === "date" ? shown.slice(0, 10) : shown;
}

const withoutFraction = (iso: string): string => iso.replace(/\.\d+/, "");
/** An end that is cut off would leave out what was changed within its second. */
const nextFullSecond = (iso: string): string => new Date(Math.ceil(Date.parse(iso) / 1000) * 1000).toISOString();
