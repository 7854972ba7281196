/** Problems of a pipeline: those whose cause stands, and what the last cycle said of others. A good cycle takes none back. */
import { pipelines as words } from "@accord/contracts/messages/en/sync/pipelines";
import { fill } from "@accord/contracts/messages/fill";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { COUNTED_UP_TO } from "@accord/contracts/sync/monitoring/health";
import type { RunProblem } from "@accord/contracts/sync/monitoring/runs";
import { readActionProblems } from "../../actions/index.ts";
import { deletionWarnings } from "../deletions/deletion-warnings.ts";
import type { ScanProblem } from "../deletions/deletion-detection.store.ts";
import type { PipelineRow } from "../schedule/pipeline-rows.store.ts";
import { nodeOf } from "../worker/place-nodes.ts";
import type { InstanceId, ServiceContext } from "../published-pipelines.ts";
import { runId } from "../run-ids.ts";
import type { CycleRow } from "./runs.store.ts";
import type { SlotState } from "./replication-slots.store.ts";
import { slotWarnings } from "./slot-warnings.ts";
import type { CauseKey, QuarantineCauseRow, RefusedValuesRow } from "./standing-problems.store.ts";
import { grouped, type SyncStateView, syncState, withActions } from "./sync-state.ts";

/** A place of a pipeline, as its number is known in storage. */
export interface NumberedPlace {
  id: number;
  pipelineId: string;
  connectorId: string;
  entity: string;
}

/** What is known of an instance's pipelines beside their rows. */
export interface ProblemFacts {
  causes: readonly QuarantineCauseRow[];
  refused: readonly RefusedValuesRow[];
  /** `pipelineId code` of records that were quarantined once and are not any more. */
  resolved: ReadonlySet<string>;
  places: readonly NumberedPlace[];
  /** By pipeline. */
  actions: ReadonlyMap<string, readonly RunProblem[]>;
  /** By place number. */
  missing: ReadonlyMap<number, ScanProblem>;
  slots: readonly SlotState[];
  /** By pipeline: its newest cycle that is kept. */
  kept: ReadonlyMap<string, KeptCycle>;
}

type KeptCycle = Pick<CycleRow, "number" | "problems">;

export interface Problems {
  state: SyncStateView;
  errors: RunProblem[];
  /** Causes for which records wait in quarantine; `sampleId` names an entry where no words are known. */
  quarantined: (RunProblem & { sampleId?: string })[];
  refused: RunProblem[];
  others: RunProblem[];
}

type Parts = Pick<ServiceContext, "deps" | "store" | "missing" | "slots" | "standing">;

export async function loadProblemFacts(
  { deps, store, missing, slots, standing }: Parts,
  at: InstanceId,
  rows: readonly PipelineRow[],
): Promise<ProblemFacts> {
  const [causes, refused, places, looks, retained, kept, actions] = await Promise.all([
    standing.quarantineCauses(at),
    standing.refusedValues(at),
    store.places(at),
    missing.problems(at),
    slots.list(at),
    store.keptProblems(
      at,
      rows.flatMap(({ pipelineId, lastCycle }) => (lastCycle?.problems.length ? [pipelineId] : [])),
    ),
    readActionProblems(deps.dataPool, at),
  ]);
  const resolved = await standing.resolvedCauses(
    at,
    rows.flatMap((row) => uncertainCauses(row, causes)),
  );
  return {
    causes,
    refused,
    resolved: new Set(resolved.map(({ pipelineId, code }) => `${pipelineId} ${code}`)),
    places,
    missing: looks,
    slots: retained,
    kept,
    actions,
  };
}

const REFUSED = "not_convertible";

/** Where a place is read, and written. */
export const NODE_TYPES = { source: "ENTITY_SOURCE", destination: "ENTITY_SINK" } as const;

/** Codes that the last cycle warned of and that may name records which are no longer in quarantine. */
function uncertainCauses(row: PipelineRow, causes: readonly QuarantineCauseRow[]): CauseKey[] {
  const { pipelineId } = row;
  const open = new Set(causes.flatMap((cause) => (cause.pipelineId === pipelineId ? [cause.code] : [])));
  const codes = new Set(syncState(row).warnings.map(({ code }) => code));
  return [...codes].filter((code) => code !== REFUSED && !open.has(code)).map((code) => ({ pipelineId, code }));
}

