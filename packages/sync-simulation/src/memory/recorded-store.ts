/** Storage in memory that writes down each command it is given, so that another storage can be given the same ones. */
import type { Values } from "@accord/contracts/data/values";
import type {
  ClaimRequest,
  Claimed,
  CommitBatch,
  CommitResult,
  CycleSummary,
  DeliveryResult,
  FoundCandidates,
  FoundDuplicates,
  IntendResult,
  Intent,
  MatchKeys,
  MatchRequest,
  ResolveRequest,
  Resolved,
  ResolvedReference,
  SettleResult,
  Signal,
} from "@accord/sync-engine/run";
import type { KeptMerge } from "./memory-merges.ts";
import { MemoryStore, type StoreLayout } from "./memory-store.ts";

/** One command with its answer: the whole language between the engine and its storage, and what people ask of both. */
export type StoreCommand =
  | { kind: "acquire"; version: number; answer: number }
  | { kind: "resolve"; request: ResolveRequest; answer: Resolved }
  | { kind: "match"; request: MatchRequest; answer: FoundCandidates }
  | { kind: "findHolders"; request: MatchRequest; answer: string[] }
  | { kind: "findDuplicates"; keys: readonly MatchKeys[]; answer: FoundDuplicates }
  | { kind: "findResolved"; answer: ResolvedReference[] }
  | { kind: "renewWaiting"; placeIds: readonly number[] }
  | { kind: "holdUnanswered"; placeId: number; holdMs: number }
  | { kind: "retryUnfit"; placeId: number; fits: string; answer: number }
  | { kind: "prepare"; epoch: number; batch: CommitBatch }
  | { kind: "commit"; epoch: number; batch: CommitBatch; answer: CommitResult }
  | { kind: "claim"; request: ClaimRequest; answer: Claimed }
  | { kind: "intend"; epoch: number; placeId: number; intents: readonly Intent[]; answer: IntendResult }
  | { kind: "settle"; epoch: number; placeId: number; settlements: readonly DeliveryResult[]; answer: SettleResult }
  | { kind: "finish"; epoch: number; summary: CycleSummary }
  | { kind: "ask"; signal: Signal; version: number; isResyncing: boolean }
  | { kind: "applyUserEdits"; recordId: string; values: Values; placeIds: readonly number[]; answer: boolean }
  | { kind: "replayParked" }
  | { kind: "undoMerge"; merge: KeptMerge; placeIds: readonly number[]; answer: boolean };

/** When a command was given, UTC milliseconds of virtual time. */
export type TimedCommand = StoreCommand & { at: number };

export class RecordedStore extends MemoryStore {
  readonly commands: TimedCommand[] = [];
  readonly #now: () => number;
  #asked = "";

  constructor(layout: StoreLayout, now: () => number) {
    super(layout);
    this.#now = now;
  }

  #note<DataResult>(answer: DataResult, command: (answer: DataResult) => StoreCommand): DataResult {
    this.commands.push({ ...command(answer), at: this.#now() });
    return answer;
  }

  /** What people want of the pipeline, when it is something else than before. */
  #noteAsked(): void {
    const { signal, version } = this;
    const isResyncing = this.resync !== null;
    const asked = JSON.stringify({ signal, version, isResyncing });
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#note(null, () => ({ kind: "ask", signal, version, isResyncing }));
  }

  override acquire(owner: string, now: number): number | null {
    this.#noteAsked();
    const epoch = super.acquire(owner, now);
    const { version } = this.lease;
    if (epoch !== null) this.#note(epoch, (answer) => ({ kind: "acquire", version, answer }));
    return epoch;
  }

  override resolve(request: ResolveRequest): Resolved {
    return this.#note(super.resolve(request), (answer) => ({ kind: "resolve", request, answer }));
  }

  override match(request: MatchRequest): FoundCandidates {
    return this.#note(super.match(request), (answer) => ({ kind: "match", request, answer }));
  }

  override findHolders(request: MatchRequest): string[] {
    return this.#note(super.findHolders(request), (answer) => ({ kind: "findHolders", request, answer }));
  }

  override findDuplicates(keys: readonly MatchKeys[]): FoundDuplicates {
    return this.#note(super.findDuplicates(keys), (answer) => ({ kind: "findDuplicates", keys, answer }));
  }

  override findResolved(): ResolvedReference[] {
    return this.#note(super.findResolved(), (answer) => ({ kind: "findResolved", answer }));
  }

  override renewWaiting(placeIds: readonly number[], now: number): void {
    super.renewWaiting(placeIds, now);
    this.#note(null, () => ({ kind: "renewWaiting", placeIds }));
  }

  override holdUnanswered(placeId: number, holdMs: number, now: number): void {
    super.holdUnanswered(placeId, holdMs, now);
    this.#note(null, () => ({ kind: "holdUnanswered", placeId, holdMs }));
  }

  override retryUnfit(placeId: number, fits: string, now: number): number {
    const count = super.retryUnfit(placeId, fits, now);
    return this.#note(count, (answer) => ({ kind: "retryUnfit", placeId, fits, answer }));
  }

  override prepare(epoch: number, batch: CommitBatch, now: number): void {
    super.prepare(epoch, batch, now);
    this.#note(null, () => ({ kind: "prepare", epoch, batch }));
  }

  override commit(epoch: number, batch: CommitBatch, now: number): CommitResult {
    this.#noteAsked();
    return this.#note(super.commit(epoch, batch, now), (answer) => ({ kind: "commit", epoch, batch, answer }));
  }

  override claim(request: ClaimRequest, now: number): Claimed {
    return this.#note(super.claim(request, now), (answer) => ({ kind: "claim", request, answer }));
  }

  override intend(epoch: number, placeId: number, intents: readonly Intent[], now: number): IntendResult {
    const given = super.intend(epoch, placeId, intents, now);
    return this.#note(given, (answer) => ({ kind: "intend", epoch, placeId, intents, answer }));
  }

  override settle(epoch: number, placeId: number, settlements: readonly DeliveryResult[], now: number): SettleResult {
    this.#noteAsked();
    const given = super.settle(epoch, placeId, settlements, now);
    return this.#note(given, (answer) => ({ kind: "settle", epoch, placeId, settlements, answer }));
  }

  override finish(epoch: number, summary: CycleSummary): void {
    super.finish(epoch, summary);
    this.#note(null, () => ({ kind: "finish", epoch, summary }));
  }

  override applyUserEdits(recordId: string, values: Values, placeIds: readonly number[], now: number): boolean {
    const isDone = super.applyUserEdits(recordId, values, placeIds, now);
    return this.#note(isDone, (answer) => ({ kind: "applyUserEdits", recordId, values, placeIds, answer }));
  }

  override replayParked(now: number): void {
    super.replayParked(now);
    this.#note(null, () => ({ kind: "replayParked" }));
  }

  override undoMerge(mergeId: string, placeIds: readonly number[], now: number): boolean {
    const merge = this.merges.kept.find((candidate) => candidate.mergeId === mergeId);
    const isDone = super.undoMerge(mergeId, placeIds, now);
    if (merge) this.#note(isDone, (answer) => ({ kind: "undoMerge", merge, placeIds, answer }));
    return isDone;
  }
}
