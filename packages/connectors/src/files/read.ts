/**
 * Reads an entity's files in the order of their names, row by row. A file that was read before is skipped while it is
 * unchanged, read on from where it ended when it only grew, and read again when it is another file now. One that is replaced
 * while it is being read ends the pass; the next one begins it anew.
 */
import {
  changeTimeOf,
  valueParser,
  ConnectorError,
  TypeMismatchError,
  type BadRecord,
  type Cursor,
  type ReadPage,
  type ReadRequest,
  type SourceRecord,
} from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import { z } from "zod";
import type { FilesConfig } from "./config.ts";
import { hashOf, MAX_PAGE_BYTES, readRows, stateOf, type FileSource, type Row } from "./source.ts";

/** The made-up field that identifies a row where no column does: file and line. */
export const ROW_FIELD = "_row";

const Place = z.strictObject({ offset: z.int(), line: z.int() });

const Done = z.strictObject({
  size: z.number(),
  modified: z.number(),
  hash: z.string(),
  /** Where the next row would begin. */
  next: Place,
});

const Position = z.strictObject({
  files: z.record(z.string(), Done),
  /** The file under way: its state when it was begun, and the next row. */
  at: Done.extend({ name: z.string() }).nullable(),
});
type Position = z.infer<typeof Position>;

export async function readFiles(
  sources: readonly FileSource[],
  config: FilesConfig,
  request: ReadRequest,
): Promise<ReadPage> {
  const position: Position = request.cursor === null ? { files: {}, at: null } : parsePosition(request.cursor);
  const convert = rowConverter(request);
  const records: SourceRecord[] = [];
  const bad: BadRecord[] = [];
  let { at } = position;
  const files = { ...position.files };
  let room = MAX_PAGE_BYTES;
  while (records.length + bad.length < request.pageSize && room > 0) {
    request.signal?.throwIfAborted();
    at = at ? await stillSame(sources, at) : await nextFile(sources, files);
    const name = at?.name;
    const source = sources.find((candidate) => candidate.name === name);
    if (!at || !source)
      return {
        records,
        ...(bad.length > 0 && { bad }),
        cursor: { files: existing(files, sources), at: null },
        drained: true,
      };
    const most = request.pageSize - records.length - bad.length;
    const from = at.next.offset === 0 ? null : at.next;
    const { rows, finished } = await readRows(source, config, { from, size: at.size, most, maxBytes: room });
    convert(source, rows, records, bad);
    room -= (rows.at(-1)?.next.offset ?? at.next.offset) - at.next.offset;
    at = { ...at, next: rows.at(-1)?.next ?? at.next };
    if (finished) {
      const { name: done, ...state } = at;
      files[done] = state;
      at = null;
    }
  }
  return { records, ...(bad.length > 0 && { bad }), cursor: { files, at }, drained: false };
}

type At = NonNullable<Position["at"]>;

/** The first file that is new or changed, with the place to read it from; null when there is none. */
async function nextFile(sources: readonly FileSource[], files: Position["files"]): Promise<At | null> {
  for (const { name, path } of sources) {
    const state = await stateOf(path);
    const known = files[name];
    if (!state || (known && known.size === state.size && known.modified === state.modified)) continue;
    const grew = known && state.size >= known.size && (await hashOf(path, known.size)) === known.hash;
    const hash = await hashOf(path, state.size);
    return { name, ...state, hash, next: grew ? known.next : { offset: 0, line: 1 } };
  }
  return null;
}

/** The file under way; null when it is gone or was replaced. */
async function stillSame(sources: readonly FileSource[], at: At): Promise<At | null> {
  const source = sources.find(({ name }) => name === at.name);
  const state = source ? await stateOf(source.path) : null;
  if (!source || !state) return null;
  if (state.size === at.size && state.modified === at.modified) return at;
  return state.size >= at.size && (await hashOf(source.path, at.size)) === at.hash ? at : null;
}

