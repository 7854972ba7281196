/** Watches a history and notes every rule that was broken on the way, whatever its end looks like. */
import type { Cursor, WriteOperation } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import { sameValue } from "@accord/expressions";
import {
  DELIVERY_ATTEMPTS,
  type CommitBatch,
  type CycleSummary,
  type DeliveryResult,
  type Intent,
  type Position,
} from "@accord/sync-engine/run";
import type { KeptMerge } from "../memory/memory-merges.ts";
import type { MemoryStore } from "../memory/memory-store.ts";
import type { FinalState } from "./final-state.ts";
import { comparePositions } from "../systems/row-passes.ts";
import { REFERENCE_FIELD } from "../scenario/pipeline-fixture.ts";
import { type Acting, ActionInvariants } from "./action-invariants.ts";
import { CycleInvariants } from "./cycle-invariants.ts";
import { asEntered } from "../systems/type-changes.ts";
import { AuthorityInvariants } from "./authority-invariants.ts";
import { IdentityInvariants } from "./identity-invariants.ts";

/** Keys begin with place and record. */
const recordOf = ({ idempotencyKey }: WriteOperation): string => idempotencyKey.split("-")[1] ?? "";

/** Attempts at one record while its system is down, which do not count against it. */
const PROBES = 25;

export class InvariantChecker {
  readonly violations = new Set<string>();
  readonly #store: MemoryStore;
  readonly #maxAttempts: number;
  /** Deliveries begun, by place, record and reason. */
  readonly #begun = new Map<string, number>();
  /** Keys of writes that storage knows to be done. */
  readonly #acknowledged = new Set<string>();
  /** Key of the last write, by place and record. */
  readonly #sentKeys = new Map<string, string>();
  /** Place in the ledger of the newest value told, by place, record and field. */
  readonly #lastWritten = new Map<string, number>();
  /** Epochs that have to stop. */
  readonly #stopping = new Set<number>();
  readonly #owners = new Map<number, string>();
  /** Epoch of the last worker that took the lease. */
  #newest = 0;

  readonly #authority: AuthorityInvariants;
  readonly #identity: IdentityInvariants;
  readonly #actions: ActionInvariants;
  readonly cycles: CycleInvariants;

  /** The column whose type changes may hold numbers. */
  readonly #hasNumbers: boolean;

  constructor(judged: FinalState, acting: Acting) {
    this.#store = judged.store;
    this.#hasNumbers = judged.scenario.typeChange !== null;
    this.#maxAttempts = 2 * DELIVERY_ATTEMPTS + (judged.scenario.outages.length > 0 ? PROBES : 0);
    this.#actions = new ActionInvariants(judged, acting, (rule) => this.#broken(rule));
    this.cycles = new CycleInvariants((rule) => this.#broken(rule));
    this.#authority = new AuthorityInvariants(judged, (rule) => this.#broken(rule));
    this.#identity = new IdentityInvariants(judged, (rule) => this.#broken(rule));
  }

  #broken(rule: string): void {
    this.violations.add(rule);
  }

  acquired(epoch: number, owner: string): void {
    const before = this.#owners.get(epoch);
    if (before !== undefined && before !== owner) this.#broken("two workers own one epoch");
    this.#owners.set(epoch, owner);
    this.#newest = epoch;
    this.#actions.begun();
  }

