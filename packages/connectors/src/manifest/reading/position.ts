/** How far the reading of a stream is: the time up to which it is known, and the pass under way. */
import { ConnectorError, type Cursor } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";
import { z } from "zod";

const AnyValue = z.custom<Value>((value) => value !== undefined);
const AnyValues = z.custom<Values>((value) => typeof value === "object" && value !== null && !Array.isArray(value));

/** Fingerprints of partitions; null where there are more than are kept. */
const Partitions = z.array(z.string()).nullable();
const MAX_PARTITIONS = 5_000;

export const Pass = z.strictObject({
  /** ISO; null for streams that are not read by time. */
  start: z.string().nullable(),
  /** ISO: where a partition begins that was in no pass before. */
  first: z.string().nullable().default(null),
  /** ISO: where the partition under way begins. */
  begun: z.string().nullable().default(null),
  /** Partitions that were read to their end by the pass before, and by this one. */
  known: Partitions.default(null),
  read: Partitions.default(null),
  end: z.string().nullable(),
  /** The partition under way with its place, and the place of the last one that was looked at. */
  partition: z.strictObject({ values: AnyValues, extra: AnyValues }).nullable(),
  place: AnyValue,
  /** ISO: where the present interval begins. */
  from: z.string().nullable(),
  token: AnyValue,
  /** Pages of the present interval that are behind us. */
  pages: z.int(),
  /** Records of the present page that were handed on, and a fingerprint of the last of them. */
  skip: z.int(),
  mark: z.string().nullable(),
  /** ISO: the latest change that was seen. */
  newest: z.string().nullable(),
  /** A numbered list had several pages: something may have slid past between them. */
  hasSlid: z.boolean(),
});
export type Pass = z.infer<typeof Pass>;

const Position = z.strictObject({
  /** ISO: changes after it are asked for; null: from the beginning. */
  state: z.string().nullable(),
  /** ISO: the state after the next pass, where the last one has to be read over once. */
  next: z.string().nullable(),
  pass: Pass.nullable(),
  /** Partitions that are read up to `state`; null where that is not known. */
  partitions: Partitions.default(null),
  /** Those that are read up to `next`. */
  nextPartitions: Partitions.default(null),
});
export type Position = z.infer<typeof Position>;

export const BEGINNING: Position = { state: null, next: null, pass: null, partitions: null, nextPartitions: null };

/** Where a partition begins: one that appeared since the last pass has never been read. */
export const startIn = ({ start, first, known }: Pass, partition: string): string | null =>
  known === null || known.includes(partition) ? start : first;

export function withRead({ read }: Pass, partition: string): Pass["read"] {
  if (read === null || read.includes(partition)) return read;
  return read.length >= MAX_PARTITIONS ? null : [...read, partition];
}

const notUnderstood = (): ConnectorError =>
  new ConnectorError("configuration", "The stored reading position can't be understood.", {
    hint: "Resync this source to start from the beginning.",
  });

export function parsePosition(cursor: Cursor | null): Position {
  if (cursor === null) return BEGINNING;
  const parsed = Position.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw notUnderstood();
}

export function parsePass(value: Value): Pass {
  const parsed = Pass.safeParse(value);
  if (parsed.success) return parsed.data;
  throw notUnderstood();
}

/** The position after a whole pass. Where a list may have slid, what the pass covered is read over once by the next. */
export function afterPass(position: Position, { start, newest, hasSlid, read }: Pass): Position {
  const { state, next } = position;
  // Where nothing is known yet, the next pass begins where this one did.
  const reached = latest([state, next, newest]) ?? start;
  if (hasSlid) {
    const partitions = read && (position.nextPartitions ?? position.partitions);
    return { state: next ?? state ?? start, next: reached, pass: null, partitions, nextPartitions: read };
  }
  return { state: reached, next: null, pass: null, partitions: read, nextPartitions: null };
}

const latest = (times: readonly (string | null)[]): string | null =>
  times.reduce((last, time) => (time !== null && (last === null || time > last) ? time : last), null);
