/** What the data studio needs from the engine: changes by hand, links to outside records, and the ledger. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Value, Values } from "@accord/contracts/data/values";

export interface RecordWriter {
  /**
   * One transaction: records, ledger, links and deliveries, all or none, in order. Values are converted and checked
   * already. At most 500 changes; the outcomes come in their order.
   */
  applyManualChange(request: {
    instanceId: Id<"instance">;
    entityId: Id<"entity">;
    actor: { userId: string; name: string };
    changes: ManualChange[];
  }): Promise<ManualOutcome[]>;
}

export type ManualChange =
  | { kind: "create"; recordId: Id<"record">; values: Values }
  /** Only the fields that change; null clears. */
  | { kind: "update"; recordId: Id<"record">; values: Values; expectedVersion?: number }
  /** With end systems: marked deleted and deleted there. Without: the record goes, the outside ones stay. */
  | { kind: "delete"; recordId: Id<"record">; deleteInEndSystems: boolean }
  | { kind: "restore"; recordId: Id<"record"> };

export type ManualOutcome =
  | { status: "done"; version: number }
  | { status: "unchanged"; version: number }
  | { status: "stale"; version: number }
  | { status: "missing" };

export interface RecordHistory {
  linksOf(at: Id<"instance">, entityId: Id<"entity">, recordIds: string[]): Promise<RecordLink[]>;
  /** The newest first; values of password fields are masked. */
  ledgerOf(
    at: Id<"instance">,
    entity: Pick<CoreEntity, "id" | "fields">,
    recordId: string,
    page: { cursor?: string; count: number; field?: string },
  ): Promise<{ entries: LedgerEntry[]; nextCursor: string | null }>;
}

export interface RecordLink {
  recordId: string;
  connectorId: string;
  connectorEntity: string;
  externalId: string;
  lastSeenAt: string | null;
  lastWrittenAt: string | null;
  state: "live" | "dead";
}

export interface LedgerEntry {
  id: string;
  at: string;
  operation: string;
  actor:
    | { kind: "user"; userId: string; name: string }
    | { kind: "source"; connectorId: string; connectorEntity: string; externalId: string | null }
    | { kind: "system" };
  /** The outside record concerned: where a change came from, or where it was written to. */
  place: { connectorId: string; connectorEntity: string; externalId: string | null } | null;
  cycleId: string | null;
  pipelineVersion: number | null;
  changes: { field: string; from: Value; to: Value }[];
  refused: { field: string; value: Value; reason: string }[];
}
