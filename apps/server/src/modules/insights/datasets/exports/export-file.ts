/** What the files of exports have in common: their columns, the kinds of their values, and why one can't be made. */
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import { insights } from "@accord/contracts/messages/en/insights";
import { fill } from "@accord/contracts/messages/fill";
import type { RawRow } from "../../engine/index.ts";

export type CellKind = "text" | "number" | "boolean" | "date" | "moment";

/** Makes a file piece by piece; each call answers the bytes that are ready. */
export interface ExportFile {
  header(): Uint8Array[];
  /** @throws ExportRefusal */
  rows(rows: readonly RawRow[], kinds: readonly CellKind[]): Uint8Array[];
  end(): Uint8Array[];
}

export type FailureReason = keyof typeof insights.exports.failed;

/** The file can't be made; the message says why and what to do. */
export class ExportRefusal extends Error {
  override readonly name = "ExportRefusal";
  constructor(reason: FailureReason, facts: Record<string, string | number> = {}) {
    super(fill(insights.exports.failed[reason], facts));
  }
}

/** As people write it. */
export const readable = (number: number): string => number.toLocaleString("en");

/** Object ids of PostgreSQL's types: integers, floating point and numeric; boolean; date; timestamps without and with a zone. */
const KINDS: ReadonlyMap<number, CellKind> = new Map([
  ...[20, 21, 23, 700, 701, 1700].map((type) => [type, "number"] as const),
  [16, "boolean"],
  [1082, "date"],
  [1114, "moment"],
  [1184, "moment"],
]);

export const kindOfType = (type: number): CellKind => KINDS.get(type) ?? "text";

const MOMENTS: ReadonlySet<string> = new Set(["datetime", "timestamp"]);

/** The heading of a column; of one with times it names their zone. */
export const headingOf = ({ displayName, dataType }: DatasetColumn): string =>
  MOMENTS.has(dataType) ? `${displayName} (UTC)` : displayName;

/** `2026-11-21 10:26:27.1234+00` → `2026-11-21T10:26:27.1234Z`; what is no time of a calendar stays as it is. */
export const isoMoment = (text: string): string =>
  text.replace(/^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00)?$/, "$1T$2Z");

/** Texts with the names that people know ids of choices by; lists of them are JSON. */
export function labeled(text: string, labels: Readonly<Record<string, string>> | undefined): string {
  if (!labels) return text;
  const named = (one: string): string => labels[one] ?? one;
  if (!text.startsWith("[") || Object.hasOwn(labels, text)) return named(text);
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) return text;
  return JSON.stringify(list.map((one: unknown) => (typeof one === "string" ? named(one) : one)));
}

/** A text that a spreadsheet would compute. */
export const isFormulaLike = (text: string): boolean => /^[=+\-@\t\r]/.test(text);
