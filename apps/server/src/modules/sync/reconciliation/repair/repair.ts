/** Plans what a repair asks of the pipeline: which difference is read, sent, linked or taken as deleted. Pure. */
import type { REPAIR_ACTIONS, RepairChoice, RepairPlan } from "@accord/contracts/sync/reconciliation";
import type { StoredDifference } from "../report/differences.store.ts";
import type { RepairWork } from "./repair.store.ts";
import type { ComparedSystem } from "../comparison/systems.ts";

type RepairAction = (typeof REPAIR_ACTIONS)[number];

/** Differences that nothing else will fix. What authority, settings or a merge explain is as it should be. */
const REPAIRED: ReadonlySet<string> = new Set(["unexplained", "unsettled", "waiting_to_read", "not_brought_in"]);

/** What a repair knows besides the differences. */
export interface RepairContext {
  /** `place signature` → the record of the core whose external record lost its link. */
  lostLinks: ReadonlyMap<string, string>;
  /**
   * The rows themselves, or their reason, were chosen: what settings leave deleted is created again, what a system did
   * not take is sent again.
   */
  isExplicit: boolean;
}

/** Repaired only where somebody asks for it. */
const BY_CHOICE: ReadonlySet<string | undefined> = new Set(["deleted_there", "not_taken"]);

export const isExplicitChoice = ({ numbers, reason }: Pick<RepairChoice, "numbers" | "reason">): boolean =>
  numbers !== undefined || BY_CHOICE.has(reason);

export const isRepaired = (reason: StoredDifference["reason"], isExplicit: boolean): boolean =>
  REPAIRED.has(reason) || (isExplicit && BY_CHOICE.has(reason));

/** Whether a repair takes the external record as deleted: its deletion reaches the core and all other systems. */
export const isTakenAsDeleted = (
  { kind, reason, externalId, recordId }: StoredDifference,
  { source }: Pick<ComparedSystem, "source">,
): boolean =>
  kind === "missing" &&
  REPAIRED.has(reason) &&
  externalId !== null &&
  recordId !== null &&
  source?.acceptDeletes === true;

export interface PlannedRepair {
  work: RepairWork[];
  /** Source node ids to be read whole, as their systems can't be asked for single records. */
  resyncs: string[];
  /** Numbers of the differences that something is done about. */
  numbers: string[];
  plan: RepairPlan;
}

export const emptyPlan = (): RepairPlan => ({ actions: [], skipped: 0, changed: 0, unchecked: 0, withheld: 0 });

export function planRepair(
  differences: readonly StoredDifference[],
  systems: readonly ComparedSystem[],
  context: RepairContext,
): PlannedRepair {
  const planned: PlannedRepair = { work: [], resyncs: [], numbers: [], plan: emptyPlan() };
  const counts = new Map<RepairAction, number>();
  for (const system of systems) {
    const work = emptyWork(system);
    for (const difference of differences.filter(({ placeId }) => placeId === system.placeId)) {
      const action = addTo(work, difference, system, context);
      if (!action) continue;
      planned.numbers.push(difference.number);
      counts.set(action, (counts.get(action) ?? 0) + 1);
    }
    planned.work.push(work);
    if (system.source && !work.isReadById && work.reads.length + work.links.length > 0)
      planned.resyncs.push(system.source.nodeId);
  }
  planned.plan.actions = [...counts].map(([action, count]) => ({ action, count }));
  planned.plan.skipped = differences.length - planned.numbers.length;
  return planned;
}

const emptyWork = ({ placeId, canGetById }: ComparedSystem): RepairWork => ({
  placeId,
  reads: [],
  isReadById: canGetById,
  links: [],
  deleted: [],
  sends: [],
  recreations: [],
  deletions: [],
});

/** Null: nothing is done about it. */
function addTo(
  work: RepairWork,
  difference: StoredDifference,
  system: ComparedSystem,
  { lostLinks, isExplicit }: RepairContext,
): RepairAction | null {
  const { kind, reason, placeId, externalId, recordId, signature } = difference;
  if (!isRepaired(reason, isExplicit)) return null;
  const lost = signature === null ? undefined : lostLinks.get(`${placeId} ${signature}`);
  switch (kind) {
    case "unlinked":
      if (externalId === null || !system.source) return null;
      if (lost !== undefined) {
        work.links.push({ externalId, recordId: lost });
        return "link";
      }
      work.reads.push({ externalId, isNews: false });
      return "read";
    case "missing":
      return addMissing(work, difference, system, isExplicit);
    case "different":
      return addDifferent(work, difference, system);
    case "not_delivered":
      // The external record that only lost its link is tied to it: sending would double it there.
      if (recordId === null || lost !== undefined) return null;
      if (reason === "deleted_there") {
        if (!system.sink?.create) return null;
        work.recreations.push({ externalId: null, recordId });
        return "recreate";
      }
      work.sends.push({ recordId, writeIndex: null });
      return "send";
    case "not_deleted":
      if (recordId === null || !system.sink?.delete) return null;
      work.deletions.push(recordId);
      return "send_deletion";
    case "doubled":
      return null;
  }
}

function addMissing(
  work: RepairWork,
  difference: StoredDifference,
  system: ComparedSystem,
  isExplicit: boolean,
): RepairAction | null {
  const { externalId, recordId } = difference;
  const { sink } = system;
  if (externalId === null || recordId === null) return null;
  if (isTakenAsDeleted(difference, system)) {
    work.deleted.push(externalId);
    return "take_as_deleted";
  }
  if (!sink?.create || (!sink.recreate && !isExplicit)) return null;
  work.recreations.push({ externalId, recordId });
  return sink.recreate ? "send" : "recreate";
}

function addDifferent(
  work: RepairWork,
  { externalId, recordId, connectorField, isUnread }: StoredDifference,
  { source, sink }: ComparedSystem,
): RepairAction | null {
  if (externalId === null || recordId === null) return null;
  const mapping = sink?.mappings.find((one) => one.connectorField === connectorField);
  if (source && (!mapping || isUnread)) {
    work.reads.push({ externalId, isNews: mapping !== undefined });
    return "read";
  }
  if (!mapping || !sink?.update) return null;
  work.sends.push({ recordId, writeIndex: mapping.writeIndex });
  return "send";
}
