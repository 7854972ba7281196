/** Formats whose rows are lines of text: CSV and JSON Lines. Read from any byte on, in memory that does not grow with the file. */
import { parseExactJson } from "@accord/contracts/data/exact-json";
import { FILE_ROW_FIELD, type FileSettings } from "@accord/contracts/connections/file-settings";
import { setImmediate as nextTurn } from "node:timers/promises";
import { withFile, type Bytes } from "../places/place.ts";
import { MAX_PAGE_BYTES, type Format, type Row, type RowPage, type RowRequest } from "./format.ts";
import { decode, inOrder, layoutOf, type Layout } from "./layout.ts";
import { isNestedTooDeeply, MAX_DEPTH } from "./depth.ts";
import { noOpenQuotes, parseMarkedRow, tokenizeRows, type RawRow } from "./lines.ts";

const CHUNK = 1_000_000;

const textFormat = (id: "csv" | "jsonl", endings: readonly string[]): Format => ({
  id,
  endings,
  isText: id === "csv",
  isAppendedTo: true,
  read: ({ file }, settings, request) => withFile(file, (bytes) => readRows(bytes, id, settings, request)),
});

export const csv = textFormat("csv", ["csv", "tsv"]);
export const jsonl = textFormat("jsonl", ["jsonl", "ndjson"]);

async function readRows(
  bytes: Bytes,
  kind: "csv" | "jsonl",
  settings: FileSettings,
  request: RowRequest,
): Promise<RowPage> {
  const layout = await layoutOf(bytes, kind, settings);
  let place = request.from ?? layout.start;
  const first = place.offset;
  const rows: Row[] = [];
  const open = noOpenQuotes();
  let length = CHUNK;
  const end = place.offset + (request.maxBytes ?? MAX_PAGE_BYTES);
  while (rows.length < request.most && place.offset < request.size && place.offset < end) {
    const read = await bytes.read(place.offset, Math.min(length, request.size - place.offset));
    if (read.length === 0) break;
    const final = place.offset + read.length >= request.size;
    const cut = tokenizeRows(inOrder(read, layout.isSwapped), place, {
      delimiter: layout.delimiter === null ? null : layout.delimiter.charCodeAt(0),
      final,
      most: request.most - rows.length,
      width: layout.width,
      open,
    });
    // Pieces that are at hand already would come without end otherwise, and nothing else would.
    await nextTurn();
    const last = cut.at(-1);
    if (!last) {
      if (final) break;
      // One row fills the chunk: look further.
      length *= 2;
      continue;
    }
    for (const row of cut) rows.push(rowOf(row, layout, settings));
    place = { offset: last.end, line: last.line + last.lines };
    request.checkpoint?.();
  }
  const finished = rows.length < request.most && place.offset < end;
  const { columns, headerDamage } = layout;
  return { rows, finished, columns, ...(headerDamage !== undefined && { headerDamage }), bytes: place.offset - first };
}

function rowOf(raw: RawRow, layout: Layout, settings: FileSettings): Row {
  // An open last row is read again when the file has grown.
  const next = raw.closed ? { offset: raw.end, line: raw.line + raw.lines } : { offset: raw.offset, line: raw.line };
  const row: Row = { line: raw.line, next, values: {} };
  const text = decode(raw, settings);
  const fail = (problem: string): Row => ({ ...row, problem, damage: problem, excerpt: text.slice(0, 300) });
  if (raw.problem) return fail(raw.problem);
  if (layout.columns === null || layout.delimiter === null) {
    try {
      const json = parseExactJson(text);
      if (typeof json !== "object" || json === null || Array.isArray(json)) return fail("it is not a JSON object");
      row.values = FILE_ROW_FIELD in json ? withFreeName(json) : json;
      // Where nobody said how files are read, what could be read stays so.
      if (text.length > MAX_DEPTH && isNestedTooDeeply(json))
        return { ...row, damage: `it is nested more than ${MAX_DEPTH} levels deep`, excerpt: text.slice(0, 300) };
    } catch {
      return fail("it is not valid JSON");
    }
    return row;
  }
  const { values, damage } = parseMarkedRow(text, layout.delimiter);
  for (const [at, column] of layout.columns.entries()) row.values[column] = values[at] ?? null;
  const excerpt = text.slice(0, 300);
  if (values.length !== layout.columns.length) {
    const problem = `it has ${values.length} values where ${layout.columns.length} are expected`;
    return { ...row, problem, damage: damage ?? problem, excerpt };
  }
  return damage === null ? row : { ...row, damage, excerpt };
}

/** The place of a row has a column of its own: a value of that name gets another one. */
function withFreeName({ [FILE_ROW_FIELD]: own = null, ...rest }: Row["values"]): Row["values"] {
  let number = 2;
  while (`${FILE_ROW_FIELD}_${number}` in rest) number += 1;
  return { ...rest, [`${FILE_ROW_FIELD}_${number}`]: own };
}
