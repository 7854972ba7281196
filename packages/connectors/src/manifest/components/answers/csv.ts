/** CSV with a header, as RFC 4180 has it: one object a row, each value a text. */
import { ConnectorError } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import type { BadPart } from "../model.ts";

/** Short texts may hold very many empty values. */
const MAX_COLUMNS = 5_000;
const MAX_VALUES = 5_000_000;
const EXCERPT = 300;

/** A row with more values than names is handed to `onBad`, else it is an error. */
export function parseCsv(text: string, delimiter: string, onBad?: (bad: BadPart) => void): Value[] {
  const rows = rowsOf(text.replace(/^\uFEFF/, ""), delimiter);
  const [header, ...rest] = rows;
  if (!header) return [];
  if (header.length > MAX_COLUMNS) throw tooLarge(`has more than ${MAX_COLUMNS} columns`);
  if (header.length * rest.length > MAX_VALUES) throw tooLarge(`holds more than ${MAX_VALUES} values`);
  return rest.flatMap((row, index): Value[] => {
    if (row.length === 1 && row[0] === "") return [];
    if (row.length <= header.length)
      return [Object.fromEntries(header.map((name, place): [string, Value] => [name, row[place] ?? null]))];
    const message = `Row ${index + 2} of the CSV has more values than its header has names.`;
    if (!onBad) throw new ConnectorError("unexpected", message);
    onBad({ message, excerpt: row.join(delimiter).slice(0, EXCERPT) });
    return [];
  });
}

const tooLarge = (what: string): ConnectorError =>
  new ConnectorError("unexpected", `The CSV ${what}.`, { hint: "Ask for fewer records a page in the manifest." });

function rowsOf(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let [row, value, isQuoted, values]: [string[], string, boolean, number] = [[], "", false, 0];
  const endValue = (): void => {
    row.push(value);
    value = "";
    values += 1;
    if (values > MAX_VALUES) throw tooLarge(`holds more than ${MAX_VALUES} values`);
  };
  const endRow = (): void => {
    endValue();
    rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charAt(at);
    if (isQuoted) {
      if (unit !== '"') value += unit;
      else if (text.charAt(at + 1) === '"') {
        value += '"';
        at += 1;
      } else isQuoted = false;
    } else if (unit === '"' && value === "") isQuoted = true;
    else if (unit === delimiter) endValue();
    else if (unit === "\n") endRow();
    else if (unit !== "\r" || text.charAt(at + 1) !== "\n") value += unit;
  }
  if (isQuoted) throw new ConnectorError("unexpected", "The CSV ends within a quoted value.");
  if (value !== "" || row.length > 0) endRow();
  return rows;
}
