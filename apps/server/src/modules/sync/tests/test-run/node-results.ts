/** What each node of a graph did with the records of a test, as it is kept and shown: without secrets, and within a limit of bytes. Pure. */
import type { ReadPage } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";
import type { NodeResult, NodeTestData } from "@accord/contracts/sync/tests/pipeline-tests";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import type { TestPipeline } from "../../runs/index.ts";
import { type Budget, bytesOf } from "./budget.ts";
import type { ResultStep } from "./result-trace.ts";
import type { SimulatedRecord, Skipped } from "./simulate.ts";
import { skippedCall } from "./skipped-calls.ts";

interface NodeRow {
  node: GraphNode;
  kept: NodeTestData[];
  /** What there was, be it kept or not. */
  count: number;
  hasFailed: boolean;
  hasSkipped: boolean;
}

/** Takes one record after the other and keeps of it what the budget allows: nothing of it is needed afterwards. */
export class NodeResults {
  readonly #pipeline: TestPipeline;
  readonly #graph: Graph;
  readonly #budget: Budget;
  readonly #hasValuesOnly: boolean;
  readonly #rows: NodeRow[];

  /**
   * `graph`: the one whose nodes are wanted, of the entity or of a field. `hasValuesOnly`: of a step that is kept the
   * value that comes and goes, not the whole record.
   */
  constructor(pipeline: TestPipeline, graph: Graph, budget: Budget, { hasValuesOnly = false } = {}) {
    this.#hasValuesOnly = hasValuesOnly;
    this.#pipeline = pipeline;
    this.#graph = graph;
    this.#budget = budget;
    this.#rows = graph.nodes.map((node) => ({ node, kept: [], count: 0, hasFailed: false, hasSkipped: false }));
  }

  add(record: SimulatedRecord, signal: AbortSignal): void {
    const steps = Map.groupBy(record.trace.steps, ({ nodeId }) => nodeId);
    const skipped = skippedByStep(record);
    for (const row of this.#rows) {
      signal.throwIfAborted();
      const { node } = row;
      const data = dataAt(this.#pipeline, this.#graph, node, record);
      for (const one of data ?? []) this.#keep(row, () => one);
      if (data) {
        row.hasFailed ||= data.some(({ message }) => message !== null);
        continue;
      }
      const ofNode = steps.get(node.id) ?? [];
      for (const step of ofNode) {
        const calls = skippedAt(skipped, step);
        row.hasSkipped ||= calls.length > 0;
        this.#keep(row, () => {
          const data = stepData(this.#pipeline, record, step, calls);
          return this.#hasValuesOnly ? { ...data, ...valuesOf(step) } : data;
        });
      }
      const count = record.trace.counts.get(node.id);
      row.count += (count?.steps ?? 0) - ofNode.length;
      row.hasFailed ||= (count?.failed ?? 0) > 0;
      // The beginning of a loop takes no step of its own.
      if (record.message === null || record.failedAt !== node.id || row.hasFailed) continue;
      row.hasFailed = true;
      this.#keep(row, () => ({ ...blank(record.id), ...failed(this.#pipeline, record) }));
      row.hasSkipped ||= record.skipped.some((one) => one.kind === "action" && one.nodeId === node.id);
    }
  }

  /** What a source could not read, and what it says of its list. */
  addUnread(nodeId: string, page: Pick<ReadPage, "bad" | "warnings">): void {
    const row = this.#rows.find(({ node }) => node.id === nodeId);
    if (!row) return;
    for (const { id, place, message } of page.bad ?? []) {
      row.hasFailed = true;
      this.#keep(row, () => ({ ...blank(id ?? place), route: null, message }));
    }
    const warnings = (page.warnings ?? []).map(({ message }) => message);
    if (warnings.length > 0) this.#keep(row, () => ({ ...blank(""), warnings }));
  }

  results(): NodeResult[] {
    return this.#rows.map(({ node, kept, count, hasFailed, hasSkipped }) => ({
      nodeId: node.id,
      label: node.label || node.name || node.apiName,
      nodeType: node.nodeType,
      status: count === 0 ? "not_reached" : hasFailed ? "failed" : hasSkipped ? "skipped" : "success",
      testData: kept,
      isTruncated: kept.length < count,
    }));
  }

  #keep(row: NodeRow, make: () => NodeTestData): void {
    row.count += 1;
    if (this.#budget.left <= 0) return;
    const data = make();
    this.#budget.left -= bytesOf(data);
    if (this.#budget.left > 0) row.kept.push(data);
  }
}

