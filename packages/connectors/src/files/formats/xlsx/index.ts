/** XLSX workbooks: each visible sheet is a table. Sheets are unpacked as they are read, from their first row on. */
import { ConnectorError } from "@accord/connector-sdk";
import type { FileSettings } from "@accord/contracts/connections/file-settings";
import type { Value } from "@accord/contracts/data/values";
import { withFile, type Bytes, type StoredFile } from "../../places/place.ts";
import {
  MAX_PAGE_BYTES,
  type Checkpoint,
  type FileSource,
  type Format,
  type Row,
  type RowPage,
  type RowRequest,
} from "../format.ts";
import { namesOf } from "../layout.ts";
import { notAWorkbook, openArchive, workbookError, XLSX_LIMITS } from "./archive.ts";
import { mergedRange, sheetRows, type SheetRow } from "./sheet.ts";
import { readSharedTexts, readStyles, readWorkbook, type Sheet } from "./workbook.ts";

export const xlsx: Format = {
  id: "xlsx",
  endings: ["xlsx"],
  isText: false,
  printsDoubles: true,
  isAppendedTo: false,
  async parts(file) {
    return (await sheetsOf(file)).map(({ name }) => name);
  },
  read: readSheet,
  async release(owner) {
    const sheet = opened.get(owner);
    opened.delete(owner);
    await sheet?.close();
  },
};

async function sheetsOf(file: StoredFile): Promise<Sheet[]> {
  const size = (await file.state())?.size ?? 0;
  return withFile(file, async (bytes) => {
    try {
      return (await readWorkbook(await openArchive(bytes, size))).sheets;
    } catch (error) {
      throw workbookError(error);
    }
  });
}

/** A sheet between two pages: going on is cheap, and reading up to a row from the first one is not. */
interface OpenSheet {
  key: string;
  rows: AsyncGenerator<SheetRow, undefined>;
  columns: string[] | null;
  /** Was read and not answered yet. */
  pending: SheetRow | null;
  /** Number of the first row that was not answered. */
  nextLine: number;
  /** Of whoever reads from it now. */
  waiting: Waiting;
  close(): Promise<void>;
}

/** Whether somebody does; a sheet stays open from one request to the next. */
interface Waiting {
  checkpoint: Checkpoint | undefined;
}

const opened = new WeakMap<object, OpenSheet>();

async function readSheet(source: FileSource, settings: FileSettings, request: RowRequest): Promise<RowPage> {
  const { size, modified } = (await source.file.state()) ?? { size: 0, modified: 0 };
  const { owner, from } = request;
  const key = JSON.stringify([source.file.name, source.part, size, modified, settings.header]);
  const kept = owner && opened.get(owner);
  const isNext = kept !== undefined && kept.key === key && from?.line === kept.nextLine;
  if (owner && kept) opened.delete(owner);
  if (kept && !isNext) await kept.close();
  const sheet = isNext ? kept : await openSheet(source, size, key, from === null);
  sheet.waiting.checkpoint = request.checkpoint;
  try {
    const page = await takeRows(sheet, settings, request);
    if (owner && !page.finished) opened.set(owner, sheet);
    else await sheet.close();
    return page;
  } catch (error) {
    await sheet.close();
    // Its own reason, not what the library makes of an end in the middle.
    request.checkpoint?.();
    throw workbookError(error);
  }
}

async function openSheet(
  { file, part }: FileSource,
  size: number,
  key: string,
  isFromStart: boolean,
): Promise<OpenSheet> {
  const bytes = await file.open();
  const waiting: Waiting = { checkpoint: undefined };
  const rows = rowsOf(bytes, size, { part, isFromStart, checkpoint: () => waiting.checkpoint?.() });
  const close = async (): Promise<void> => {
    await rows.return(undefined);
    await bytes.close();
  };
  return { key, rows, columns: null, pending: null, nextLine: 0, waiting, close };
}

