/** What the outside calls of a cycle are made with, and whom they notify. */
import type { CycleSlot } from "@accord/sync-engine/run";
import type { LeaseDeadline } from "../../../../../platform/lease-deadline.ts";
import type { WaitPolicy } from "../../../../connections/connectors/index.ts";
import type { ScanKey } from "../../deletions/deletion-detection.store.ts";
import type { SlotOwner } from "../../monitoring/replication-slots.store.ts";
import type { Acquired } from "../../schedule/pipeline-rows.store.ts";
import type { CompiledPipeline, RunsDependencies } from "../plans.ts";

export interface ConnectorCallsContext {
  needs: Pick<RunsDependencies, "connectors" | "answers">;
  pipeline: CompiledPipeline;
  acquired: Acquired;
  traffic: WaitPolicy["traffic"];
  /** Aborts what is under way. */
  signal: AbortSignal;
  /** Notified of what is done or waited for. */
  doing: (activity: string) => void;
  /** UTC milliseconds. */
  now: () => number;
  /** Nothing is sent once it is over. */
  lease: LeaseDeadline;
  slot: CycleSlot | undefined;
  followUps: FollowUps | undefined;
}

/** What has to be done about a source besides reading it. */
export interface FollowUps {
  /** It is about to be read for the first time by a reader for whom the system retains changes. */
  newReader(owner: SlotOwner, name: string): Promise<unknown>;
  /** Deletions there may have been missed. */
  missedDeletes(place: ScanKey): Promise<unknown>;
}
