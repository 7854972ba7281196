/** An open connection to a system: what it can be asked, page by page and record by record, and what it answers. */
import type { ChangeDetection } from "@accord/contracts/connections/change-detection";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import type { ConnectorError } from "./errors.ts";
import type { ExpectedValues } from "./fingerprint.ts";

/** Plain data a connector returns to continue reading later; stored as JSON, never looked into by the engine. */
export type Cursor = Value;

/** One open, authenticated connection to a system. Methods throw `ConnectorError` and nothing else. */
export interface Connection {
  /** Succeeds when host, credentials and rights are good enough to discover and read. */
  check(): Promise<void>;
  /** Entities one by one, so that progress can be shown; `only` limits it to these api names. */
  discover(options: { only?: string[] }): AsyncIterable<{ entity: EntitySchema; done: number; total: number | null }>;
  /**
   * The next page after `cursor`; the same cursor gives the same or newer records, never a gap. A record may come
   * again unchanged (overlap for late commits): the engine compares and absorbs it. Values are in Accord's own form
   * for the field's data type; a value that does not fit its type costs its field (`SourceRecord.badFields`), and only
   * a record whose id can't be read is answered in `bad`.
   */
  read(request: ReadRequest): Promise<ReadPage>;
  /**
   * The next page of the ids that exist now, walked once from null to `drained`. A known id that is missing after a
   * whole walk, and was there before it began, has been deleted.
   */
  listIds?(request: ListIdsRequest): Promise<IdPage>;
  /**
   * Records that still exist among these ids; used to look before a repeated create and by live tests. Asked only for
   * entities with the capability `getById`, whatever the connection has for others.
   */
  getByIds?(request: { entity: EntitySchema; fields: string[]; ids: string[] }): Promise<SourceRecord[]>;
  /**
   * Records whose field equals one of the values, in upper or lower case as the system compares texts; used to look
   * before create. At most 100 values.
   */
  lookup?(request: { entity: EntitySchema; fields: string[]; field: string; values: Value[] }): Promise<SourceRecord[]>;
  /** One outcome per operation, in order. At most `writeBatchSize` operations, all of one entity. */
  write?(request: WriteRequest): Promise<WriteOutcome[]>;
  /** Calls back with an entity's api name when the system says it changed; the engine then reads at once. */
  subscribe?(request: SubscribeRequest): Promise<() => Promise<void>>;
  /** How changes of an entity are found as things are; `reader`: for this one. */
  changeDetection?(request: { entity: EntitySchema; reader: string }): Promise<ChangeDetection>;
  /** What the system retains for readers whose names begin so. */
  listReaders?(prefix: string): Promise<ReaderState[]>;
  /** The system need not retain anything for this reader any more; nothing happens when it doesn't. */
  dropReader?(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Changes that a system retains until a reader has read them: a replication slot. */
export interface ReaderState {
  name: string;
  /** Somebody is reading just now. */
  isActive: boolean;
  /** null where it can't be told. */
  retainedBytes: number | null;
  /** By the connection's settings: people are to be told, or the reader is to be dropped and to read everything again. */
  level: "ok" | "much" | "tooMuch";
}

export interface SubscribeRequest {
  entities: EntitySchema[];
  onChange(entityApiName: string): void;
  /** The subscription broke off; the engine subscribes again after a while and polls meanwhile. */
  onBroken(error: ConnectorError): void;
}

export interface ReadRequest {
  entity: EntitySchema;
  /** Api names wanted; id and watermark fields are always read. */
  fields: string[];
  /** null: from the very beginning. */
  cursor: Cursor | null;
  /** `changes` stops at now and resumes later; `all` walks everything once (resync) and may restrict to a time range. */
  mode: "changes" | "all";
  /**
   * With `all`: the beginning of the time range. With `changes`: where history begins for a reader that has no position
   * yet (`cursor: null`), by our clock; without it, all there is belongs to the first read. A connector takes its
   * position at once, from the system itself, and hands over what changed between `since` and that position as far as
   * the system can tell, allowing for the difference of clocks. It never filters what comes after a position: a change
   * is found whatever its time stamp says.
   */
  since?: Date;
  /** With `all`: the end of the time range. */
  until?: Date;
  pageSize: number;
  /**
   * Name of this reader, the same in each cycle: letters, digits and underscores, 63 at most. A system that can retain
   * changes for its readers does so under it; reads without it leave nothing behind.
   */
  reader?: string;
  /** A position of this reader that is stored for good: what is before it need not be retained any more. */
  committed?: Cursor | null;
  /** Where a connector can tell, records come with the place they stand at: one that could not be read is found again by it. */
  withLocations?: boolean;
  signal?: AbortSignal;
}

export interface ListIdsRequest {
  entity: EntitySchema;
  cursor: Cursor | null;
  /** Ids wanted; some connectors answer more. */
  pageSize: number;
  /** Fields to answer as well, where the list shows them anyway. */
  fields?: readonly string[];
  signal?: AbortSignal;
}

export interface IdPage {
  ids: string[];
  /** What the list shows of them, where fields were asked for and it shows any. */
  records?: SourceRecord[];
  cursor: Cursor;
  drained: boolean;
}

export interface SourceRecord {
  id: string;
  values: Values;
  /** Fields whose values could not be read; `values` has none for them, and what is known of them stays as it is. */
  badFields?: BadField[];
  deleted?: boolean;
  /** UTC ISO-8601 with milliseconds, when the system tells it. */
  modifiedAt?: string;
  /** Where it stands, in the words of `BadRecord.place`; only told `withLocations`. */
  place?: string;
}

/** A value the connector could not read: the record goes on without it. */
export interface BadField {
  field: string;
  message: string;
  /** The value as the system tells it, shortened. */
  excerpt?: string;
}

/** A record the connector could not read: quarantined with its place, the rest of the page goes on. */
export interface BadRecord {
  /** Where: `line 14`, `id 55`. */
  place: string;
  /** Its id, where that could be read: it is found again under it once it can be read. */
  id?: string;
  message: string;
  excerpt?: string;
}

/** What people should know of a list: nothing is wrong with its records. */
export interface PageWarning {
  code: string;
  /** Names what is wrong and what to change; the same for each page that it is said of. */
  message: string;
}

export interface ReadPage {
  records: SourceRecord[];
  bad?: BadRecord[];
  warnings?: PageWarning[];
  /** Where the next page starts; kept as the incremental position when `drained`. */
  cursor: Cursor;
  /** Nothing more to read for now. */
  drained: boolean;
  /** Changes were not all looked for now: a later reading may bring some that are there already. */
  isPutOff?: boolean;
  /**
   * Each record is as it stood when the page was asked for, whatever its `modifiedAt` says. Without it an older
   * `modifiedAt` than is known means that the record's earlier state came late.
   */
  isCurrent?: boolean;
  /** What was deleted before this page may never be told: known ids have to be compared with those that exist. */
  missedDeletes?: boolean;
  /**
   * What tells each field from another of the same name, as it was once the records had been read: it changes when the
   * field is removed and made anew, and what is blank there then was not cleared.
   */
  fieldIds?: { readonly [field: string]: string };
  /**
   * Pages that may be fetched ahead of this one being committed, when the system's paging allows it
   * (offset or page number within one pass): their cursors, in order.
   */
  ahead?: Cursor[];
}

export interface WriteRequest {
  entity: EntitySchema;
  operations: WriteOperation[];
  /** Fields that the record of a conflict is answered with; all that are compared when absent. */
  fields?: string[];
  /**
   * Called right before each single request or statement that may change something there. Throws a `ConnectorError`
   * with `neverSent` when the caller may not write any more: its lease is over.
   */
  assertMaySend?: () => void;
  /** Aborts what is under way. */
  signal?: AbortSignal;
}

/**
 * `expected`: compare and set. The operation is done only if the record still holds these values, and answered with
 * `conflict` otherwise; how sure that is says the capability (`conditionalWrite`, `checkedWrite`, or neither).
 */
export type WriteOperation =
  | { kind: "create"; values: Values; idempotencyKey: string }
  | { kind: "update"; id: string; values: Values; idempotencyKey: string; expected?: ExpectedValues }
  | { kind: "delete"; id: string; idempotencyKey: string; expected?: ExpectedValues };

export type WriteOutcome =
  | {
      status: "done";
      id: string;
      /** Values as stored there, when the system answers them. */
      values?: Values;
      modifiedAt?: string;
      /** The values were read after the write: somebody may have changed them in between. */
      isReadBack?: true;
      /**
       * The values are what the answer says: some systems answer what they were sent, or the record as it was before,
       * whatever they store.
       */
      isUnproven?: true;
    }
  /**
   * Refused for what the record holds, or, as `forbidden`, since it may not be written: it is quarantined with this
   * message.
   */
  | {
      status: "rejected";
      code: string;
      message: string;
      field?: string;
      /** What refuses it may pass, as another record's unique value or a lock: tried again a few times before that. */
      isTransient?: true;
    }
  /** May succeed later. */
  | { status: "retry"; message: string; retryAfterMs?: number; /** Surely nothing was sent for it. */ neverSent?: true }
  /** Sent, but no answer came: it may have been done. */
  | { status: "unknown"; message: string }
  /** The record is gone there (update or delete of a missing id). */
  | { status: "missing" }
  /** Nothing was written: the record does not hold what was expected. `record`: as it stands there now. */
  | { status: "conflict"; record: SourceRecord };
