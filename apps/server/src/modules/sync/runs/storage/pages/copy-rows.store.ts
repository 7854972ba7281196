/** Many rows into several tables by COPY: the fastest way in, measured against unnest in the same run of `bench sync`. */
import type { Value } from "@accord/contracts/data/values";
import type { Connection, PoolClient, Submittable } from "pg";

/** Rows for a table (with its column list) as the server takes them; null for none. */
export interface CopyInto {
  target: string;
  message: Buffer | null;
}

const COPY_DATA = 0x64;
/** Kind and length of a message. */
const HEAD_BYTES = 5;
const FIRST_BYTES = 64 * 1024;
/** Most that a character takes in UTF-8, by UTF-16 units. */
const BYTES_A_UNIT = 3;
const [TAB, LINE_FEED, QUOTE] = [0x09, 0x0a, 0x22];

/**
 * Collects rows as bytes outside of the JavaScript heap, character by character: texts put together from thousands of
 * pieces would keep the collection of young objects busy, and outlive it until their page is through.
 */
export class CopyLines {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = HEAD_BYTES;

  /** What is in COPY's form already, ends of columns and rows included. ASCII. */
  add(text: string): void {
    this.#makeRoom(text);
    this.#copied(text, AS_IT_IS);
  }

  /** A column's value and its end. Objects and lists go as JSON, null as COPY's own. */
  column(value: unknown): void {
    if (value === null || value === undefined) this.add("\\N");
    else if (typeof value === "string") this.text(value);
    else this.text(typeof value === "object" ? JSON.stringify(value) : String(value));
    this.#bytes[this.#length++] = TAB;
  }

  /** A part of a column. */
  text(text: string): void {
    this.#makeRoom(text);
    if (this.#copied(text, AS_TEXT)) return;
    // There is room: what is escaped takes two bytes, where three are counted.
    this.#length += this.#bytes.write(escapeText(text), this.#length);
  }

  /** A value as JSON, within a column. */
  json(value: Value | undefined): void {
    if (typeof value !== "string") {
      const isNumber = typeof value === "number" && Number.isFinite(value);
      this.text(isNumber ? String(value) : JSON.stringify(value ?? null));
      return;
    }
    this.#makeRoom(value);
    const from = this.#length;
    this.#bytes[this.#length++] = QUOTE;
    if (this.#copied(value, AS_JSON)) this.#bytes[this.#length++] = QUOTE;
    else {
      this.#length = from;
      this.text(JSON.stringify(value));
    }
  }

  /** Ends a row, in place of its last column's end. */
  endRow(): void {
    this.#bytes[this.#length - 1] = LINE_FEED;
  }

  into(target: string): CopyInto {
    if (this.#length === HEAD_BYTES) return { target, message: null };
    const message = this.#bytes.subarray(0, this.#length);
    message[0] = COPY_DATA;
    message.writeUInt32BE(this.#length - 1, 1);
    return { target, message };
  }

  /** Copies a text of nothing but characters that may stand as they are; else false, and nothing is copied. */
  #copied(text: string, mayStand: Uint8Array): boolean {
    const bytes = this.#bytes;
    const from = this.#length;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit > ASCII || mayStand[unit] === 0) return false;
      bytes[from + index] = unit;
    }
    this.#length = from + text.length;
    return true;
  }

  /** For the text, quotes around it and a column's end. */
  #makeRoom(text: string): void {
    const most = this.#length + text.length * BYTES_A_UNIT + HEAD_BYTES;
    if (most <= this.#bytes.length) return;
    const bytes = Buffer.allocUnsafe(Math.max(most, this.#bytes.length * 2));
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }
}

/** Last character of one byte. */
const ASCII = 127;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const escapeText = (text: string): string => text.replace(/[\\\n\r\t]/g, (found) => ESCAPES[found] ?? found);

/** Which characters of one byte may stand as they are. */
const standing = (may: (character: string) => boolean): Uint8Array =>
  Uint8Array.from({ length: ASCII + 1 }, (_, unit) => Number(may(String.fromCharCode(unit))));
const AS_IT_IS = standing(() => true);
const AS_TEXT = standing((character) => !(character in ESCAPES));
const AS_JSON = standing((character) => character >= " " && character !== '"' && character !== "\\");

/**
 * Copies into all tables, in order. Everything is sent at once: PostgreSQL goes from one table to the next without
 * waiting for this process, which computes the next page meanwhile.
 */
export function copyRows(client: PoolClient, copies: readonly CopyInto[]): Promise<void> {
  if (copies.every(({ message }) => message === null)) return Promise.resolve();
  return send(client, copies, null, () => {});
}

/** What writing to these tables takes. */
export const lockFor = (tables: readonly string[]): string => `LOCK TABLE ${tables.join(", ")} IN ROW EXCLUSIVE MODE`;

/** The same as `copyRows`, in one message with the locks that writing to the tables takes; `onLocked` runs once they are held. */
export const lockAndCopy = (
  client: PoolClient,
  tables: readonly string[],
  copies: readonly CopyInto[],
  onLocked: () => void,
): Promise<void> => send(client, copies, lockFor(tables), onLocked);

const send = (
  client: PoolClient,
  copies: readonly CopyInto[],
  lock: string | null,
  onLocked: () => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new Copies(copies, lock, onLocked, (error) => (error ? reject(error) : resolve())));
  });

const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);

/** What the driver calls while this is the query under way; it looks for `callback` too. */
class Copies implements Submittable {
  readonly callback: (error?: Error) => void;
  readonly #copies: readonly CopyInto[];
  readonly #lock: string | null;
  readonly #onLocked: () => void;

  constructor(
    copies: readonly CopyInto[],
    lock: string | null,
    onLocked: () => void,
    callback: (error?: Error) => void,
  ) {
    this.#copies = copies;
    this.#lock = lock;
    this.#onLocked = onLocked;
    this.callback = callback;
  }

  /** Data that comes after a COPY, or the lock before it, has failed is ignored by PostgreSQL. */
  submit(connection: Connection): void {
    const full = this.#copies.flatMap(({ target, message }) => (message ? [{ target, message }] : []));
    const statements = full.map(({ target }) => `COPY ${target} FROM STDIN`);
    connection.query([...(this.#lock === null ? [] : [this.#lock]), ...statements].join(";"));
    for (const { message } of full) {
      connection.stream.write(message);
      connection.stream.write(COPY_DONE);
    }
  }

  handleCopyInResponse(): void {}

  /** The lock is the first statement; `onLocked` changes nothing when it runs again for the next ones. */
  handleCommandComplete(): void {
    this.#onLocked();
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback();
  }
}
