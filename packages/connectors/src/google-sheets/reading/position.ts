/** How far a tab was read: the spreadsheet as it was at the beginning of the last pass, and the last id of one under way. */
import { ConnectorError, type Cursor, type ReadRequest } from "@accord/connector-sdk";
import { googleSheets } from "@accord/contracts/messages/en/synapses/google-sheets";
import { z } from "zod";
import { digestOf } from "../digest.ts";
import type { Records } from "./records.ts";
import type { TabContent } from "./tab.ts";

const Mark = z.strictObject({
  /** Of the file, by Drive; null where that may not be asked. */
  version: z.string().nullable(),
  /** Of all values of the tab. */
  hash: z.string(),
  /** Of the ids alone. */
  ids: z.string(),
  /** What was read, and as what. */
  shape: z.string(),
  /** When the tab was last read, milliseconds. */
  readAt: z.number(),
});
export type Mark = z.infer<typeof Mark>;

const Position = z.strictObject({
  seen: Mark.nullable(),
  pass: z.strictObject({ began: Mark, after: z.string() }).nullable(),
});
export type Position = z.infer<typeof Position>;

export function parsePosition(cursor: Cursor | null): Position {
  if (cursor === null) return { seen: null, pass: null };
  const parsed = Position.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new ConnectorError("configuration", googleSheets.position, { hint: googleSheets.positionHint });
}

/** Positions are stored with each page. */
const shortDigestOf = (parts: readonly unknown[]): string => digestOf(parts).slice(0, 22);

/** Fields with other types, another id, or more of them: unchanged rows are read again for these. */
export const shapeOf = ({ entity, fields }: Pick<ReadRequest, "entity" | "fields">): string =>
  shortDigestOf([
    [...fields].sort(),
    entity.fields
      .filter(({ status }) => status === "ACTIVE")
      .map(({ apiName, dataType, isIdField }) => [apiName, dataType, isIdField])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  ]);

export const markOf = (
  version: string | null,
  shape: string,
  { hash, readAt }: TabContent,
  { byId, doubled }: Records,
): Mark => ({ version, hash, ids: shortDigestOf([...byId.keys(), ...doubled.keys()].sort()), shape, readAt });
