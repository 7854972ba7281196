/** A whole CSV file with a header row as a table of texts: for lists that are uploaded, not read page by page. */
import { ConnectorError } from "@accord/connector-sdk";
import { decode, detectDelimiter } from "./layout.ts";
import { tokenizeRows, parseRow, type RawRow } from "./lines.ts";

export interface Table {
  columns: string[];
  /** As many texts as there are columns. */
  rows: string[][];
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const HEAD_BYTES = 65_536;

/**
 * Reads UTF-8 text whose first row names the columns; comma, semicolon, tab or pipe is found out.
 * @throws ConnectorError `configuration` naming the line that is wrong: no header, a blank or repeated name, a row with
 * another number of values, more than `most` rows.
 */
export function readTable(bytes: Uint8Array, most: number): Table {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const body = all.subarray(0, 3).equals(BYTE_ORDER_MARK) ? all.subarray(3) : all;
  const delimiter = detectDelimiter(body.subarray(0, HEAD_BYTES));
  const cut = tokenizeRows(
    body,
    { offset: 0, line: 1 },
    { delimiter: delimiter.charCodeAt(0), final: true, most: most + 2 },
  );
  const [header, ...lines] = cut;
  if (!header) throw wrong("The file is empty.", "Its first row must name the columns.");
  if (lines.length > most) throw wrong(`The file has more than ${most} rows.`, "Split it into several lists.");
  const columns = textsOf(header, delimiter).map((name) => name.trim());
  demandNames(columns);
  return { columns, rows: lines.map((line) => rowOf(line, delimiter, columns.length)) };
}

function rowOf(line: RawRow, delimiter: string, width: number): string[] {
  if (line.problem) throw wrong(`Line ${line.line}: ${line.problem}.`, "Close the quotation mark.");
  const texts = textsOf(line, delimiter);
  if (texts.length === width) return texts;
  throw wrong(
    `Line ${line.line} has ${texts.length} values, the header has ${width}.`,
    "Put values that hold the separator in quotation marks.",
  );
}

function demandNames(columns: readonly string[]): void {
  const blank = columns.indexOf("");
  if (blank >= 0) throw wrong(`Column ${blank + 1} has no name.`, "The first row must name every column.");
  const known = new Set<string>();
  for (const name of columns.map((column) => column.toLowerCase())) {
    if (known.has(name)) throw wrong(`Two columns are named ${name}.`, "Give each column a name of its own.");
    known.add(name);
  }
}

const textsOf = (row: RawRow, delimiter: string): string[] =>
  // PostgreSQL's texts can't hold this one character.
  parseRow(decode(row, { encoding: "utf-8" }), delimiter).map((text) => text.replaceAll("\0", ""));

const wrong = (message: string, hint: string): ConnectorError => new ConnectorError("configuration", message, { hint });
