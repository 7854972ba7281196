/**
 * Cuts bytes into rows: CSV with quotes (RFC 4180, forgiving) and JSON Lines. Knows where in the file each row begins.
 * Letters are one byte wide where it matters (UTF-8, Windows-1252), or two (UTF-16, the lower byte first).
 */

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

/** So often it is looked for the end of a quote, to no end, in as many bytes as a row may have. */
const MOST_OPEN = 4;

/** Where quotes were looked for that are never closed: passed on from one chunk to the next. */
export interface OpenQuotes {
  /** Rows that begin before this byte of the file follow one. */
  until: number;
  count: number;
}

export const noOpenQuotes = (): OpenQuotes => ({ until: 0, count: 0 });

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
  options: { delimiter: number | null; final: boolean; most: number; width?: Width; open?: OpenQuotes },
): RawRow[] {
  const rows: RawRow[] = [];
  const letters: Letters = { chunk, width: options.width ?? 1 };
  const { delimiter, open = noOpenQuotes() } = options;
  let at = 0;
  let { line } = start;
  while (at < chunk.length && rows.length < options.most) {
    const isWithinLine = delimiter !== null && start.offset + at < open.until && open.count >= MOST_OPEN;
    const most = isWithinLine ? cutLine(letters, at).next : Math.min(chunk.length, at + MAX_ROW_BYTES + letters.width);
    const cut = delimiter === null ? cutLine(letters, at) : cutCsv(letters, at, { delimiter, most });
    if (!cut.closed && !options.final && most === chunk.length && chunk.length - at < MAX_ROW_BYTES) break;
    const isCutShort = !cut.closed && most < chunk.length;
    const tooLong = cut.next - at > MAX_ROW_BYTES || isCutShort || (!cut.closed && !options.final);
    if (tooLong && !isWithinLine) note(open, start.offset + at);
    // An endless row: report its first line and go on after that.
    const { end, next, lines, closed } = tooLong ? cutLine(letters, at) : cut;
    const bytes = chunk.subarray(at, end);
    const last = rows.at(-1);
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
    else if (last) last.end = start.offset + next;
    line += lines;
    at = next;
  }
  return rows;
}

function note(open: OpenQuotes, offset: number): void {
  if (offset < open.until) open.count += 1;
  else [open.until, open.count] = [offset + MAX_ROW_BYTES, 1];
}

/** Bytes of a letter. */
export type Width = 1 | 2;

interface Letters {
  chunk: Buffer;
  width: Width;
}

interface Cut {
  end: number;
  next: number;
  lines: number;
  closed: boolean;
}

const letterAt = ({ chunk, width }: Letters, at: number): number | undefined =>
  width === 1 ? chunk[at] : at + 1 < chunk.length ? chunk.readUInt16LE(at) : undefined;

function lineBreakFrom(letters: Letters, from: number): number {
  if (letters.width === 1) return letters.chunk.indexOf(LF, from);
  for (let at = from; at < letters.chunk.length; at += 2) if (letterAt(letters, at) === LF) return at;
  return -1;
}

function cutLine(letters: Letters, from: number): Cut {
  const found = lineBreakFrom(letters, from);
  const { length } = letters.chunk;
  const next = found < 0 ? length : found + letters.width;
  return { end: endBefore(letters, from, found < 0 ? length : found), next, lines: 1, closed: found >= 0 };
}

/** Looks no further than to the byte `most`. */
function cutCsv(letters: Letters, from: number, { delimiter, most }: { delimiter: number; most: number }): Cut {
  const { width } = letters;
  let lines = 1;
  let quoted = false;
  let atStart = true;
  for (let at = from; at < most; at += width) {
    const letter = letterAt(letters, at);
    if (quoted) {
      if (letter === LF) lines += 1;
      else if (letter === QUOTE) {
        if (letterAt(letters, at + width) === QUOTE) at += width;
        else quoted = false;
      }
    } else if (letter === LF) return { end: endBefore(letters, from, at), next: at + width, lines, closed: true };
    else if (letter === QUOTE && atStart) quoted = true;
    atStart = !quoted && letter === delimiter;
  }
  return { end: endBefore(letters, from, most), next: most, lines, closed: false };
}

const endBefore = (letters: Letters, from: number, end: number): number =>
  end > from && letterAt(letters, end - letters.width) === CR ? end - letters.width : end;

/** Values of one CSV row. Spaces around values stay; doubled quotation marks inside quotes are one. */
export const parseRow = (row: string, delimiter: string): string[] => parseMarkedRow(row, delimiter).values;

/** The same, and what is wrong with its quotation marks. */
export function parseMarkedRow(row: string, delimiter: string): { values: string[]; damage: string | null } {
  if (!row.includes('"')) return { values: row.split(delimiter), damage: null };
  const values: string[] = [];
  let damage: string | null = null;
  let at = 0;
  while (at <= row.length) {
    if (row[at] === '"') {
      let value = "";
      at += 1;
      for (;;) {
        const quote = row.indexOf('"', at);
        if (quote < 0) {
          damage ??= "a quotation mark that opens in it is never closed";
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
      const behind = row.slice(at, end < 0 ? row.length : end);
      if (behind.trim() !== "") damage ??= "characters follow a closing quotation mark";
      values.push(value + behind);
      at = end < 0 ? row.length + 1 : end + 1;
    } else {
      const end = row.indexOf(delimiter, at);
      values.push(row.slice(at, end < 0 ? row.length : end));
      at = end < 0 ? row.length + 1 : end + 1;
    }
  }
  return { values, damage };
}
