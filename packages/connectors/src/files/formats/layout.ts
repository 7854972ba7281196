/** How one text file is laid out: width of its letters, delimiter, header, column names, found out from its first bytes. */
import { ConnectorError, isUniquelyFilled } from "@accord/connector-sdk";
import { FILE_ROW_FIELD, type FileSettings } from "@accord/contracts/connections/file-settings";
import type { Value } from "@accord/contracts/data/values";
import type { Bytes } from "../places/place.ts";
import type { RowPlace } from "./format.ts";
import { parseMarkedRow, parseRow, tokenizeRows, type RawRow, type Width } from "./lines.ts";

export interface Layout {
  /** The CSV delimiter; null for JSON Lines. */
  delimiter: string | null;
  /** CSV column names; null for JSON Lines, whose rows name their own. */
  columns: string[] | null;
  hasHeader: boolean;
  /** What is wrong with the quotation marks of the header. */
  headerDamage?: string;
  /** Where the first row of data begins. */
  start: RowPlace;
  width: Width;
  /** Letters of two bytes come with the higher byte first. */
  isSwapped: boolean;
}

export const HEAD_BYTES = 65_536;
const DELIMITERS = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" } as const;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Reads the first bytes of a file. An empty file has no columns and no rows. */
export async function layoutOf(bytes: Bytes, kind: "csv" | "jsonl", settings: FileSettings): Promise<Layout> {
  const head = await bytes.read(0, HEAD_BYTES);
  const letters = lettersOf(head, settings.encoding);
  const { mark: offset, width } = letters;
  const common = { width, isSwapped: letters.isSwapped };
  const start = { offset, line: 1 };
  if (kind === "jsonl") return { ...common, delimiter: null, columns: null, hasHeader: false, start };
  const body = inOrder(head.subarray(offset), letters.isSwapped);
  const delimiter = settings.delimiter === "auto" ? detectDelimiter(body, width) : DELIMITERS[settings.delimiter];
  const cut = { delimiter: delimiter.charCodeAt(0), final: true, most: 1, width };
  const [first] = tokenizeRows(body, start, cut);
  if (!first) return { ...common, delimiter, columns: [], hasHeader: false, start };
  const { values, damage } = parseMarkedRow(decode(first, settings), delimiter);
  const hasHeader = settings.header === "auto" ? looksLikeHeader(values) : settings.header === "yes";
  const columns = hasHeader ? namesOf(values) : values.map((_, at) => `column_${at + 1}`);
  return {
    ...common,
    ...{ delimiter, columns, hasHeader },
    ...(hasHeader && damage !== null && { headerDamage: damage }),
    start: hasHeader ? { offset: first.end, line: first.line + first.lines } : start,
  };
}

export const delimiterName = (delimiter: string | null): FileSettings["delimiter"] =>
  (["comma", "semicolon", "tab", "pipe"] as const).find((name) => DELIMITERS[name] === delimiter) ?? "auto";

/** Width and order of the letters, and the bytes before the first one. Without a mark the lower byte comes first. */
function lettersOf(
  head: Buffer,
  encoding: FileSettings["encoding"],
): { mark: number; width: Width; isSwapped: boolean } {
  if (encoding !== "utf-16")
    return { mark: head.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0, width: 1, isSwapped: false };
  const [first, second] = head;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const isSwapped = isMarked ? first === 0xfe : zeros(head, 0) > zeros(head, 1);
  return { mark: isMarked ? 2 : 0, width: 2, isSwapped };
}

const zeros = (head: Buffer, from: number): number => {
  let count = 0;
  for (let at = from; at < Math.min(head.length, 1000); at += 2) if (head[at] === 0) count += 1;
  return count;
};

