/** The fields of a table, found out from its first rows and from what was said of its files. */
import { detectKeyFields, inferFields, titleOf } from "@accord/connector-sdk";
import { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import { hasManyDigits, losesDigits, plainMoment, plainText, type TextRules } from "./cells.ts";
import { problemOf, type Checkpoint, type FileSource } from "./formats/format.ts";
import { likelyIdColumn } from "./formats/layout.ts";
import { demandHeader, ROW_FIELD } from "./read.ts";

/** Rows looked at to find out types. */
const SAMPLE_ROWS = 1000;

export async function describeTable(
  name: string,
  sources: readonly FileSource[],
  settings: TextRules,
  checkpoint?: Checkpoint,
): Promise<EntitySchema> {
  const samples: Values[] = [];
  let columns: string[] | null = null;
  let [isText, printsDoubles] = [false, false];
  for (const source of sources) {
    if (samples.length >= SAMPLE_ROWS) break;
    const size = (await source.file.state())?.size ?? 0;
    const most = SAMPLE_ROWS - samples.length;
    const page = await source.format.read(source, settings, {
      from: null,
      size,
      most,
      ...(checkpoint && { checkpoint }),
    });
    if (settings.isExact) demandHeader(source, page);
    samples.push(...page.rows.flatMap((row) => (problemOf(row, settings) ? [] : [row.values])));
    columns ??= page.columns;
    ({ isText, printsDoubles = false } = source.format);
  }
  const plain = samples.map((sample) => plainValues(sample, settings, isText));
  const isLong = (value: Value | undefined): boolean =>
    typeof value === "string" ? hasManyDigits(value.trim()) : losesDigits(value, printsDoubles);
  const blank = Object.fromEntries((columns ?? []).map((column) => [column, null]));
  const inferred = inferFields([blank, ...plain], { texts: isText }).map((field) =>
    settings.isExact && field.dataType === "double" && plain.some((sample) => isLong(sample[field.apiName]))
      ? { ...field, dataType: "decimal" as const }
      : field,
  );
  const named = detectKeyFields(inferred, samples);
  const names = inferred.map((field) => field.apiName);
  const chosen = settings.idColumn !== null && [...names, ROW_FIELD].includes(settings.idColumn);
  const id = chosen
    ? settings.idColumn
    : (named.find((field) => field.isIdField)?.apiName ?? likelyIdColumn(names, samples));
  return EntitySchema.parse({
    apiName: name,
    displayName: titleOf(name),
    readOnly: true,
    fields: [...named, ROW].map((field) => ({
      ...field,
      isIdField: field.apiName === (id ?? ROW_FIELD),
      unique: field.unique || field.apiName === id,
      updateable: false,
      initializable: false,
    })),
  });
}

const ROW = FieldSchema.parse({
  apiName: ROW_FIELD,
  displayName: "File and line",
  description: "Identifies a row by its place, for files that have no id column.",
  unique: true,
  isSystem: true,
  nillable: false,
});

const plainValues = (sample: Values, settings: TextRules, isText: boolean): Values =>
  Object.fromEntries(
    Object.entries(sample).map(([column, value]) => [
      column,
      typeof value === "string" ? (isText ? plainText : plainMoment)(value, settings) : value,
    ]),
  );