  /** Something was written on behalf of this run. */
  wrote(epoch: number): void {
    if (this.#store.lease.epoch !== epoch) this.#broken("a dead epoch wrote");
  }

  /** A page was committed on behalf of this run, pinned to this version. The first one after a pause is the last. */
  committed(epoch: number, version: number, of: Position["of"]): void {
    const isCancelled = of === "resync" && this.#store.signal === "cancelResync";
    const mustStop = this.#store.signal === "pause" || isCancelled || this.#store.version !== version;
    if (this.#stopping.has(epoch))
      this.#broken("a page was committed after the pause or cancellation, or by a replaced version");
    if (mustStop) this.#stopping.add(epoch);
  }

  /** A page is written ahead of its turn: of that nobody may see anything. */
  prepared(prepare: () => void): void {
    const before = this.#store.ledger.length;
    prepare();
    if (this.#store.ledger.length !== before) this.#broken("a page was there before its turn");
  }

  /** A page is about to be committed. */
  deciding(batch: CommitBatch): void {
    this.#authority.deciding(batch);
    this.#identity.deciding(batch);
  }

  /** What a committed page made of records. */
  decided(epoch: number, batch: CommitBatch): void {
    this.#actions.committed(epoch, batch);
    this.#authority.decided(batch);
    this.#identity.decided(batch);
  }

  finished(epoch: number, summary: CycleSummary): void {
    this.#actions.finished(epoch, summary);
    this.cycles.finished(epoch, summary);
  }

  /** In the calm somebody gave a field this value in a system: each node acts on that once. */
  acted(value: string, name: string, hasPropagated: boolean): void {
    const done = this.#actions.doneWith(value);
    const expected = [`order-${name}`, `note-${name}`, ...(hasPropagated ? ["post", "tell"] : [])];
    for (const nodeId of expected) {
      if (done.get(nodeId) !== 1) this.#broken(`${nodeId} acted ${done.get(nodeId) ?? 0} times on one edit`);
    }
  }

  /** A person took a merge back while this epoch was the living one. */
  undone(merge: KeptMerge, epochBefore: number): void {
    this.#identity.undone(merge, epochBefore);
  }

  intended(placeId: number, intents: readonly Intent[], standing: ReadonlySet<string>): void {
    for (const { recordId, wanted } of intents) {
      if (!standing.has(recordId)) continue;
      const key = `${placeId}|${recordId}|${this.#store.reasonOf(placeId, recordId) ?? wanted}`;
      const begun = (this.#begun.get(key) ?? 0) + 1;
      this.#begun.set(key, begun);
      // Those that the system surely refused as a whole do not count against a record.
      if (begun > this.#maxAttempts) this.#broken("more attempts than allowed");
    }
  }

  sent(placeId: number, epoch: number, operations: readonly WriteOperation[]): void {
    if (this.#newest !== epoch) this.#broken("sent though somebody else had the lease");
    for (const operation of operations) {
      const recordId = recordOf(operation);
      this.#sentKeys.set(`${placeId}|${recordId}`, operation.idempotencyKey);
      if (this.#acknowledged.has(operation.idempotencyKey)) this.#broken("told again what was acknowledged");
      if (operation.kind !== "create" && this.#store.quarantineEntries.has(placeId, operation.id))
        this.#broken("a place was told over news of its own that were put aside");
      if (operation.kind !== "delete") this.#inOrder(placeId, operation);
      if (operation.kind === "update") this.#identity.updating(placeId, recordId, operation.values);
    }
  }

  /** No place is told an older value of a field after a newer one. */
  #inOrder(placeId: number, operation: Exclude<WriteOperation, { kind: "delete" }>): void {
    const recordId = recordOf(operation);
    // A column of numbers is told the number that the core keeps as a text.
    const entered = this.#hasNumbers ? asEntered(operation.values) : operation.values;
    for (const field in entered) {
      // Told as an id of over there, kept as one of ours: the two can't be compared.
      if (field === REFERENCE_FIELD) continue;
      const at = this.#store.ledger.findLastIndex(
        (entry) =>
          entry.recordId === recordId &&
          entry.operation !== "write" &&
          sameValue(entry.changes[field]?.[1], entered[field]),
      );
      const key = `${placeId}|${recordId}|${field}`;
      if (at < (this.#lastWritten.get(key) ?? -1)) this.#broken("told an older value after a newer one");
      this.#lastWritten.set(key, at);
    }
  }

  settled(placeId: number, settlements: readonly DeliveryResult[]): void {
    for (const { recordId, result, ledger, unfit } of settlements) {
      const key = this.#sentKeys.get(`${placeId}|${recordId}`);
      // Answered with an external record that belongs to another record by now: quarantined, to be sent again.
      const isQuarantined = this.#store.deliveries.get(`${placeId}|${recordId}`)?.isParked === true && !unfit;
      if (key && (result === "done" || unfit) && ledger && !isQuarantined) this.#acknowledged.add(key);
    }
  }

  /** What must hold of every history once it is over. */
  conclude(now: number): void {
    this.#actions.conclude(now);
    this.#checkLedger();
    this.#checkPositions();
    this.#identity.conclude();
  }

  /** Each change starts from what the one before it ended with: nothing is written twice or in between. */
  #checkLedger(): void {
    const current = new Map<string, Value>();
    for (const { recordId, operation, changes, refused } of this.#store.ledger) {
      if (operation === "write") continue;
      if (operation === "refuse" && Object.keys(refused ?? {}).length === 0)
        this.#broken("the history tells a refusal of nothing");
      for (const [field, [from, to]] of Object.entries(changes)) {
        const key = `${recordId}|${field}`;
        if (!sameValue(current.get(key), from)) this.#broken(`the history of ${key} has a gap`);
        if (typeof to === "string" && to.startsWith("xxxx")) this.#broken("a part of what is too large came in");
        if (sameValue(from, to)) this.#broken(`the history of ${key} tells a change that was none`);
        current.set(key, to);
      }
    }
    for (const { recordId, values } of this.#store.records.values()) {
      for (const field in values) {
        if (!sameValue(current.get(`${recordId}|${field}`), values[field])) {
          this.#broken(`${recordId}.${field} is not what its history says`);
        }
      }
    }
  }

  #checkPositions(): void {
    const reached = new Map<string, Cursor>();
    for (const { nodeId, cursor } of this.#store.positions) {
      const before = reached.get(nodeId);
      if (before !== undefined && comparePositions(cursor, before) < 0)
        this.#broken(`the position of ${nodeId} moved back`);
      reached.set(nodeId, cursor);
    }
  }
}