/** UTF-16 by its mark or by its many zero bytes, UTF-8 where the head is such text, else Windows-1252. */
export function detectEncoding(head: Buffer): FileSettings["encoding"] {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return "utf-16";
  const looked = Math.min(head.length, 1000) / 2;
  if (looked >= 2 && Math.max(zeros(head, 0), zeros(head, 1)) > looked * 0.3) return "utf-16";
  try {
    // A letter may be cut by the end of the head.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: head.length >= HEAD_BYTES });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

/** Letters of two bytes with the lower byte first. */
export const inOrder = (bytes: Buffer, isSwapped: boolean): Buffer =>
  isSwapped ? Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16() : bytes;

const decoderOf = (name: string): TextDecoder => new TextDecoder(name, { fatal: true, ignoreBOM: true });
/** Made once: making one costs more than a row. */
const DECODERS = {
  "utf-8": decoderOf("utf-8"),
  "utf-16": decoderOf("utf-16le"),
  "windows-1252": decoderOf("windows-1252"),
} as const;

/** Throws when the bytes are not text in the chosen encoding. */
export function decode(row: RawRow, { encoding }: Pick<FileSettings, "encoding">): string {
  try {
    return DECODERS[encoding].decode(row.bytes);
  } catch (error) {
    throw new EncodingError(row.line, encoding, error);
  }
}

/** A line that is no text in the chosen encoding. */
export class EncodingError extends ConnectorError {
  constructor(line: number, encoding: FileSettings["encoding"], cause: unknown) {
    super("configuration", `Line ${line} is not ${encoding.toUpperCase()} text.`, {
      cause,
      hint: "Choose the encoding the file was written with.",
    });
  }
}

/** The candidate that cuts the first rows into the same number of values, more than one; a comma when none does. */
export function detectDelimiter(head: Buffer, width: Width = 1): string {
  const counts = Object.values(DELIMITERS).map((delimiter) => {
    const cut = { delimiter: delimiter.charCodeAt(0), final: true, most: 6, width };
    const rows = tokenizeRows(head, { offset: 0, line: 1 }, cut);
    // The last row may be cut off by the end of what was read.
    const sizes = rows
      .slice(0, Math.max(1, rows.length - 1))
      .map((row) => parseRow(row.bytes.toString(width === 1 ? "latin1" : "utf16le"), delimiter).length);
    const [size = 1] = sizes;
    return { delimiter, size, agreeing: sizes.filter((other) => other === size).length };
  });
  const best = counts.filter(({ size }) => size > 1).sort((a, b) => b.agreeing - a.agreeing || b.size - a.size)[0];
  return best?.delimiter ?? ",";
}

/** Every value filled, none a number or date, no two alike. */
function looksLikeHeader(values: readonly string[]): boolean {
  const names = values.map((value) => value.trim());
  const isName = (name: string): boolean =>
    name !== "" && !/^[\d.,:;/+-]+$/.test(name) && !/^(true|false)$/i.test(name);
  return names.every(isName) && new Set(names.map((name) => name.toLowerCase())).size === names.length;
}

/** Column names as they stand; blank, repeated and taken ones are numbered. */
export function namesOf(values: readonly string[]): string[] {
  // The place of a row has a column of its own.
  const names = new Set<string>([FILE_ROW_FIELD]);
  /** Numbers below are taken: thousands of equal names are not counted up from the first each. */
  const nextNumbers = new Map<string, number>();
  for (const [at, value] of values.entries()) {
    const plain = value.trim().slice(0, 180) || `column_${at + 1}`;
    let name = plain;
    let number = nextNumbers.get(plain) ?? 2;
    for (; names.has(name); number += 1) name = `${plain}_${number}`;
    nextNumbers.set(plain, number);
    names.add(name);
  }
  return [...names].slice(1);
}

export const isNamedLikeId = (name: string): boolean => /(^|[_\s-])(id|key|code|uuid|iata)$/i.test(name);

/** A column that holds another value in each sample row and is named like an id. */
export function likelyIdColumn(
  columns: readonly string[],
  samples: readonly { [name: string]: Value }[],
): string | null {
  const named = columns.filter(isNamedLikeId);
  return [...named].find((name) => isUniquelyFilled(name, samples)) ?? null;
}
