/**
 * Keys of the rows that changed, from a replication slot, in the order of commits. Reading leaves the slot as it is: it
 * is moved on once a position is stored. A large portion is decoded once and taken from a cursor page by page; after a
 * crash it is decoded again, and what was read is skipped.
 */
import type { PostgresClient, PostgresSession, TextRow } from "../client.ts";
import { lsnOf, lsnText, parseMessage, type ReplicationMessage, type Tuple } from "../replication/pgoutput.ts";
import type { SlotPosition } from "../replication/replication.ts";

/** Messages decoded at once, unless a single transaction has more. */
const PORTION = 20_000;
/** Messages fetched at once, and bytes of each: the key is mostly at its beginning, what else a row holds is not used. */
const FETCHED = 1_000;
const MAX_HEAD = 16_384;

export interface FeedRequest {
  /** Of slot and publication: letters, digits and underscores. */
  name: string;
  keyColumns: readonly string[];
  position: SlotPosition;
  /** The end of the log when this was asked for: what was committed before it is read. */
  end: string;
  /** Keys wanted; up to `FETCHED` more may come. */
  count: number;
  signal: AbortSignal | undefined;
}

export interface FeedPage {
  /** Values of the key's columns as texts, each key once. */
  keys: string[][];
  isTruncated: boolean;
  position: SlotPosition;
  /** Nothing more before `end`. */
  isDrained: boolean;
}

/** A portion that is being taken from the server. */
interface OpenPortion {
  session: PostgresSession;
  decoding: Decoding;
  /** Messages taken so far. */
  taken: number;
}

/** The key is not among the columns that the table had when the changes were made. */
export class UnreadableChanges extends Error {}

export class ChangeFeed {
  readonly #client: PostgresClient;
  readonly #open = new Map<string, OpenPortion>();

  constructor(client: PostgresClient) {
    this.#client = client;
  }

  async next(request: FeedRequest): Promise<FeedPage> {
    const open = this.#open.get(request.name);
    if (open && JSON.stringify(open.decoding.position()) === JSON.stringify(request.position))
      return this.#fetch(open, request);
    await this.#end(request.name);
    const decoding = new Decoding(request);
    const rows = await this.#client.query(`${peekSql(request)} LIMIT ${FETCHED + 1}`, [], request.signal);
    if (rows.length <= FETCHED) {
      await this.#take(decoding, request, rows);
      return decoding.page(request.end);
    }
    const session = await this.#client.session();
    const portion = { session, decoding, taken: 0 };
    this.#open.set(request.name, portion);
    return this.#fetch(portion, request, `BEGIN; DECLARE portion NO SCROLL CURSOR FOR ${peekSql(request)}`);
  }

  async close(): Promise<void> {
    for (const name of this.#open.keys()) await this.#end(name);
  }

  async #end(name: string): Promise<void> {
    const open = this.#open.get(name);
    this.#open.delete(name);
    await open?.session.close();
  }

  async #fetch(portion: OpenPortion, request: FeedRequest, begin?: string): Promise<FeedPage> {
    const { session, decoding } = portion;
    try {
      if (begin) await session.run(begin, request.signal);
      while (decoding.keyCount < request.count) {
        const rows = await session.query(`FETCH ${FETCHED} FROM portion`, request.signal);
        portion.taken += rows.length;
        await this.#take(decoding, request, rows);
        if (rows.length === FETCHED) continue;
        await this.#end(request.name);
        return decoding.page(portion.taken < PORTION ? request.end : null);
      }
      return decoding.page(null);
    } catch (error) {
      await this.#end(request.name);
      throw error;
    }
  }

  async #take(decoding: Decoding, request: FeedRequest, rows: readonly TextRow[]): Promise<void> {
    for (const row of rows) {
      const [lsn, xid, data] = row;
      if (decoding.take(messageOf(data))) continue;
      // The key lies beyond what was fetched. A record of the log may hold several rows: all of them are taken.
      const whole = await this.#client.query(
        `SELECT data FROM ${peeked(request)} WHERE lsn = $1::pg_lsn AND xid = $2::xid`,
        [lsn, xid],
        request.signal,
      );
      for (const [text] of whole) if (!decoding.addKeys(messageOf(text))) throw new UnreadableChanges();
    }
  }
}

const messageOf = (text: string | null | undefined): ReplicationMessage =>
  parseMessage(Buffer.from((text ?? "").slice(2), "hex"));

const peeked = ({ name, end }: FeedRequest): string =>
  `pg_logical_slot_peek_binary_changes('${name}', '${end}', ${PORTION}, 'proto_version', '1', 'publication_names', '${name}')`;

