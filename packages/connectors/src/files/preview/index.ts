/** Looks at a whole file before it is used: how it seems to be written, what has to be asked, its first rows, what is wrong. */
import {
  ConnectorError,
  isUniquelyFilled,
  valueParser,
  type BadRecord,
  type SourceRecord,
  type UploadedFile,
} from "@accord/connector-sdk";
import { FILE_PREVIEW_ROWS, type FileTablePreview } from "@accord/contracts/connections/connector-files";
import type { FileSettings, PartialFileSettings } from "@accord/contracts/connections/file-settings";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { DataType, Value, Values } from "@accord/contracts/data/values";
import { writtenFor, type TextRules } from "../cells.ts";
import { describeTable } from "../describe.ts";
import { formatOf } from "../formats/index.ts";
import { problemOf, type FileSource, type Format, type Row } from "../formats/format.ts";
import { isNestedTooDeeply } from "../formats/depth.ts";
import { isNamedLikeId } from "../formats/layout.ts";
import type { StoredFile } from "../places/place.ts";
import { uploadedFile } from "../places/uploaded.ts";
import { rowConverter, ROW_FIELD } from "../read.ts";
import { entityName } from "../tables.ts";
import { VersionComparison } from "./changes.ts";
import { propose } from "./propose.ts";
import { IdCounts, KnownIds } from "./ids.ts";
import { deadline, eachPage, OutOfTime, type Deadline } from "./pages.ts";

/** Milliseconds for one table, for finding out how it is written, and for all of a file: a person waits. */
const MOST_MS = 20_000;
const PROPOSE_MS = 10_000;
const FILE_MS = 60_000;
const BAD_SHOWN = 5;
/** As many as types are found out from. */
const SAMPLE_ROWS = 1_000;
const CELL_SHOWN = 200;
/** Files that are looked at are read exactly. */
const EXACT = { isExact: true } as const;
const NUMERIC: ReadonlySet<DataType> = new Set<DataType>(["integer", "double", "decimal"]);

export interface PreviewRequest {
  /** By entity. */
  chosen: Readonly<Record<string, PartialFileSettings>>;
  /** What was said of earlier versions: it holds where the file does not speak against it. */
  known: Readonly<Record<string, PartialFileSettings>>;
  /** The version in use. */
  earlier: UploadedFile | null;
  now(): number;
}

/** @throws ConnectorError `configuration` for a file that can't be read at all. */
export async function previewFile(
  uploaded: UploadedFile,
  { chosen, known, earlier, now }: PreviewRequest,
): Promise<FileTablePreview[]> {
  const tables = await sourcesIn(uploadedFile(uploaded));
  if (tables.length === 0) throw new ConnectorError("configuration", "The workbook has no visible sheet.");
  const former = earlier ? await sourcesIn(uploadedFile(earlier)).catch(() => []) : [];
  const previews: FileTablePreview[] = [];
  const end = now() + FILE_MS;
  const problems: ConnectorError[] = [];
  for (const source of tables) {
    const entity = entityName(uploaded.name, source.part);
    const before = former.find(({ part }) => part === source.part);
    const said = { chosen: saidOf(chosen, entity), known: saidOf(known, entity) };
    try {
      previews.push(await previewTable({ entity, source, ...said, before, now, end }));
    } catch (caught) {
      const error = caught instanceof OutOfTime ? tooLong() : caught;
      if (!(error instanceof ConnectorError)) throw error;
      problems.push(error);
      previews.push(unreadTable({ entity, source, ...said }, error));
    }
  }
  const [first] = problems;
  if (first && problems.length === tables.length) throw first;
  return previews;
}

/** Files may be called like what every object has. */
const saidOf = (said: PreviewRequest["known"], entity: string): PartialFileSettings =>
  (Object.hasOwn(said, entity) ? said[entity] : undefined) ?? {};

const tooLong = (): ConnectorError =>
  new ConnectorError("configuration", "Looking at it takes too long.", {
    hint: "Save the sheet as a CSV file, or split it into several files.",
  });

