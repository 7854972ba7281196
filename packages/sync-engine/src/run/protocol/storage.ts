/**
 * What the engine asks of its storage, and what it gets back. Every write carries the run's epoch: storage refuses it
 * (`lost`) once another worker owns the pipeline. PostgreSQL does it in the server, a map does it in simulations.
 */
import type { Cursor } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import type { ActionCall } from "../../actions/call.ts";
import type { AnsweredCreation, TakenRecord } from "./answered-creations.ts";
import type { MergeBatch } from "./merge-writes.ts";
import type { OpenQuarantine, QuarantineWrite } from "./quarantine-entries.ts";
import type { ReturnedRecord } from "./returned-records.ts";
import type { ConflictWrite, LedgerEntry, LostFields, Origin, StoredLink, StoredRecord } from "./stored.ts";
import type { PendingReference, ClearedPending, WaitingReference } from "./stored-references.ts";

/** Which links and records belong to a page. */
export interface ResolveRequest {
  placeId: number;
  records: { externalId: string; seen: string; deleted: boolean }[];
  /** Skip records whose link is alive and already shows this fingerprint. Off during a resync. */
  absorb: boolean;
  references: { connectorId: string; entity: string; externalIds: string[] }[];
}

export interface Resolved {
  /** Indexes of records that need no look: nothing changed there. */
  absorbed: ReadonlySet<number>;
  /** By external id. */
  links: ReadonlyMap<string, StoredLink>;
  /** By external id of dead links: when their deletion was written down, milliseconds. */
  deadSince?: ReadonlyMap<string, number>;
  /** By external id of links with `respelled`: when their place last answered a write of ours, milliseconds. */
  writtenAt?: ReadonlyMap<string, number>;
  /** By record id: those behind the links. */
  records: ReadonlyMap<string, StoredRecord>;
  /** What was sent to this place without a certain answer, by record id. Their records are in `records`. */
  unanswered: ReadonlyMap<string, Unanswered>;
  /** Other places where the records of deleted external records still live, by record id. */
  otherPlaces: ReadonlyMap<string, readonly number[]>;
  /** By external id. */
  quarantined: ReadonlyMap<string, OpenQuarantine>;
  /** `connectorId/entity` → external id → record id. */
  references: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** External ids among the references whose own records were merged away: the places still name those that lost. */
  renamed?: ReadonlySet<string>;
  /** Records that were merged away → the record that stands for them now, which is in `records`. */
  merged?: ReadonlyMap<string, string>;
  /** Records for which external records of merged ones live on at some place. */
  aliased?: ReadonlySet<string>;
}

export interface Unanswered {
  intent: "create" | "update" | "delete";
  /** Fingerprints (destination fields, and their spellings) of what was sent, one for each attempt without an answer. */
  written: readonly string[];
  /** The record has an external record there by now: no other one can be what was created. */
  isTied?: boolean;
}

export interface NewRecord {
  recordId: string;
  values: Values;
  origin: Origin;
}

export interface RecordUpdate {
  recordId: string;
  /** Refused as a conflict when the record moved on meanwhile. */
  expectedVersion: number;
  /** All values after the update. */
  values: Values;
  origin: Origin;
  deleted: boolean;
}

export interface LinkWrite extends StoredLink {
  /** Known before (updated in place) or new (a conflict when either end is taken). */
  isNew: boolean;
  /** Known before, of a record that was let go: it now belongs to another one, which may have a dead link there. */
  isMoved?: boolean;
  /** Read as it was written and otherwise as it was: nothing of what it shows had to be decided anew. */
  isConfirmed?: boolean;
  /** The key by which the destination finds records changed; after so many milliseconds look-ups show that. */
  rekeyedForMs?: number;
}

export interface DeliveryWrite {
  placeId: number;
  recordId: string;
  /** Only renew a delivery that is already outstanding; the place already holds what it should. */
  onlyIfOutstanding: boolean;
}

/** Where reading goes on after a page. */
export interface Position {
  nodeId: string;
  cursor: Cursor;
  /** The incremental position, or that of the resync under way. */
  of: "changes" | "resync";
  /** The resync it belongs to: another one that took its place meanwhile is not moved. */
  resyncId?: string;
  /** Nothing more is to be read before the source's next turn. */
  isComplete?: boolean;
  /** With this page all has been read that changed there before this moment, UTC ISO-8601; absent: no more than before. */
  knownUntil?: string;
  /** Records that the run has read so far, to show how far it is. */
  read?: number;
}

/** All effects of one page, applied in one transaction or not at all. */
export interface CommitBatch {
  placeId: number;
  creates: NewRecord[];
  /** Those among the created ones that were there before: they go on from their last version. */
  returned?: ReturnedRecord[];
  updates: RecordUpdate[];
  links: LinkWrite[];
  ledger: LedgerEntry[];
  deliveries: DeliveryWrite[];
  // What a destination lacks that joined later, or was down to be emptied: told only where it has no external record of
  // theirs, not a deleted one either, and nothing is outstanding or quarantined.
  lacking?: { placeId: number; recordId: string }[];
  quarantine: QuarantineWrite[];
  /** External ids that went through: open quarantine entries of theirs are settled. */
  settled: string[];
  pending: PendingReference[];
  /** References that this place has said anew: what was pending from it is void. */
  clearedPending?: ClearedPending[];
  /** Pending references that this batch writes. */
  resolvedPending?: { recordId: string; field: string }[];
  /** Values kept out by authority; and fields on which this place no longer disagrees with the core. */
  conflicts?: ConflictWrite[];
  agreed?: { recordId: string; field: string }[];
  mergeBatch?: MergeBatch;
  /** Records that the page takes as standing: a conflict, should one of them have been merged away meanwhile. */
  standing?: string[];
  /** Records whose place was seen to hold all it should as of this version: an outstanding delivery is settled. */
  fulfilled?: { recordId: string; version: number }[];
  /** Actions to perform once this page is safe. */
  actions: ActionCall[];
  /** Keys of actions performed on the way: this coming of their records is over. */
  endedOccurrences: string[];
  position: Position | null;
  /** Which fields the place has lost by now, where that is news. */
  lostFields?: LostFields;
}