/** Relations are sent whole: their columns are needed, and there are few of them. */
const peekSql = (request: FeedRequest): string =>
  `SELECT lsn::text, xid::text, CASE WHEN get_byte(data, 0) = ${"R".charCodeAt(0)} THEN data ELSE substring(data FROM 1 FOR ${MAX_HEAD}) END FROM ${peeked(request)}`;

/** Takes messages one by one and knows where it stands between them. */
class Decoding {
  readonly #request: FeedRequest;
  readonly #from: bigint;
  /** For each relation that is the table: where the key's columns stand. Others are null. */
  readonly #keyIndexes = new Map<number, number[] | null>();
  #lsn: bigint;
  #part: SlotPosition["part"];
  #transaction: { commitLsn: bigint; changes: number } | null = null;
  #keys = new Map<string, string[]>();
  #isTruncated = false;

  constructor(request: FeedRequest) {
    this.#request = request;
    this.#from = lsnOf(request.position.lsn);
    this.#lsn = this.#from;
    this.#part = request.position.part;
  }

  get keyCount(): number {
    return this.#keys.size;
  }

  /** Where reading goes on after the last message taken. */
  position(): SlotPosition {
    const { timeline, publication, oid } = this.#request.position;
    return { timeline, publication, oid, lsn: lsnText(this.#lsn), ...(this.#part && { part: this.#part }) };
  }

  /** What was taken since the last page; `end`: all before it has been. */
  page(end: string | null): FeedPage {
    if (end !== null && lsnOf(end) > this.#lsn) this.#lsn = lsnOf(end);
    const page = {
      keys: [...this.#keys.values()],
      isTruncated: this.#isTruncated,
      position: this.position(),
      isDrained: end !== null,
    };
    this.#keys = new Map();
    this.#isTruncated = false;
    return page;
  }

  /** False when a change has a key that the message does not hold: it was cut off before it. */
  take(message: ReplicationMessage): boolean {
    switch (message.kind) {
      case "begin":
        this.#transaction = { commitLsn: message.commitLsn, changes: 0 };
        return true;
      case "commit":
        if (message.endLsn > this.#lsn) this.#lsn = message.endLsn;
        this.#transaction = null;
        this.#part = undefined;
        return true;
      case "relation":
        this.#keyIndexes.set(message.relationId, this.#indexesOf(message));
        return true;
      case "truncate":
      case "change":
        if (this.#isRead()) return true;
        if (message.kind === "change") return this.addKeys(message);
        this.#isTruncated ||= message.relationIds.some((id) => this.#keyIndexes.get(id));
        return true;
      case "other":
        return true;
    }
  }

  addKeys(message: ReplicationMessage): boolean {
    if (message.kind !== "change") return true;
    const indexes = this.#keyIndexes.get(message.relationId);
    if (!indexes) return true;
    const old = message.old && keyOf(message.old, indexes, null);
    const current = message.current && keyOf(message.current, indexes, message.old);
    if (old === undefined || current === undefined) return false;
    for (const key of [old, current]) if (key) this.#keys.set(JSON.stringify(key), key);
    return true;
  }

  /** Counts a change; answers whether it belongs to what was read before. */
  #isRead(): boolean {
    const transaction = this.#transaction;
    if (!transaction) return false;
    transaction.changes += 1;
    const { commitLsn, changes } = transaction;
    if (commitLsn < this.#from) return true;
    const commit = lsnText(commitLsn);
    if (this.#part?.commit === commit && changes <= this.#part.changes) return true;
    this.#part = { commit, changes };
    return false;
  }

  /** By its oid: changes from before a table was renamed bear the old name. */
  #indexesOf({ relationId, columns }: Extract<ReplicationMessage, { kind: "relation" }>): number[] | null {
    const { position, keyColumns } = this.#request;
    if (String(relationId) !== position.oid) return null;
    const indexes = keyColumns.map((column) => columns.indexOf(column));
    if (indexes.includes(-1)) throw new UnreadableChanges();
    return indexes;
  }
}

/** null: the row has no key, which no record can have; undefined: the message does not tell it. */
function keyOf(tuple: Tuple, indexes: readonly number[], before: Tuple | null): string[] | null | undefined {
  const values = indexes.map((index) => tuple[index] ?? (tuple[index] === undefined ? before?.[index] : null));
  if (values.some((value) => value === undefined)) return undefined;
  return values.every((value) => typeof value === "string") ? values : null;
}