export function problemsOf(row: PipelineRow, nodes: readonly GraphNode[], facts: ProblemFacts, now: number): Problems {
  const state = syncState(row);
  const places = facts.places.filter(({ pipelineId }) => pipelineId === row.pipelineId);
  const causes = facts.causes.filter(({ pipelineId }) => pipelineId === row.pipelineId);
  const open = new Set(causes.map(({ code }) => code));
  const inCycle = markCountedIn(facts.kept.get(row.pipelineId));
  const said = state.warnings.filter(
    ({ code }) => code !== REFUSED && !open.has(code) && !facts.resolved.has(`${row.pipelineId} ${code}`),
  );
  return {
    state,
    errors: state.errors.map((problem) => (problem.code === "paused_in_error" ? problem : inCycle(problem))),
    quarantined: causes
      .flatMap((cause) => quarantineProblems(cause, nodes, places, state.warnings))
      .map((problem) => ({ ...problem, listedIn: "quarantine" as const })),
    refused: facts.refused.flatMap((values) => refusedProblem(values, nodes, places, state.warnings)),
    others: [
      ...deletionWarnings(nodes, places, facts.missing),
      ...slotWarnings(nodes, row.pipelineId, facts.slots, now),
      ...withActions(said.map(inCycle), facts.actions.get(row.pipelineId)),
    ],
  };
}

/**
 * Says which cycle a number is about: that of the newest cycle that is kept, where it counted just as many. What is known
 * of the last cycle also has what earlier ones met, and one that found nothing to do is not kept.
 */
function markCountedIn(kept: KeptCycle | undefined): (problem: RunProblem) => RunProblem {
  if (!kept) return (problem) => problem;
  const keyOf = ({ nodeId, targetId, code, errorMessage, count }: RunProblem): string =>
    JSON.stringify([nodeId, targetId, code, errorMessage, count]);
  const counted = new Set(
    (["error", "warning"] as const).flatMap((wanted) =>
      grouped(kept.problems.filter(({ severity }) => severity === wanted)).map(keyOf),
    ),
  );
  return (problem) =>
    counted.has(keyOf(problem)) ? { ...problem, listedIn: "cycle", cycleId: runId(kept.number) } : problem;
}

/** The most affected records first. */
export const warningsOf = ({ quarantined, refused, others }: Omit<Problems, "state" | "errors">): RunProblem[] =>
  [...others, ...quarantined, ...refused].sort((left, right) => right.count - left.count);

/** What the cycle said, reason by reason, where it was about all of them; else the cause with one of its entries. */
function quarantineProblems(
  { placeId, nodeId, direction, code, externalId, count, sampleId }: QuarantineCauseRow,
  nodes: readonly GraphNode[],
  places: readonly NumberedPlace[],
  cycle: readonly RunProblem[],
): Problems["quarantined"] {
  const at = nodeId ?? nodeAt(nodes, places, placeId, NODE_TYPES[direction])?.id ?? null;
  const said = cycle.filter((one) => one.code === code && one.nodeId === at);
  const { isLowerBound } = countOf(count);
  if (!isLowerBound && said.length > 0 && said.reduce((sum, one) => sum + one.count, 0) === count) return said;
  const errorDetail = externalId === null ? "" : fill(words.inRecord, { record: externalId });
  const problem = { nodeId: at, targetId: null, code, errorMessage: words.recordsQuarantined, errorDetail };
  return [{ ...problem, ...countOf(count), sampleId }];
}

/** What was counted up to the bound, as people see it. */
const countOf = (count: number, isLowerBound = count > COUNTED_UP_TO): Pick<RunProblem, "count" | "isLowerBound"> =>
  isLowerBound ? { count: Math.min(count, COUNTED_UP_TO), isLowerBound } : { count };

/** What the cycle said has a sample of the values; what stands knows how many there are. */
function refusedProblem(
  { placeId, direction, field, count, isLowerBound, externalId }: RefusedValuesRow,
  nodes: readonly GraphNode[],
  places: readonly NumberedPlace[],
  cycle: readonly RunProblem[],
): RunProblem[] {
  const node = nodeAt(nodes, places, placeId, NODE_TYPES[direction]);
  if (!node) return [];
  const message = direction === "source" ? words.valuesRefused : words.valuesUnfit;
  const said = cycle.find((one) => one.code === REFUSED && one.nodeId === node.id && one.targetId === field);
  return [
    {
      nodeId: node.id,
      targetId: field,
      code: REFUSED,
      errorMessage: said?.errorMessage ?? fill(message, { field }),
      errorDetail: said?.errorDetail ?? fill(words.inRecord, { record: externalId }),
      ...countOf(count, isLowerBound),
    },
  ];
}

/** The node of the graph at which a place is read, or written. */
export function nodeAt(
  nodes: readonly GraphNode[],
  places: readonly NumberedPlace[],
  placeId: number,
  type: "ENTITY_SOURCE" | "ENTITY_SINK",
): GraphNode | undefined {
  const place = places.find(({ id }) => id === placeId);
  return place && nodeOf(nodes, place, type);
}
