/** Reads messages of PostgreSQL's `pgoutput` plugin (protocol version 1, values as text): which rows changed, and when. */

/** Values in the order of the relation's columns. `undefined`: not told, because unchanged or cut off. */
export type Tuple = (string | null | undefined)[];

/** LSNs are positions in the write-ahead log, as numbers. */
export type ReplicationMessage =
  | { kind: "begin"; commitLsn: bigint }
  | { kind: "commit"; endLsn: bigint }
  | { kind: "relation"; relationId: number; schema: string; table: string; columns: string[] }
  /** `old`: the replica identity before the change, where it is told. `current`: null for a deletion. */
  | { kind: "change"; relationId: number; old: Tuple | null; current: Tuple | null }
  | { kind: "truncate"; relationIds: number[] }
  | { kind: "other" };

/**
 * One message. `bytes` may be the beginning of a longer one, except for relations: values beyond its end are `undefined`.
 */
export function parseMessage(bytes: Buffer): ReplicationMessage {
  const reader = new MessageReader(bytes);
  switch (reader.character()) {
    case "B":
      return { kind: "begin", commitLsn: reader.int64() };
    case "C":
      reader.skip(1 + 8);
      return { kind: "commit", endLsn: reader.int64() };
    case "R":
      return relation(reader);
    case "I":
      return { kind: "change", relationId: reader.int32(), old: null, current: newTuple(reader) };
    case "U": {
      const relationId = reader.int32();
      const old = oldTuple(reader);
      return { kind: "change", relationId, old, current: newTuple(reader) };
    }
    case "D":
      return { kind: "change", relationId: reader.int32(), old: oldTuple(reader), current: null };
    case "T": {
      const count = reader.int32();
      reader.skip(1);
      return { kind: "truncate", relationIds: Array.from({ length: count }, () => reader.int32()) };
    }
    default:
      return { kind: "other" };
  }
}

/** `0/16B3748` as a number. */
export function lsnOf(text: string): bigint {
  const [high = "0", low = "0"] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

export const lsnText = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffff_ffffn).toString(16).toUpperCase()}`;

function relation(reader: MessageReader): ReplicationMessage {
  const relationId = reader.int32();
  const [schema, table] = [reader.text(), reader.text()];
  reader.skip(1);
  const columns = Array.from({ length: reader.int16() }, () => {
    reader.skip(1);
    const name = reader.text();
    reader.skip(4 + 4);
    return name;
  });
  return { kind: "relation", relationId, schema, table, columns };
}

function oldTuple(reader: MessageReader): Tuple | null {
  const kind = reader.peek();
  if (kind !== "K" && kind !== "O") return null;
  reader.skip(1);
  return tuple(reader);
}

function newTuple(reader: MessageReader): Tuple {
  if (!reader.has(1)) return [];
  reader.skip(1);
  return tuple(reader);
}

function tuple(reader: MessageReader): Tuple {
  if (!reader.has(2)) return [];
  const values: Tuple = [];
  for (let left = reader.int16(); left > 0 && reader.has(1); left -= 1) {
    const kind = reader.character();
    if (kind === "n") values.push(null);
    else if (kind === "u") values.push(undefined);
    else if (!reader.has(4)) reader.end();
    else values.push(reader.value(reader.int32()));
  }
  return values;
}

class MessageReader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  has(count: number): boolean {
    return this.#position + count <= this.#bytes.length;
  }

  skip(count: number): void {
    this.#position += count;
  }

  end(): void {
    this.#position = this.#bytes.length;
  }

  peek(): string {
    return this.has(1) ? String.fromCharCode(this.#bytes[this.#position] ?? 0) : "";
  }

  character(): string {
    const character = this.peek();
    this.skip(1);
    return character;
  }

  int16(): number {
    this.skip(2);
    return this.#bytes.readUInt16BE(this.#position - 2);
  }

  int32(): number {
    this.skip(4);
    return this.#bytes.readUInt32BE(this.#position - 4);
  }

  int64(): bigint {
    this.skip(8);
    return this.#bytes.readBigUInt64BE(this.#position - 8);
  }

  /** Up to the next zero byte. */
  text(): string {
    const end = this.#bytes.indexOf(0, this.#position);
    const text = this.#bytes.toString("utf8", this.#position, end);
    this.#position = end + 1;
    return text;
  }

  /** `undefined` where the message was cut off within it. */
  value(length: number): string | undefined {
    if (!this.has(length)) {
      this.end();
      return undefined;
    }
    this.skip(length);
    return this.#bytes.toString("utf8", this.#position - length, this.#position);
  }
}
