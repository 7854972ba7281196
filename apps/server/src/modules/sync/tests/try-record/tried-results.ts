/** What is answered about a record that was tried: at the core, at each destination, and at each node. Pure. */
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import type { Values } from "@accord/contracts/data/values";
import type { Graph } from "@accord/contracts/sync/graph";
import type { NodeResult } from "@accord/contracts/sync/tests/pipeline-tests";
import type { TriedRecord } from "@accord/contracts/sync/tests/try-record";
import { isCore, isSink } from "@accord/sync-engine/graph";
import { destinationMessage, type TestPipeline } from "../../runs/index.ts";
import { type Budget, keptValue, newBudget } from "../test-run/budget.ts";
import { NodeResults, shownText, sinksAt } from "../test-run/node-results.ts";
import type { SimulatedDestination, SimulatedRecord } from "../test-run/simulate.ts";

export interface TriedParts {
  pipeline: TestPipeline;
  /** The graph that is shown. */
  graph: Graph;
  /** Whose graph that is; undefined: the graph of the entity. */
  field: string | undefined;
  /** Nodes of it that were left out. */
  notRun: readonly string[];
  tried: SimulatedRecord;
}

type Results = Pick<TriedRecord, "nodes" | "notRun" | "edges" | "core" | "destinations">;

export function triedResults(parts: TriedParts, budget: Budget, signal: AbortSignal): Results {
  const { pipeline, graph, field, notRun, tried } = parts;
  const results = new NodeResults(pipeline, graph, budget, { hasValuesOnly: field !== undefined });
  results.add(tried, signal);
  const leftOut = new Set(notRun);
  const drawn = new Set(graph.edges.map(({ id }) => id));
  const core = graph.nodes.find(isCore);
  return {
    nodes: results
      .results()
      .map((node) =>
        leftOut.has(node.nodeId)
          ? { ...node, status: "not_reached", testData: [], isTruncated: false }
          : withPassed(node, graph, tried.taken),
      ),
    notRun: [...notRun],
    edges: [...tried.taken].filter((id) => drawn.has(id)),
    core: core && leftOut.has(core.id) ? NO_CORE : coreOf(parts, budget),
    destinations: destinationsOf(parts, budget).filter(({ nodeId }) => !leftOut.has(nodeId)),
  };
}

const NO_CORE: TriedRecord["core"] = { outcome: "none", recordId: null, before: null, after: null, message: null };

/** Ends of loops, and nodes that do nothing of their own, take no step: the edges into them show whether it passed. */
function withPassed(node: NodeResult, { edges }: Graph, taken: ReadonlySet<string>): NodeResult {
  const isStepless = node.nodeType === "FUNCTION" && node.status === "not_reached";
  const isReached =
    isStepless && edges.some(({ id, destination }) => destination.nodeId === node.nodeId && taken.has(id));
  return isReached ? { ...node, status: "success" } : node;
}

const keptValues = (budget: Budget, values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [field, keptValue(budget, value)]));

/** Of a field pipeline that field alone. */
const ofField = (values: Values, field: string | undefined): Values =>
  field === undefined ? values : field in values ? { [field]: values[field] ?? null } : {};

function coreOf({ pipeline, field, tried }: TriedParts, budget: Budget): TriedRecord["core"] {
  const { core, stored, message } = tried;
  const shown = (values: Values | null) =>
    values && keptValues(budget, ofField(pipeline.secrets.core.values(values), field));
  return {
    outcome: stored?.outcome ?? "none",
    recordId: stored?.recordId ?? null,
    before: shown(stored?.before ?? null),
    after: shown(core),
    message: message && shownText(pipeline, tried, message),
  };
}

function destinationsOf(parts: TriedParts, budget: Budget): TriedRecord["destinations"] {
  const { pipeline, graph, field, tried } = parts;
  const ofEntity = tried.destinations.filter(({ sink }) => !sink.isActionsOnly);
  if (field === undefined) return ofEntity.map((one) => destinationOf(parts, one, budget));
  return graph.nodes.filter(isSink).flatMap((node) => {
    const [sinkId] = sinksAt(pipeline, node);
    const destination = ofEntity.find(({ sink }) => sink.nodeId === sinkId);
    if (!destination) return [];
    const attribute = node.configuration.attributeDefinition ?? "";
    const result = destinationOf(parts, destination, newBudget());
    const values = result.values && ofField(result.values, attribute);
    const label = node.label || attribute;
    return [{ ...result, nodeId: node.id, label, values: values && keptValues(budget, values) }];
  });
}

function destinationOf(
  { pipeline, tried }: TriedParts,
  { sink, outcome, operation, count, values, failure }: SimulatedDestination,
  budget: Budget,
): TriedRecord["destinations"][number] {
  const place = `${pipeline.connectors.get(sink.place.connectorId)?.name ?? ""} ${sink.place.entity}`;
  const state = failure === null ? outcome : "failed";
  const reason = failure && shownText(pipeline, tried, failure);
  return {
    nodeId: sink.nodeId,
    label: sink.label,
    outcome: state,
    message: reason
      ? fill(words.destinationFailed, { destination: place, reason })
      : destinationMessage(state, { place, count, reason: "", operation }),
    values: values && keptValues(budget, pipeline.secrets.at(sink.place.id).values(values)),
  };
}