/** The rows of a sheet from the first on. Joined cells in its first row are refused: nobody can say which column they name. */
async function* rowsOf(
  bytes: Bytes,
  size: number,
  { part, isFromStart, checkpoint }: { part: string | null; isFromStart: boolean; checkpoint: Checkpoint },
): AsyncGenerator<SheetRow, undefined> {
  const archive = await openArchive(bytes, size);
  const { sheets, isFrom1904, texts, styles } = await readWorkbook(archive);
  const sheet = sheets.find(({ name }) => name === part);
  if (!sheet) throw notAWorkbook();
  const context = {
    texts: await readSharedTexts(archive, texts, checkpoint),
    styles: await readStyles(archive, styles, checkpoint),
    isFrom1904,
  };
  const unpack = () => archive.unpack(sheet.path, XLSX_LIMITS.sheetBytes);
  // Whoever goes on somewhere in it has seen its beginning.
  let isChecked = !isFromStart;
  for await (const row of sheetRows(await unpack(), context, checkpoint)) {
    const merged = isChecked ? undefined : await mergedRange(await unpack(), row.number, checkpoint);
    if (merged !== undefined) throw mergedHeader(sheet.name, merged);
    isChecked = true;
    yield row;
  }
  return undefined;
}

const mergedHeader = (sheet: string, range: string): ConnectorError =>
  new ConnectorError(
    "configuration",
    `The cells ${range} of sheet ${sheet} are merged, above or in the row of names.`,
    {
      hint: "Unmerge them, give each column a name of its own in the first row, and save the workbook again.",
    },
  );

async function takeRows(
  sheet: OpenSheet,
  { header }: FileSettings,
  { from, most, maxBytes = MAX_PAGE_BYTES }: RowRequest,
): Promise<RowPage> {
  const page: RowPage = { rows: [], finished: false, columns: null, bytes: 0 };
  for (;;) {
    const row = sheet.pending ?? (await sheet.rows.next()).value ?? null;
    sheet.pending = null;
    page.columns = sheet.columns ?? [];
    if (row === null) return { ...page, finished: true };
    if (sheet.columns === null) {
      sheet.columns = headerOf(row, header !== "no");
      if (header !== "no") continue;
    }
    if (from !== null && row.number < from.line) continue;
    if (page.rows.length >= most || page.bytes >= maxBytes) {
      sheet.pending = row;
      sheet.nextLine = page.rows.at(-1)?.next.line ?? row.number;
      return { ...page, columns: sheet.columns };
    }
    page.rows.push(rowOf(row, sheet.columns));
    page.bytes += row.bytes;
  }
}

function headerOf({ number, cells }: SheetRow, isHeader: boolean): string[] {
  const width = Math.max(...cells.keys()) + 1;
  const names = Array.from({ length: width }, (_, at) => {
    const cell = isHeader ? cells.get(at) : undefined;
    if (cell && "problem" in cell)
      throw new ConnectorError("configuration", `The name of column ${at + 1} in row ${number} ${cell.problem}.`, {
        hint: "Write the names of the columns as plain texts.",
      });
    return cell && cell.value !== null ? String(cell.value) : "";
  });
  return namesOf(names);
}

function rowOf({ number, cells }: SheetRow, columns: readonly string[]): Row {
  const next = { offset: number + 1, line: number + 1 };
  const values: { [column: string]: Value } = {};
  let problem: string | undefined;
  for (const [at, column] of columns.entries()) {
    const cell = cells.get(at);
    if (cell && "problem" in cell) problem ??= `the cell of ${column} ${cell.problem}`;
    values[column] = cell && "value" in cell ? cell.value : null;
  }
  const beyond = [...cells.keys()].find((at) => at >= columns.length);
  if (beyond !== undefined) problem ??= `it has a value in column ${beyond + 1}, which has no name`;
  return { line: number, next, values, ...(problem !== undefined && { problem }) };
}