/** Actions by node and turn: a node makes at most one each time it is passed. Requests by the step that made them. */
interface SkippedByStep {
  actions: Map<string, Skipped[]>;
  requests: Map<number, Skipped[]>;
}

function skippedByStep({ skipped }: SimulatedRecord): SkippedByStep {
  const actions = new Map<string, Skipped[]>();
  const requests = new Map<number, Skipped[]>();
  const add = <Key>(map: Map<Key, Skipped[]>, key: Key, one: Skipped): void => {
    const list = map.get(key);
    if (list) list.push(one);
    else map.set(key, [one]);
  };
  for (const one of skipped)
    if (one.kind === "action") add(actions, `${one.nodeId}${turnOf(one)}`, one);
    else add(requests, one.step, one);
  return { actions, requests };
}

/** The key of a call begins with its node and its turn. */
const turnOf = ({ nodeId, call }: Extract<Skipped, { kind: "action" }>): string =>
  call.key.slice(nodeId.length).split(" ", 1)[0] ?? "";

function skippedAt({ actions, requests }: SkippedByStep, { nodeId, turn, index }: ResultStep): Skipped[] {
  const action = actions.get(`${nodeId}${turn}`)?.shift();
  return [...(action ? [action] : []), ...(requests.get(index) ?? [])];
}

/** Null where a node is known by the steps that records took at it. */
function dataAt(pipeline: TestPipeline, graph: Graph, node: GraphNode, record: SimulatedRecord): NodeTestData[] | null {
  const whole = (values: Values | null | undefined): NodeTestData[] =>
    values ? [{ ...blank(record.id), input: values, output: values }] : [];
  const part = (values: Values | null | undefined, field: string): NodeTestData[] =>
    values && field in values ? whole({ [field]: values[field] ?? null }) : [];
  const attribute = node.configuration.attributeDefinition ?? "";
  switch (node.nodeType) {
    case "ENTITY_SOURCE":
      return node.id === record.sourceNodeId ? sourceData(pipeline, record) : [];
    case "ATTRIBUTE_SOURCE":
      return isAtSource(pipeline, node, record) ? part(readable(pipeline, record), attribute) : [];
    case "CORE_ENTITY":
      return record.core
        ? whole(pipeline.secrets.core.values(record.core))
        : coreFailure(pipeline, node, record, graph);
    case "CORE_ATTRIBUTE":
      return record.core
        ? part(pipeline.secrets.core.values(record.core), node.apiName)
        : coreFailure(pipeline, node, record, graph);
    case "ENTITY_SINK":
      return sinkFailure(pipeline, node.id, record) ?? whole(sentTo(pipeline, node.id, record));
    case "ATTRIBUTE_SINK":
      return sinksAt(pipeline, node).flatMap(
        (nodeId) => sinkFailure(pipeline, nodeId, record) ?? part(sentTo(pipeline, nodeId, record), attribute),
      );
    default:
      return null;
  }
}

/** A record as it was read, with what it goes on without. */
function sourceData(pipeline: TestPipeline, record: SimulatedRecord): NodeTestData[] {
  const values = readable(pipeline, record);
  const isHere = record.message !== null && record.failedAt === record.sourceNodeId;
  const warnings = record.warnings.map((text) => shownText(pipeline, record, text));
  return [{ ...blank(record.id), input: values, output: values, warnings, ...(isHere && failed(pipeline, record)) }];
}

/** Where no other node of the graph says why the record did not reach the core, the core does. */
function coreFailure(pipeline: TestPipeline, node: GraphNode, record: SimulatedRecord, shown: Graph): NodeTestData[] {
  const { message, failedAt } = record;
  const isElsewhere = shown.nodes.some(({ id }) => id === failedAt && id !== node.id);
  return message === null || isElsewhere ? [] : [{ ...blank(record.id), ...failed(pipeline, record) }];
}

function sinkFailure(pipeline: TestPipeline, nodeId: string, record: SimulatedRecord): NodeTestData[] | null {
  const message = record.sinkFailures.get(nodeId);
  if (message === undefined) return null;
  const input = pipeline.secrets.core.values(record.core ?? {});
  return [{ ...blank(record.id), input, route: null, message: shownText(pipeline, record, message) }];
}

