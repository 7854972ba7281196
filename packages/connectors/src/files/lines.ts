/** Cuts bytes into rows: CSV with quotes (RFC 4180, forgiving) and JSON Lines. Knows where in the file each row begins. */

export interface RawRow {
  /** 1-based line its first byte is on, and where that byte and the next row are in the file. */
  line: number;
  offset: number;
  end: number;
  /** Lines it covers: quoted values may hold line breaks. */
  lines: number;
  /** The line break after it is there: false only for the last row of a file that may still be growing. */
  closed: boolean;
  bytes: Buffer;
  problem?: string;
}

/** A single row larger than this is a mistake, e.g. a quote that was never closed. */
export const MAX_ROW_BYTES = 1_000_000;

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;

/**
 * Rows of a chunk that begins at a row. `final`: the file ends with this chunk, so its last row counts although no line
 * break follows. Answers the rows; the rest of the bytes belongs to the next chunk.
 */
export function tokenizeRows(
  chunk: Buffer,
  start: { offset: number; line: number },
  options: { delimiter: number | null; final: boolean; most: number },
): RawRow[] {
  const rows: RawRow[] = [];
  let at = 0;
  let { line } = start;
  while (at < chunk.length && rows.length < options.most) {
    const cut = options.delimiter === null ? cutLine(chunk, at) : cutCsv(chunk, at, options.delimiter);
    if (!cut.closed && !options.final && chunk.length - at < MAX_ROW_BYTES) break;
    const tooLong = cut.next - at > MAX_ROW_BYTES || (!cut.closed && !options.final);
    // An endless row: report its first line and go on after that.
    const { end, next, lines, closed } = tooLong ? cutLine(chunk, at) : cut;
    const bytes = chunk.subarray(at, end);
    if (tooLong || bytes.length > 0)
      rows.push({
        line,
        offset: start.offset + at,
        end: start.offset + next,
        lines,
        closed,
        bytes,
        ...(tooLong && { problem: "a quotation mark that opens here is never closed, or the row is longer than 1 MB" }),
      });
    else if (rows.length > 0) (rows.at(-1) as RawRow).end = start.offset + next;
    line += lines;
    at = next;
  }
  return rows;
}

interface Cut {
  end: number;
  next: number;
  lines: number;
  closed: boolean;
}

function cutLine(chunk: Buffer, from: number): Cut {
  const found = chunk.indexOf(LF, from);
  const next = found < 0 ? chunk.length : found + 1;
  return { end: endBefore(chunk, from, found < 0 ? chunk.length : found), next, lines: 1, closed: found >= 0 };
}

function cutCsv(chunk: Buffer, from: number, delimiter: number): Cut {
  let lines = 1;
  let quoted = false;
  let atStart = true;
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at];
    if (quoted) {
      if (byte === LF) lines += 1;
      else if (byte === QUOTE) {
        if (chunk[at + 1] === QUOTE) at += 1;
        else quoted = false;
      }
    } else if (byte === LF) return { end: endBefore(chunk, from, at), next: at + 1, lines, closed: true };
    else if (byte === QUOTE && atStart) quoted = true;
    atStart = !quoted && byte === delimiter;
    if (!quoted && byte === delimiter) atStart = true;
  }
  return { end: endBefore(chunk, from, chunk.length), next: chunk.length, lines, closed: false };
}

const endBefore = (chunk: Buffer, from: number, end: number): number =>
  end > from && chunk[end - 1] === CR ? end - 1 : end;

/** Values of one CSV row. Spaces around values stay; doubled quotation marks inside quotes are one. */
export function parseRow(row: string, delimiter: string): string[] {
  if (!row.includes('"')) return row.split(delimiter);
  const values: string[] = [];
  let at = 0;
  while (at <= row.length) {
    if (row[at] === '"') {
      let value = "";
      at += 1;
      for (;;) {
        const quote = row.indexOf('"', at);
        if (quote < 0) {
          value += row.slice(at);
          at = row.length;
          break;
        }
        value += row.slice(at, quote);
        at = quote + 1;
        if (row[at] !== '"') break;
        value += '"';
        at += 1;
      }
      const end = row.indexOf(delimiter, at);
      values.push(value + row.slice(at, end < 0 ? row.length : end));
      at = end < 0 ? row.length + 1 : end + 1;
    } else {
      const end = row.indexOf(delimiter, at);
      values.push(row.slice(at, end < 0 ? row.length : end));
      at = end < 0 ? row.length + 1 : end + 1;
    }
  }
  return values;
}
