/** Days and moments as a spreadsheet counts them: days since 30 December 1899, with the time of day as a fraction. */
import { isDay, momentInZone, timeInZone } from "@accord/connector-sdk";

const DAY_MS = 86_400_000;
const DAY_US = DAY_MS * 1000;
const EPOCH_MS = Date.UTC(1899, 11, 30);

/** `YYYY-MM-DD`; null for a number that is no whole day of the calendar. */
export function dayOf(serial: number): string | null {
  if (!Number.isInteger(serial)) return null;
  const date = new Date(EPOCH_MS + serial * DAY_MS);
  const day = Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10);
  return isDay(day) ? day : null;
}

export const serialOfDay = (day: string): number => (Date.parse(`${day}T00:00:00Z`) - EPOCH_MS) / DAY_MS;

/** Fractions of days are no round numbers: a time is the nearest millionth of a second. */
function localTimeOf(serial: number): { iso: string; micros: string } | null {
  const whole = Math.floor(serial);
  const micros = Math.round((serial - whole) * DAY_US);
  const date = new Date(EPOCH_MS + whole * DAY_MS + Math.floor(micros / 1000));
  if (Number.isNaN(date.getTime()) || !isDay(date.toISOString().slice(0, 10))) return null;
  return { iso: date.toISOString(), micros: String(micros % 1000).padStart(3, "0") };
}

const withMicros = (iso: string, micros: string): string => (micros === "000" ? iso : `${iso.slice(0, -1)}${micros}Z`);

/** A cell's local time as a moment; null for a number that is none of the calendar. */
export function momentOf(serial: number, zone: string): string | null {
  const local = localTimeOf(serial);
  return local === null ? null : withMicros(momentInZone(local.iso, zone), local.micros);
}

/** null for the moments that clocks of the zone show twice: a cell could not say which one is meant. */
export function serialOfMoment(moment: string, zone: string): number | null {
  const [, head = "", micros = "000"] = /^(.*\.\d{3})(\d{3})?Z$/.exec(moment) ?? [];
  const iso = `${head}Z`;
  const local = `${timeInZone(iso, zone, "end")}Z`;
  if (momentInZone(local, zone) !== iso) return null;
  const ms = Date.parse(local) - EPOCH_MS;
  const whole = Math.floor(ms / DAY_MS);
  return whole + ((ms - whole * DAY_MS) * 1000 + Number(micros)) / DAY_US;
}