/** A table that can't be read, beside others that can. */
function unreadTable(
  { entity, source, chosen, known }: Pick<Table, "entity" | "source" | "chosen" | "known">,
  { message, hint }: ConnectorError,
): FileTablePreview {
  const place = source.part === null ? source.file.name : `${source.file.name}, sheet ${source.part}`;
  return {
    ...{ entity, sheet: source.part, format: source.format.id },
    settings: {
      ...{ header: "auto", delimiter: "auto", encoding: "utf-8", dates: "yearFirst", numbers: "plain", idColumn: null },
      ...known,
      ...chosen,
    },
    ...{ questions: [], columns: [], rows: [], rowCount: 0, isComplete: false, ids: [], missingColumns: [] },
    unreadable: { count: 1, first: [{ place, message: [message, hint].filter(Boolean).join(" ") }] },
    changes: null,
  };
}

async function sourcesIn(file: StoredFile): Promise<FileSource[]> {
  const format = formatOf(file.name);
  if (!format) throw new ConnectorError("configuration", `${file.name} is no CSV, JSON Lines or XLSX file.`);
  const parts = format.parts ? await format.parts(file) : [null];
  return parts.map((part) => ({ file, format, part }));
}

interface Table {
  entity: string;
  source: FileSource;
  chosen: PartialFileSettings;
  known: PartialFileSettings;
  before: FileSource | undefined;
  now(): number;
  /** When time is over for the whole file. */
  end: number;
}

async function previewTable({ entity, source, chosen, known, before, now, end }: Table): Promise<FileTablePreview> {
  const within = (milliseconds: number): Deadline => deadline(now, Math.min(now() + milliseconds, end));
  const [toPropose, time] = [within(PROPOSE_MS), within(MOST_MS)];
  let isProven = true;
  const eachOf = async (of: FileSettings, take: (rows: readonly Row[]) => void): Promise<void> => {
    isProven = await eachPage(source, of, toPropose, take);
  };
  const numericColumns = (of: FileSettings) => numericIn(entity, source, of, time);
  const { settings, questions } = await propose(source, { chosen, known }, { eachPage: eachOf, numericColumns });
  const rules: TextRules = { ...settings, ...EXACT };
  const schema = await describeTable(entity, [source], rules, time.checkpoint);
  const columns = schema.fields.filter(({ apiName }) => apiName !== ROW_FIELD);
  // Not the one that was chosen, where that column is not there any more.
  const idColumn = schema.fields.find(({ isIdField }) => isIdField)?.apiName ?? ROW_FIELD;
  const first: Row[] = [];
  const ids: IdCounts[] = [];
  let rowCount = 0;
  const unreadable: FileTablePreview["unreadable"] = { count: 0, first: [] };
  const formerSettings: TextRules = { ...rules, ...known };
  const comparison = before ? await comparedWith(before, schema, formerSettings, time) : null;
  const seen = new KnownIds();
  const convert = rowConverter({ entity: schema, fields: fieldNames(schema), mode: "all" }, rules, { ids: seen });
  const isCounted = await eachPage(source, settings, time, (rows) => {
    const [counts = new IdCounts(idCandidates(idColumn, columns, rows))] = ids;
    ids[0] = counts;
    const bad: BadRecord[] = [];
    const records: SourceRecord[] = [];
    convert(source, rows, records, bad);
    comparison?.addAfter(records);
    for (const row of rows) {
      if (!problemOf(row, EXACT)) counts.add(row.values);
      if (first.length < FILE_PREVIEW_ROWS) first.push(row);
    }
    rowCount += rows.length;
    unreadable.count += bad.length;
    const shown = bad.slice(0, BAD_SHOWN - unreadable.first.length);
    unreadable.first.push(...shown.map(({ place, message }) => ({ place, message })));
    return !seen.isFull && !counts.isFull;
  });
  const isComplete = isProven && isCounted;
  return {
    entity,
    sheet: source.part,
    format: source.format.id,
    settings: { ...settings, idColumn },
    questions,
    columns: columns.map(({ apiName: name, dataType }) => ({ name, dataType })),
    rows: first.map((row) => cellsOf(row, columns, rules, source.format)),
    rowCount,
    isComplete,
    ids: ids[0]?.list() ?? [],
    unreadable,
    missingColumns: before ? await missingIn(before, formerSettings, columns, time) : [],
    changes: comparison && isComplete ? comparison.result() : null,
  };
}

