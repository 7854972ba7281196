/** How far the files of an entity were read: which of them, how, and where the next row begins. */
import { ConnectorError, type Cursor } from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { TextRules } from "./cells.ts";
import type { FileSource } from "./formats/format.ts";

const Place = z.strictObject({ offset: z.int(), line: z.int() });

const Done = z.strictObject({
  size: z.number(),
  modified: z.number(),
  hash: z.string(),
  /** How it was read (`settingsHash`); positions from before that was noted have none, and hold. */
  read: z.string().optional(),
  /** The fields that its rows were read as (`schemaHash`), where files are read exactly; the same of positions without it. */
  schema: z.string().optional(),
  /** Where the next row would begin. */
  next: Place,
});

type Done = z.infer<typeof Done>;

const Position = z.strictObject({
  files: z.record(z.string(), Done),
  /** The file under way: its state when it was begun, and the next row. */
  at: Done.extend({ name: z.string() }).nullable(),
});
export type Position = z.infer<typeof Position>;

export type At = NonNullable<Position["at"]>;

/** Short, as it stands in the position of each file. */
const shortHash = (parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 12);

const settingsHash = ({ header, delimiter, encoding, dates, numbers, idColumn }: TextRules): string =>
  shortHash([header, delimiter, encoding, dates, numbers, idColumn]);

/** The types of the fields, and which one identifies a row. Between two refreshes of the schema they may not fit the settings. */
const schemaHash = ({ fields }: EntitySchema): string => {
  const active = fields
    .filter(({ status }) => status === "ACTIVE")
    .map(({ apiName, dataType, isMultiValueField, isIdField }) => [apiName, dataType, isMultiValueField, isIdField])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  return shortHash(active);
};

/** How files are read now. */
export type Way = Pick<Done, "schema"> & { read: string };

export const wayOf = (settings: TextRules, entity: EntitySchema): Way => ({
  read: settingsHash(settings),
  ...(settings.isExact && { schema: schemaHash(entity) }),
});

/** What says nothing of it was read as now, as far as anybody knows. */
export const isReadAs = (done: Pick<Done, "read" | "schema">, way: Way): boolean =>
  (done.read ?? way.read) === way.read && (way.schema === undefined || (done.schema ?? way.schema) === way.schema);

export const noted = (files: Position["files"], way: Way): Position["files"] =>
  Object.fromEntries(Object.entries(files).map(([name, done]) => [name, { ...way, ...done }]));

export const existing = (files: Position["files"], sources: readonly FileSource[]): Position["files"] => {
  const names = new Set(sources.map(({ file }) => file.name));
  return Object.fromEntries(Object.entries(files).filter(([name]) => names.has(name)));
};

export function parsePosition(cursor: Cursor): Position {
  const parsed = Position.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new ConnectorError("configuration", "The stored reading position can't be understood.", {
    hint: "Resync this source to start from the beginning.",
  });
}
