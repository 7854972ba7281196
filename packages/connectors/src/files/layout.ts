/** How one file is laid out: kind, delimiter, header, column names, found out from its first bytes. */
import { ConnectorError, isUniquelyFilled } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import type { FileHandle } from "node:fs/promises";
import type { FilesConfig } from "./config.ts";
import { tokenizeRows, parseRow, type RawRow } from "./lines.ts";

export interface Layout {
  kind: "csv" | "jsonl";
  /** The CSV delimiter; null for JSON Lines. */
  delimiter: string | null;
  /** CSV column names; null for JSON Lines, whose rows name their own. */
  columns: string[] | null;
  /** Where the first row of data begins. */
  start: { offset: number; line: number };
}

const HEAD_BYTES = 65_536;
const DELIMITERS = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" } as const;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Reads the first bytes of a file. An empty file has no columns and no rows. */
export async function layoutOf(file: FileHandle, name: string, config: FilesConfig): Promise<Layout> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer.subarray(0, bytesRead);
  const offset = head.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  if (isJsonLines(name)) return { kind: "jsonl", delimiter: null, columns: null, start: { offset, line: 1 } };
  const body = head.subarray(offset);
  const delimiter = config.delimiter === "auto" ? detectDelimiter(body) : DELIMITERS[config.delimiter];
  const [first] = tokenizeRows(body, { offset, line: 1 }, { delimiter: delimiter.charCodeAt(0), final: true, most: 1 });
  if (!first) return { kind: "csv", delimiter, columns: [], start: { offset, line: 1 } };
  const values = parseRow(decode(first, config), delimiter);
  const hasHeader = config.header === "auto" ? looksLikeHeader(values) : config.header === "yes";
  if (!hasHeader)
    return { kind: "csv", delimiter, columns: values.map((_, at) => `column_${at + 1}`), start: { offset, line: 1 } };
  const columns = namesOf(values);
  return { kind: "csv", delimiter, columns, start: { offset: first.end, line: first.line + first.lines } };
}

export const isJsonLines = (name: string): boolean => /\.(jsonl|ndjson)$/i.test(name);
export const isData = (name: string): boolean => /\.(csv|tsv|jsonl|ndjson)$/i.test(name) && !name.startsWith(".");

/** Throws when the bytes are not text in the chosen encoding. */
export function decode(row: RawRow, config: Pick<FilesConfig, "encoding">): string {
  try {
    return new TextDecoder(config.encoding, { fatal: true, ignoreBOM: true }).decode(row.bytes);
  } catch (error) {
    throw new ConnectorError("configuration", `Line ${row.line} is not ${config.encoding.toUpperCase()} text.`, {
      cause: error,
      hint: "Choose the encoding the file was written with.",
    });
  }
}

/** The candidate that cuts the first rows into the same number of values, more than one; a comma when none does. */
export function detectDelimiter(head: Buffer): string {
  const counts = Object.values(DELIMITERS).map((delimiter) => {
    const rows = tokenizeRows(
      head,
      { offset: 0, line: 1 },
      { delimiter: delimiter.charCodeAt(0), final: true, most: 6 },
    );
    // The last row may be cut off by the end of what was read.
    const sizes = rows
      .slice(0, Math.max(1, rows.length - 1))
      .map((row) => parseRow(row.bytes.toString("latin1"), delimiter).length);
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

/** Column names as they stand; blank and repeated ones are numbered. */
function namesOf(values: readonly string[]): string[] {
  const names: string[] = [];
  for (const [at, value] of values.entries()) {
    const plain = value.trim().slice(0, 180) || `column_${at + 1}`;
    let name = plain;
    for (let n = 2; names.includes(name); n += 1) name = `${plain}_${n}`;
    names.push(name);
  }
  return names;
}

/** A column that holds another value in each sample row and is named like an id. */
export function likelyIdColumn(
  columns: readonly string[],
  samples: readonly { [name: string]: Value }[],
): string | null {
  const named = columns.filter((name) => /(^|[_\s-])(id|key|code|uuid|iata)$/i.test(name));
  return [...named].find((name) => isUniquelyFilled(name, samples)) ?? null;
}
