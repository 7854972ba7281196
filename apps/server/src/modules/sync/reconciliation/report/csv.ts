/** Differences as a CSV file that spreadsheets open without running anything. */
import { Readable } from "node:stream";
import type { Value } from "@accord/contracts/data/values";
import { textOf } from "@accord/expressions";

/** A cell that begins like this would be a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A number stays one: its sign is no formula. */
const NUMBER = /^-?\d+(\.\d+)?$/;

export function csvCell(value: Value): string {
  const text = typeof value === "object" && value !== null ? JSON.stringify(value) : textOf(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (values: readonly Value[]): string => `${values.map(csvCell).join(",")}\r\n`;

/** The header, then pages of rows as they are read. */
export function csvStream(header: readonly string[], pages: AsyncIterable<readonly (readonly Value[])[]>): Readable {
  async function* lines(): AsyncGenerator<string> {
    yield `\ufeff${csvLine(header)}`;
    for await (const rows of pages) yield rows.map(csvLine).join("");
  }
  return Readable.from(lines());
}