async function numericIn(
  entity: string,
  source: FileSource,
  settings: FileSettings,
  { checkpoint }: Deadline,
): Promise<ReadonlySet<string>> {
  const { fields } = await describeTable(entity, [source], { ...settings, ...EXACT }, checkpoint);
  return new Set(fields.filter(({ dataType }) => NUMERIC.has(dataType)).map(({ apiName }) => apiName));
}

const fieldNames = (schema: EntitySchema): string[] =>
  schema.fields.map(({ apiName }) => apiName).filter((name) => name !== ROW_FIELD);

/** Knows the rows of the version in use as they are read; null where that takes too long, or it can't be read any more. */
async function comparedWith(
  before: FileSource,
  schema: EntitySchema,
  settings: TextRules,
  time: Deadline,
): Promise<VersionComparison | null> {
  const comparison = new VersionComparison();
  const convert = rowConverter({ entity: schema, fields: fieldNames(schema), mode: "all" }, settings, {
    ids: new KnownIds(),
  });
  const reading = eachPage(before, settings, time, (rows) => {
    const records: SourceRecord[] = [];
    convert(before, rows, records, []);
    comparison.addBefore(records);
    return !comparison.isFull;
  });
  const isComplete = await reading.catch((error: unknown) => {
    if (error instanceof ConnectorError) return false;
    throw error;
  });
  return isComplete ? comparison : null;
}

/** The one in use, and those that are named like one or differ in each of the first rows. */
function idCandidates(idColumn: string, columns: EntitySchema["fields"], rows: readonly Row[]): string[] {
  const samples = rows.slice(0, SAMPLE_ROWS).flatMap((row) => (problemOf(row, EXACT) ? [] : [row.values]));
  const isCandidate = (name: string): boolean => isNamedLikeId(name) || isUniquelyFilled(name, samples);
  const others = columns.map(({ apiName }) => apiName).filter((name) => name !== idColumn && isCandidate(name));
  return idColumn === ROW_FIELD ? others : [idColumn, ...others];
}

type Cell = FileTablePreview["rows"][number][number];

const cellsOf = (row: Row, columns: EntitySchema["fields"], settings: TextRules, format: Format): Cell[] =>
  columns.map((field): Cell => {
    const value = row.values[field.apiName] ?? null;
    return { written: shown(value), read: readCell(field, value, settings, format) };
  });

function readCell(
  field: EntitySchema["fields"][number],
  value: Value,
  settings: TextRules,
  format: Format,
): string | null {
  try {
    return shown(valueParser(field)(writtenFor(field.dataType, value, settings, format)));
  } catch {
    return null;
  }
}

function shown(value: Value): string {
  if (value !== null && isNestedTooDeeply(value)) return "…";
  const text = value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.slice(0, CELL_SHOWN);
}

async function missingIn(
  before: FileSource,
  settings: FileSettings,
  columns: EntitySchema["fields"],
  { checkpoint }: Deadline,
): Promise<string[]> {
  const size = (await before.file.state())?.size ?? 0;
  const request = { from: null, size, most: 20, checkpoint };
  const page = await before.format.read(before, settings, request).catch(() => null);
  const names = page?.columns ?? [
    ...new Set(page?.rows.flatMap(({ values }: { values: Values }) => Object.keys(values))),
  ];
  return names.filter((name) => !columns.some(({ apiName }) => apiName === name));
}
