/** Finds the files behind an entity, and reads one file's rows from any place in it. */
import { ConnectorError } from "@accord/connector-sdk";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { Value } from "@accord/contracts/data/values";
import { createHash } from "node:crypto";
import { constants, type Dirent } from "node:fs";
import { open, opendir, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { FilesConfig } from "./config.ts";
import { decode, isData, layoutOf, type Layout } from "./layout.ts";
import { tokenizeRows, parseRow, type RawRow } from "./lines.ts";

export interface FileSource {
  /** Below the connector's folder: `flights.csv`, `orders/2024.csv`. */
  name: string;
  path: string;
}

export interface Row {
  line: number;
  /** Where the next row begins. */
  next: { offset: number; line: number };
  values: { [column: string]: Value };
  /** Why it can't be used; its values are then what could be made out. */
  problem?: string;
  excerpt?: string;
}

/** Entities of a folder: a file each, and each subfolder with files in it. Links are not followed. */
export async function listEntities(folder: string): Promise<Map<string, FileSource[]>> {
  const entities = new Map<string, FileSource[]>();
  for (const entry of await entriesOf(folder)) {
    if (entry.isFile() && isData(entry.name)) {
      const name = entry.name.replace(/\.\w+$/, "");
      // Two kinds of file by one name: the second keeps its ending.
      entities.set(entities.has(name) ? entry.name : name, [{ name: entry.name, path: join(folder, entry.name) }]);
    } else if (entry.isDirectory() && !entry.name.startsWith(".")) {
      const inside = (await entriesOf(join(folder, entry.name))).filter((file) => file.isFile() && isData(file.name));
      if (inside.length > 0)
        entities.set(
          entry.name,
          inside.map((file) => ({ name: `${entry.name}/${file.name}`, path: join(folder, entry.name, file.name) })),
        );
    }
  }
  return entities;
}

/** Files and folders looked at in one folder; the position of a reader remembers each file. */
const MAX_ENTRIES = 10_000;

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries: Dirent[] = [];
    for await (const entry of await opendir(folder)) {
      if (entries.push(entry) > MAX_ENTRIES)
        throw new ConnectorError("configuration", `${folder.split("/").at(-1)} holds more than ${MAX_ENTRIES} files.`, {
          hint: "Move files that were read to another folder.",
        });
    }
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw fileError(error, folder);
  }
}

export function fileError(error: unknown, path: string): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const name = path.split("/").at(-1) ?? path;
  if (code === "ENOENT" || code === "ENOTDIR")
    return new ConnectorError("configuration", `There is no folder or file ${name}.`, {
      cause: error,
      hint: "Check the folder's name; it must be below the folder the operator allows.",
    });
  if (code === "ELOOP")
    return new ConnectorError("configuration", `${name} is a link, and links are not followed.`, {
      cause: error,
      hint: "Put the file itself there.",
    });
  if (code === "EACCES" || code === "EPERM")
    return new ConnectorError("permission", `${name} may not be read.`, {
      cause: error,
      hint: "Let the account this server runs under read the folder and its files.",
    });
  return new ConnectorError("unexpected", `${name} could not be read.`, { cause: error });
}

export interface FileState {
  size: number;
  modified: number;
}

/** null when the file is gone. */
export async function stateOf(path: string): Promise<FileState | null> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { size, modified: mtimeMs };
  } catch {
    return null;
  }
}

/** Fingerprint of the first `length` bytes. */
export async function hashOf(path: string, length: number): Promise<string> {
  const hash = createHash("sha256");
  await withFile(path, async (file) => {
    const buffer = Buffer.alloc(Math.min(length, CHUNK) || 1);
    for (let at = 0; at < length;) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, length - at), at);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  });
  return hash.digest("base64url");
}

const CHUNK = 1_000_000;

async function withFile<Result>(path: string, work: (file: FileHandle) => Promise<Result>): Promise<Result> {
  try {
    // What was a file when it was listed may be a link by now, out of the folder.
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return await work(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileError(error, path);
  }
}

export const readLayout = (source: FileSource, config: FilesConfig): Promise<Layout> =>
  withFile(source.path, (file) => layoutOf(file, source.name, config));

/** Bytes of rows read at once; the row that reaches it is the last. */
export const MAX_PAGE_BYTES = 8_000_000;

/**
 * Up to `most` rows from a place (null: the first row) on, not beyond `size` bytes of the file nor more than `maxBytes` of
 * rows. `finished` when there are no more. Memory stays bounded, whatever the file's size.
 */
export async function readRows(
  source: FileSource,
  config: FilesConfig,
  request: { from: { offset: number; line: number } | null; size: number; most: number; maxBytes?: number },
): Promise<{ rows: Row[]; finished: boolean; layout: Layout }> {
  return withFile(source.path, async (file) => {
    const layout = await layoutOf(file, source.name, config);
    let place = request.from ?? layout.start;
    const rows: Row[] = [];
    let length = CHUNK;
    const end = place.offset + (request.maxBytes ?? MAX_PAGE_BYTES);
    while (rows.length < request.most && place.offset < request.size && place.offset < end) {
      const wanted = Math.min(length, request.size - place.offset);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, place.offset);
      if (bytesRead === 0) break;
      const final = place.offset + bytesRead >= request.size;
      const cut = tokenizeRows(buffer.subarray(0, bytesRead), place, {
        delimiter: layout.delimiter === null ? null : layout.delimiter.charCodeAt(0),
        final,
        most: request.most - rows.length,
      });
      const last = cut.at(-1);
      if (!last) {
        if (final) break;
        // One row fills the chunk: look further.
        length *= 2;
        continue;
      }
      for (const row of cut) rows.push(rowOf(row, layout, config));
      place = { offset: last.end, line: last.line + last.lines };
    }
    return { rows, finished: rows.length < request.most && place.offset < end, layout };
  });
}

function rowOf(raw: RawRow, layout: Layout, config: FilesConfig): Row {
  // An open last row is read again when the file has grown.
  const next = raw.closed ? { offset: raw.end, line: raw.line + raw.lines } : { offset: raw.offset, line: raw.line };
  const row: Row = { line: raw.line, next, values: {} };
  const text = decode(raw, config);
  const fail = (problem: string): Row => ({ ...row, problem, excerpt: text.slice(0, 300) });
  if (raw.problem) return fail(raw.problem);
  if (layout.columns === null || layout.delimiter === null) {
    try {
      const json = parseExactJson(text);
      if (typeof json !== "object" || json === null || Array.isArray(json)) return fail("it is not a JSON object");
      row.values = json;
    } catch {
      return fail("it is not valid JSON");
    }
    return row;
  }
  const values = parseRow(text, layout.delimiter);
  for (const [at, column] of layout.columns.entries()) row.values[column] = values[at] ?? null;
  if (values.length !== layout.columns.length)
    return fail(`it has ${values.length} values where ${layout.columns.length} are expected`);
  return row;
}
