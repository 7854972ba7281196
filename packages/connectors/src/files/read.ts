/**
 * Reads an entity's files in the order of their names, row by row. A file that was read before is skipped while it is
 * unchanged, read on from where it ended when it only grew, and read again when it is another file now, or is read in another
 * way. One to which that happens while it is being read ends the pass; the next one begins it anew.
 */
import {
  changeTimeOf,
  valueParser,
  ConnectorError,
  TypeMismatchError,
  type BadRecord,
  type ReadPage,
  type ReadRequest,
  type SourceRecord,
} from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import { FILE_ROW_FIELD } from "@accord/contracts/connections/file-settings";
import { writtenFor, type TextRules } from "./cells.ts";
import { isNestedTooDeeply } from "./formats/depth.ts";
import { MAX_PAGE_BYTES, problemOf, type FileSource, type Format, type Row, type RowPage } from "./formats/format.ts";
import { hashOf } from "./hash.ts";
import { existing, isReadAs, noted, parsePosition, wayOf, type At, type Position, type Way } from "./position.ts";

/** The made-up field that identifies a row where no column does: file and line. */
export const ROW_FIELD = FILE_ROW_FIELD;

/** Whose pages these are, and how its files are written. */
export interface Reading {
  settings: TextRules;
  /** Keeps a workbook open between two pages. */
  owner: object;
  /** A row whose id can't be made out. */
  onLostRow?: (row: BadRecord) => void;
  /** The file under way is gone or was replaced: the pass ends here. */
  onReplaced?: (name: string) => void;
}

export async function readFiles(
  sources: readonly FileSource[],
  { settings, owner, onLostRow, onReplaced }: Reading,
  request: ReadRequest,
): Promise<ReadPage> {
  const position: Position = request.cursor === null ? { files: {}, at: null } : parsePosition(request.cursor);
  const convert = rowConverter(request, settings, { ...(onLostRow && { onLostRow }) });
  const checkpoint = (): void => request.signal?.throwIfAborted();
  const records: SourceRecord[] = [];
  const bad: BadRecord[] = [];
  let { at } = position;
  const way = wayOf(settings, request.entity);
  const files = noted(position.files, way);
  let room = MAX_PAGE_BYTES;
  // What stood in a file that is gone or was replaced may be nowhere any more.
  let missedDeletes = Object.keys(files).some((name) => !sources.some(({ file }) => file.name === name));
  const page = (): Omit<ReadPage, "cursor" | "drained"> => ({
    records,
    ...(bad.length > 0 && { bad }),
    ...(missedDeletes && { missedDeletes }),
  });
  while (records.length + bad.length < request.pageSize && room > 0) {
    checkpoint();
    const begun = at;
    at = at ? await stillSame(sources, at, way) : await nextFile(sources, files, way);
    if (begun && !at) onReplaced?.(begun.name);
    // Rows of another version, or read in another way, may have had other ids.
    if (begun ? !at : at && at.next.offset === 0 && files[at.name]) missedDeletes = true;
    const name = at?.name;
    const source = sources.find((candidate) => candidate.file.name === name);
    if (!at || !source) return { ...page(), cursor: { files: existing(files, sources), at: null }, drained: true };
    const most = request.pageSize - records.length - bad.length;
    const from = at.next.offset === 0 ? null : at.next;
    const rows = await source.format.read(source, settings, {
      from,
      size: at.size,
      most,
      maxBytes: room,
      owner,
      checkpoint,
    });
    // Rows that stand in the header are not read: without them nobody can say which ids there are.
    if (settings.isExact || onLostRow) demandHeader(source, rows);
    convert(source, rows.rows, records, bad);
    room -= rows.bytes;
    at = { ...at, next: rows.rows.at(-1)?.next ?? at.next };
    if (rows.finished) {
      const { name: done, ...state } = at;
      files[done] = state;
      at = null;
    }
  }
  return { ...page(), cursor: { files, at }, drained: false };
}

/** The first file that is new, changed or to be read in another way, with the place to read it from; null: there is none. */
async function nextFile(sources: readonly FileSource[], files: Position["files"], way: Way): Promise<At | null> {
  for (const { file, format } of sources) {
    const state = await file.state();
    const known = files[file.name];
    const isRead = known !== undefined && isReadAs(known, way);
    if (!state || (isRead && known.size === state.size && known.modified === state.modified)) continue;
    const hash = format.isAppendedTo ? await hashOf(file, state.size) : "";
    const grew =
      isRead && format.isAppendedTo && state.size >= known.size && (await hashOf(file, known.size)) === known.hash;
    return { name: file.name, ...state, hash, ...way, next: grew ? known.next : { offset: 0, line: 1 } };
  }
  return null;
}

/** The file under way; null when it is gone, was replaced or is read in another way now. */
async function stillSame(sources: readonly FileSource[], at: At, way: Way): Promise<At | null> {
  if (!isReadAs(at, way)) return null;
  const source = sources.find(({ file }) => file.name === at.name);
  const state = source ? await source.file.state() : null;
  if (!source || !state) return null;
  if (state.size === at.size && state.modified === at.modified) return at;
  if (!source.format.isAppendedTo) return null;
  return state.size >= at.size && (await hashOf(source.file, at.size)) === at.hash ? at : null;
}

