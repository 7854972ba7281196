/** What the files of exports have in common: their columns, the kinds of their values, and why one can't be made. */
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import { insights } from "@accord/contracts/messages/en/insights";
import type { Value } from "@accord/contracts/data/values";
import pg from "pg";
import { fillFacts, type RawRow } from "../../engine/index.ts";

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
    super(fillFacts(insights.exports.failed[reason], facts));
  }
}

/** As people write it. */
export const readable = (number: number): string => number.toLocaleString("en");

const { INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, BOOL, DATE, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;
const KINDS: ReadonlyMap<number, CellKind> = new Map([
  ...[INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC].map((type) => [type, "number"] as const),
  [BOOL, "boolean"],
  [DATE, "date"],
  [TIMESTAMP, "moment"],
  [TIMESTAMPTZ, "moment"],
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
  if (Object.hasOwn(labels, text)) return labels[text]!;
  if (!text.startsWith("[")) return text;
  const list = JSON.parse(text) as Value[];
  return JSON.stringify(list.map((one) => (typeof one === "string" ? (labels[one] ?? one) : one)));
}

/** A text that a spreadsheet would compute. */
export const isFormulaLike = (text: string): boolean => /^[=+\-@\t\r]/.test(text);
