/** The values of one row as its statement takes them, and what is refused of them before it is sent. */
import { TypeMismatchError, type WriteOutcome } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import type { SqlValue } from "../client.ts";
import type { Column } from "../columns.ts";
import type { Source } from "../reading/source.ts";
import { writtenValue } from "../values.ts";

export class WrongValueError extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

export function writtenValues(source: Source, values: Values): Map<Column, SqlValue> {
  const written = new Map<Column, SqlValue>();
  for (const { field, column } of source.fields) {
    const value = values[field.apiName];
    if (!column || value === undefined) continue;
    const kind = field.dataType === "object" && column.kind === "text" ? "json" : column.kind;
    try {
      written.set(column, writtenValue({ ...column, kind }, value));
    } catch (error) {
      if (!(error instanceof TypeMismatchError)) throw error;
      throw new WrongValueError(field.apiName, `${field.displayName}: ${error.message}.`);
    }
  }
  return written;
}

/** Names and words of a statement, at most. */
const STATEMENT_BYTES = 20_000;

/** Bytes of a statement with these values, each in quotes or as hexadecimal digits. */
export function bytesOf(values: ReadonlyMap<Column, SqlValue>): number {
  let bytes = STATEMENT_BYTES;
  for (const value of values.values()) {
    if (Buffer.isBuffer(value)) bytes += 2 * value.length;
    else if (typeof value === "string") bytes += Buffer.byteLength(value) + (value.match(ESCAPED)?.length ?? 0);
  }
  return bytes;
}

const ESCAPED = /["'\\\p{Cc}]/gu;

/** The server would end the connection, and with it what else is written. */
export const tooLarge = (bytes: number, maxPacket: number): WriteOutcome => ({
  status: "rejected",
  code: "too_long",
  message: `The record takes about ${bytes} bytes; the server takes ${maxPacket} at most (max_allowed_packet).`,
});