const existing = (files: Position["files"], sources: readonly FileSource[]): Position["files"] => {
  const names = new Set(sources.map(({ name }) => name));
  return Object.fromEntries(Object.entries(files).filter(([name]) => names.has(name)));
};

/** Reads one column. */
interface Reader {
  name: string;
  label: string;
  conform: ReturnType<typeof valueParser>;
}

type Convert = (source: FileSource, rows: readonly Row[], records: SourceRecord[], bad: BadRecord[]) => void;

function rowConverter({ entity, fields: wanted, withLocations, mode, since, until }: ReadRequest): Convert {
  const idField = entity.fields.find((field) => field.isIdField)?.apiName;
  const watermark = entity.fields.find((field) => field.isWatermarkField)?.apiName;
  if (!idField)
    throw new ConnectorError("configuration", `${entity.displayName} has no id field.`, {
      hint: "Choose a column that is always filled and unique in the connector's settings.",
    });
  const names = new Set([...wanted, idField, watermark]);
  const readers = entity.fields
    .filter((field) => field.status === "ACTIVE" && names.has(field.apiName))
    .map((field) => ({ name: field.apiName, label: field.displayName, conform: valueParser(field) }));
  const idReaders = readers.filter(({ name }) => name === idField);
  const ids = new Set<string>();
  const [from, to] = [since?.getTime() ?? -Infinity, until?.getTime() ?? Infinity];
  // What says no time of its own is never left out.
  const isOutside = (at: string | undefined): boolean =>
    mode === "all" && at !== undefined && (Date.parse(at) < from || Date.parse(at) >= to);
  return (source, rows, records, bad) => {
    // A column that none of them has is not there any more: that is no blank.
    const told = readers.filter(({ name }) => name === ROW_FIELD || rows.some(({ values }) => name in values));
    for (const row of rows) {
      const found: Values = { ...row.values, [ROW_FIELD]: `${source.name}:${row.line}` };
      const place = (): string => `${source.name}, line ${row.line}`;
      const report = (message: string, knownId = idIn(found, idReaders, ids)) =>
        bad.push({
          place: place(),
          ...(knownId !== null && { id: knownId }),
          message,
          excerpt: row.excerpt ?? JSON.stringify(row.values).slice(0, 300),
        });
      if (row.problem) report(`The line can't be used: ${row.problem}.`);
      else {
        const values: Values = {};
        const misfit = readRow(found, told, values);
        const id = values[idField];
        if (misfit) report(misfit);
        else if (id === null || id === undefined || id === "" || typeof id === "object")
          report(`The id column ${idField} is empty.`);
        else if (ids.has(String(id))) report(`The id ${String(id)} was there before.`, null);
        else {
          ids.add(String(id));
          const modifiedAt = watermark ? changeTimeOf(values[watermark]) : undefined;
          if (isOutside(modifiedAt)) continue;
          records.push({
            id: String(id),
            values,
            ...(modifiedAt !== undefined && { modifiedAt }),
            ...(withLocations && { place: place() }),
          });
        }
      }
    }
  };
}

/** The id of a row that can't be used as it is, under which it will be known once mended; null when it has none of its own. */
function idIn(row: Values, readers: readonly Reader[], taken: ReadonlySet<string>): string | null {
  const values: Values = {};
  const [id] = readRow(row, readers, values) === null ? Object.values(values) : [];
  if (id === null || id === undefined || typeof id === "object" || id === "") return null;
  return taken.has(String(id)) ? null : String(id);
}

function readRow(row: Row["values"], readers: readonly Reader[], values: Values): string | null {
  for (const { name, label, conform } of readers) {
    try {
      values[name] = conform(row[name]);
    } catch (error) {
      if (error instanceof TypeMismatchError) return `${label}: ${error.message}.`;
      throw error;
    }
  }
  return null;
}

function parsePosition(cursor: Cursor): Position {
  const parsed = Position.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new ConnectorError("configuration", "The stored reading position can't be understood.", {
    hint: "Resync this source to start from the beginning.",
  });
}
