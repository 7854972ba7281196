/** The counts of one system in a reconciliation. */
import type { ReconciledSystem } from "@accord/contracts/sync/reconciliation";
import type { ComparedSystem } from "./systems.ts";

/** Before anything of it was read. */
export const noNumbers = (system: ComparedSystem): ReconciledSystem => ({
  connectorId: system.connectorId,
  connectorName: system.connectorName,
  entityName: system.schema.displayName,
  isSource: system.source !== null,
  isDestination: system.sink !== null,
  listed: 0,
  filtered: 0,
  unknown: 0,
  unreadable: 0,
  problem: system.problem,
  isFailed: false,
});