/** Reads one column. */
interface Reader {
  name: string;
  label: string;
  read(value: Value | undefined, format: Format): Value;
}

function readerOf(field: EntitySchema["fields"][number], settings: TextRules): Reader {
  const conform = valueParser(field);
  const { apiName: name, displayName: label, dataType } = field;
  return { name, label, read: (value, format) => conform(writtenFor(dataType, value, settings, format)) };
}

const unusable = (problem: string): string => `The line can't be used: ${problem}.`;

/** @throws ConnectorError `configuration` where the row of names has quotation marks that don't fit together. */
export function demandHeader({ file }: FileSource, { headerDamage }: Pick<RowPage, "headerDamage">): void {
  if (headerDamage === undefined) return;
  throw new ConnectorError(
    "configuration",
    `The names of the columns of ${file.name} can't be read: ${headerDamage}.`,
    {
      hint: "Correct the first row and bring the file again.",
    },
  );
}

/** Ids that were there before. */
export interface SeenIds {
  has(id: string): boolean;
  add(id: string): unknown;
}

type Convert = (source: FileSource, rows: readonly Row[], records: SourceRecord[], bad: BadRecord[]) => void;

export function rowConverter(
  { entity, fields: wanted, withLocations, mode, since, until }: Omit<ReadRequest, "cursor" | "pageSize">,
  settings: TextRules,
  { onLostRow, ids = new Set<string>() }: { onLostRow?: Reading["onLostRow"]; ids?: SeenIds } = {},
): Convert {
  const idField = entity.fields.find((field) => field.isIdField)?.apiName;
  const watermark = entity.fields.find((field) => field.isWatermarkField)?.apiName;
  if (!idField)
    throw new ConnectorError("configuration", `${entity.displayName} has no id field.`, {
      hint: "Choose a column that is always filled and unique in the connector's settings.",
    });
  const names = new Set([...wanted, idField, watermark]);
  const readers = entity.fields
    .filter((field) => field.status === "ACTIVE" && names.has(field.apiName))
    .map((field) => readerOf(field, settings));
  const idReaders = readers.filter(({ name }) => name === idField);
  const [from, to] = [since?.getTime() ?? -Infinity, until?.getTime() ?? Infinity];
  // What says no time of its own is never left out.
  const isOutside = (at: string | undefined): boolean =>
    mode === "all" && at !== undefined && (Date.parse(at) < from || Date.parse(at) >= to);
  return (source, rows, records, bad) => {
    // A column that none of them has is not there any more: that is no blank.
    const told = readers.filter(({ name }) => name === ROW_FIELD || rows.some(({ values }) => name in values));
    const { format } = source;
    const at = source.part === null ? source.file.name : `${source.file.name}, sheet ${source.part}`;
    for (const row of rows) {
      const found: Values = { ...row.values, [ROW_FIELD]: `${source.file.name}:${row.line}` };
      const place = (): string => `${at}, ${source.part === null ? "line" : "row"} ${row.line}`;
      const report = (message: string, knownId: string | null): void => {
        const excerpt = row.excerpt ?? JSON.stringify(row.values).slice(0, 300);
        bad.push({ place: place(), ...(knownId !== null && { id: knownId }), message, excerpt });
      };
      const reportUnread = (message: string): void => {
        const id = idIn(found, idReaders, format);
        report(message, id === null || ids.has(id) ? null : id);
        if (id === null) onLostRow?.({ place: place(), message });
      };
      const problem = problemOf(row, settings);
      // More rows may stand in it than the one whose id it shows.
      if (row.damage !== undefined) onLostRow?.({ place: place(), message: unusable(row.damage) });
      if (problem !== undefined) reportUnread(unusable(problem));
      else {
        const values: Values = {};
        const misfit = readRow(found, told, values, format);
        const id = values[idField];
        if (misfit) reportUnread(misfit);
        else if (id === null || id === undefined || id === "" || typeof id === "object")
          reportUnread(`The id column ${idField} is empty.`);
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

/** The id of a row that can't be used as it is, under which it will be known once mended; null when it has none. */
function idIn(row: Values, readers: readonly Reader[], format: Format): string | null {
  const values: Values = {};
  if (readers.some(({ name }) => isNestedTooDeeply(row[name] ?? null))) return null;
  const [id] = readRow(row, readers, values, format) === null ? Object.values(values) : [];
  return id === null || id === undefined || typeof id === "object" || id === "" ? null : String(id);
}

function readRow(row: Row["values"], readers: readonly Reader[], values: Values, format: Format): string | null {
  for (const { name, label, read } of readers) {
    try {
      values[name] = read(row[name], format);
    } catch (error) {
      if (error instanceof TypeMismatchError) return `${label}: ${error.message}.`;
      throw error;
    }
  }
  return null;
}
