/** An export as CSV: RFC 4180, UTF-8 with a byte order mark, every digit, and nothing that a spreadsheet would compute. */
import { EXPORT_LIMITS } from "@accord/contracts/insights/dataset-exports";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import type { RawRow } from "../../engine/index.ts";
import {
  type CellKind,
  type ExportFile,
  ExportRefusal,
  headingOf,
  isFormulaLike,
  isoMoment,
  labeled,
  readable,
} from "./export-file.ts";

export function csvFile(columns: readonly DatasetColumn[], maxRows: number = EXPORT_LIMITS.csvRows): ExportFile {
  const labels = columns.map((column) => column.labels);
  let written = 0;
  return {
    header: () => [Buffer.from(`\ufeff${csvLine(columns.map((column) => csvCell(headingOf(column), "text")))}`)],
    rows(rows, kinds) {
      written += rows.length;
      if (written > maxRows) throw new ExportRefusal("csv_rows", { limit: readable(maxRows) });
      const line = (row: RawRow): string =>
        csvLine(row.map((cell, index) => csvCell(cell === null ? null : labeled(cell, labels[index]), kinds[index])));
      return [Buffer.from(rows.map(line).join(""))];
    },
    end: () => [],
  };
}

const csvLine = (cells: readonly string[]): string => `${cells.join(",")}\r\n`;

/** No value is nothing; an empty text is a pair of quotes. */
export function csvCell(value: string | null, kind: CellKind = "text"): string {
  if (value === null) return "";
  if (kind === "boolean") return value === "t" ? "true" : "false";
  if (kind === "moment") return isoMoment(value);
  if (kind !== "text") return value;
  if (value === "") return '""';
  const safe = isFormulaLike(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