const failed = (pipeline: TestPipeline, record: SimulatedRecord) => ({
  route: null,
  message: shownText(pipeline, record, record.message ?? ""),
});

/** A text about a record, without its secrets. */
export function shownText(pipeline: TestPipeline, record: SimulatedRecord, text: string): string {
  const { core } = pipeline.secrets;
  return core.text(core.text(text, record.core), secretsOf(pipeline, record));
}

const secretsOf = (pipeline: TestPipeline, { values }: SimulatedRecord): Values =>
  Object.fromEntries(Object.entries(values).filter(([field]) => pipeline.secretNames.has(field)));

function stepData(
  pipeline: TestPipeline,
  record: SimulatedRecord,
  step: ResultStep,
  skipped: readonly Skipped[],
): NodeTestData {
  const source = pipeline.plan.sources.find(({ nodeId }) => nodeId === record.sourceNodeId);
  const secrets = source ? pipeline.secrets.at(source.place.id) : pipeline.secrets.core;
  const mask = (values: Values): Values => pipeline.secrets.core.values(secrets.values(values));
  const text = (message: string): string => secrets.text(message, { ...record.values, ...step.before });
  return {
    recordId: record.id,
    input: mask(step.before),
    output: { ...mask(step.after), ...(step.result === null ? {} : { [RESULT]: step.result }) },
    route: step.route,
    message: step.failure && text(step.failure.message),
    warnings: step.warnings.map(({ message }) => text(message)),
    skipped: skipped.map((one) => skippedCall(one, pipeline.hasSecrets)),
  };
}

/** What the nodes of a field pipeline work on. */
const valuesOf = ({ incoming, outgoing }: ResultStep) => ({
  input: { [RESULT]: incoming },
  output: { [RESULT]: outgoing },
});

/** Name of a node's own result among its values. */
export const RESULT = "value";

const blank = (recordId: string): NodeTestData => ({
  recordId,
  input: {},
  output: {},
  route: "default",
  message: null,
  warnings: [],
  skipped: [],
});

function readable(pipeline: TestPipeline, record: SimulatedRecord): Values {
  const source = pipeline.plan.sources.find(({ nodeId }) => nodeId === record.sourceNodeId);
  return source ? pipeline.secrets.at(source.place.id).values(record.values) : {};
}

function sentTo(pipeline: TestPipeline, nodeId: string, record: SimulatedRecord): Values | null {
  const sink = pipeline.plan.sinks.find((one) => one.nodeId === nodeId);
  const values = record.sent.get(nodeId);
  return sink && values ? pipeline.secrets.at(sink.place.id).values(values) : null;
}

const isSamePlace = (node: GraphNode, place: { connectorId: string; entity: string }): boolean =>
  node.configuration.connectorId === place.connectorId && node.configuration.entityDefinition === place.entity;

const isAtSource = (pipeline: TestPipeline, node: GraphNode, record: SimulatedRecord): boolean =>
  pipeline.plan.sources.some(({ nodeId, place }) => nodeId === record.sourceNodeId && isSamePlace(node, place));

/** Destinations of the entity pipeline to which a field pipeline's destination belongs. */
export const sinksAt = (pipeline: TestPipeline, node: GraphNode): string[] =>
  pipeline.plan.sinks.filter(({ place }) => isSamePlace(node, place)).map(({ nodeId }) => nodeId);

/** The source of the entity pipeline that a source node stands for, be it one of a field pipeline. */
export const sourceAt = (pipeline: Pick<TestPipeline, "plan">, graph: Graph, nodeId: string): string | null => {
  const node = graph.nodes.find(({ id }) => id === nodeId);
  const { sources } = pipeline.plan;
  const found =
    sources.find((source) => source.nodeId === nodeId) ??
    sources.find(({ place }) => node?.nodeType === "ATTRIBUTE_SOURCE" && isSamePlace(node, place));
  return found?.nodeId ?? null;
};

/** What a step left, for comparisons. */
export const outputOf = (step: { after: Values; result: Value }): Values => ({
  ...step.after,
  ...(step.result === null ? {} : { [RESULT]: step.result }),
});