/** A batch that changes nothing yet. */
export const emptyBatch = (placeId: number, position: Position | null): CommitBatch => ({
  placeId,
  creates: [],
  updates: [],
  links: [],
  ledger: [],
  deliveries: [],
  quarantine: [],
  settled: [],
  pending: [],
  actions: [],
  endedOccurrences: [],
  position,
});

/** `conflict`: somebody else changed a record or link in between; look again and decide again. */
export type CommitResult = { status: "done"; signal: Signal } | { status: "conflict" } | { status: "lost" };

/** What people asked for meanwhile; answered by each commit so that nobody has to poll. */
export type Signal = "none" | "pause" | "cancelResync";

export interface ClaimRequest {
  placeId: number;
  limit: number;
  /** Core reference fields to turn into external ids of this connector's entity. */
  references: { coreField: string; connectorId: string; entity: string }[];
  /** Nothing is to be created for now: records without a link stay where they are, due. */
  onlyLinked?: boolean;
}

/** A record that a destination still has to be told about; not one whose own news from there are quarantined. */
export interface ClaimedDelivery {
  recordId: string;
  /** Attempts begun before this claim; an intent counts one more. */
  attempts: number;
  /** Counts up with each new reason to tell, from a number no earlier delivery of the record began with; an acknowledgement of an older one leaves the delivery standing. */
  wanted: number;
  /** Set while the outcome of the last attempt is unknown. */
  unanswered: Unanswered | null;
  /** How long it has been due, milliseconds by the storage's clock. */
  dueForMs: number;
  /** How long ago the place last answered a write of the record, milliseconds by the storage's clock; null: never. */
  writtenForMs: number | null;
  record: StoredRecord | null;
  link: StoredLink | null;
  /** The record is deleted since it was merged into another one. */
  isMerged?: boolean;
  /** What its creation was answered with, while that belongs to another record. */
  taken?: TakenRecord;
  /** How often creations were answered so: the next one is another one for a destination that remembers them. */
  takenTimes?: number;
  /** Core fields for which the place itself named a record that nobody knows yet: it is not told over that. */
  open?: readonly string[];
}

export interface Claimed {
  deliveries: ClaimedDelivery[];
  /** `connectorId/entity` → record id → external id. */
  references: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** When the next delivery that is not due yet becomes due (milliseconds); null when none waits. */
  nextAt: number | null;
}

/** Written down before anything is sent, so that a crash leaves no doubt about what may have happened. */
export interface Intent {
  recordId: string;
  wanted: number;
  intent: Unanswered["intent"];
  written: readonly string[];
  /** Should this worker vanish, nobody tries again before the system would show what was done. */
  holdMs: number;
  /** Outside record that a look-up found for it; taken when it is tied to another record. */
  adopts: string | null;
}

/** Answers which of the intents still stand (a newer change makes one fall out; it is claimed again). */
export type IntendResult =
  | { status: "done"; standing: ReadonlySet<string>; taken: ReadonlySet<string> }
  | { status: "lost" };

export interface DeliveryResult {
  recordId: string;
  wanted: number;
  /** done: told. again: stays outstanding, due at `nextAt`. parked: waits for a change or a replay. */
  result: "done" | "again" | "parked";
  /** Whether it is now known what the last attempt did. */
  answered: boolean;
  /** Attempts so far, those included that count from now on. */
  attempts: number;
  nextAt: number;
  /** What its system answered, where it is tried again for that: people see it while the delivery waits. */
  error?: string;
  /**
   * The link to write; null leaves links alone. A link whose external record is taken parks the delivery. So does one
   * that was deleted there for another record, unless the delivery takes it over.
   */
  link: LinkWrite | null;
  /**
   * Where the link's external record is taken, and the delivery parked for it: what people are shown, and what is kept.
   * What was not answered but only found parks nothing unless another record's living link has it.
   */
  ifTaken?: { quarantine: QuarantineWrite; answered?: AnsweredCreation };
  /** Parked since another record has this external record; `unlessFree`: at once due again where none has it any more. */
  waitsFor?: { externalId: string; unlessFree: boolean };
  /**
   * A creation was answered with the external record of a deleted link of another record. `always`: it was made anew
   * under the same id. `ifLater`: the destination remembers idempotency keys, and may have repeated the answer of an
   * earlier creation. Unless the link's time is later than that deletion, this one did nothing: the deleted link becomes
   * the record's own, which gives its next creation a key of its own, and the delivery is due again.
   */
  takesOver?: "always" | "ifLater";
  /**
   * The link's external record was only found by its key, as a fingerprint in a written field. While the creation of
   * another record with that key is without an answer at the place, it may be what that made: the link is left alone,
   * and the delivery stays outstanding.
   */
  foundBy?: { writeIndex: number; key: string };
  ledger: LedgerEntry | null;
  quarantine: QuarantineWrite | null;
  /** Nothing is to be written, yet what was quarantined of the record stays so. */
  keepsQuarantined?: boolean;
  /** References left out: sent again when their targets appear there. */
  waits?: WaitingReference[];
  /** Parked as fields there can't take its values, which `ledger` has: `fits` of the sink that said so. */
  unfit?: string | null;
}

export type SettleResult = { status: "done"; signal: Signal } | { status: "lost" };
