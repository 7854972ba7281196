/** Rows of one sheet, in their order, as the sheet is unpacked. */
import { ConnectorError } from "@accord/connector-sdk";
import type { Readable } from "node:stream";
import type { Checkpoint } from "../format.ts";
import { cellValue, columnOf, type CellContext, type CellValue } from "./cells.ts";
import { streamXml } from "./xml.ts";

export interface SheetRow {
  number: number;
  cells: ReadonlyMap<number, CellValue>;
  /** What it takes in memory, about. */
  bytes: number;
}

/** As many as a spreadsheet has. */
const MAX_COLUMNS = 16_384;
const MAX_ROWS = 1_048_576;
const MAX_ROW_BYTES = 8_000_000;

export async function* sheetRows(
  stream: Readable,
  context: CellContext,
  checkpoint?: Checkpoint,
): AsyncGenerator<SheetRow> {
  const found: SheetRow[] = [];
  let number = 0;
  let column = -1;
  let cells = new Map<number, CellValue>();
  let bytes = 0;
  let cell = { type: "n", style: 0, text: "" };
  let isText = false;
  let spoken = 0;
  const count = (more: number): void => {
    bytes += more;
    if (bytes > MAX_ROW_BYTES) throw wrong(`Row ${number} is longer than ${MAX_ROW_BYTES / 1_000_000} MB.`);
  };
  const handler = {
    open(name: string, attributes: Readonly<Record<string, string>>): void {
      if (name === "row") {
        const named = Number(attributes["r"]);
        // Rows stand in their order; one that says otherwise is the next one.
        number = Number.isSafeInteger(named) && named > number ? named : number + 1;
        if (number > MAX_ROWS) throw wrong(`It has a row ${number}: a sheet ends with row ${MAX_ROWS}.`);
        [column, cells, bytes] = [-1, new Map(), 0];
      } else if (name === "c") {
        const { r, t = "n", s = "0" } = attributes;
        column = r === undefined ? column + 1 : columnOf(r);
        cell = { type: t, style: Number(s), text: "" };
      } else if (name === "rPh") spoken += 1;
      else if (name === "v" || (name === "t" && spoken === 0)) isText = true;
    },
    text(text: string): void {
      if (!isText) return;
      count(text.length);
      cell.text += text;
    },
    close(name: string): void {
      if (name === "v" || name === "t") isText = false;
      else if (name === "rPh") spoken -= 1;
      else if (name === "c" && cell.text !== "" && column >= 0 && column < MAX_COLUMNS) {
        const found = cellValue(cell, context);
        // A text that stands elsewhere is as long here, wherever it is written to.
        const shared =
          cell.type === "s" && "value" in found && typeof found.value === "string" ? found.value.length : 0;
        count(16 + shared);
        cells.set(column, found);
      } else if (name === "row" && cells.size > 0) found.push({ number, cells, bytes });
    },
  };
  for await (const _ of streamXml(stream, handler, checkpoint)) yield* found.splice(0);
}

const MERGED = "mergeCell";
/** Letters of such an element, and of the name before it that says whose it is. */
const [MERGED_LETTERS, PREFIX_LETTERS] = [300, 40];

/** The first cells that were joined in this row or above it: `A1:C1`. Such elements stand behind all rows. */
export async function mergedRange(
  stream: Readable,
  mostRow: number,
  checkpoint?: Checkpoint,
): Promise<string | undefined> {
  let rest = "";
  for await (const piece of stream) {
    checkpoint?.();
    const text: string = rest + piece.toString("latin1");
    // What begins near the end is looked at with the next piece.
    const end = text.length - MERGED_LETTERS;
    const range = rangeBefore(text, end, mostRow);
    if (range !== undefined) return range;
    rest = text.slice(Math.max(0, end - PREFIX_LETTERS));
  }
  return rangeBefore(rest, rest.length, mostRow);
}

function rangeBefore(text: string, end: number, mostRow: number): string | undefined {
  for (let at = text.indexOf(MERGED); at >= 0 && at < end; at = text.indexOf(MERGED, at + 1)) {
    if (!/<(?:\w{1,30}:)?$/.test(text.slice(Math.max(0, at - PREFIX_LETTERS), at))) continue;
    const [element = ""] = text.slice(at + MERGED.length, at + MERGED_LETTERS).split(">", 1);
    const range = /^\s(?:.*\s)?ref="([^"]{1,40})"/s.exec(element)?.[1];
    if (range !== undefined && Number(/\d+/.exec(range)?.[0]) <= mostRow) return range;
  }
  return undefined;
}

const wrong = (message: string): ConnectorError =>
  new ConnectorError("configuration", message, { hint: "Correct the sheet and save it again." });
