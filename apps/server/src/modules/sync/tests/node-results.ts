/** What each node of a graph did with the records of a test, as it is kept and shown: without secrets, and within a limit of bytes. Pure. */
import type { Value, Values } from "@accord/contracts/data/values";
import type { NodeResult, NodeTestData } from "@accord/contracts/sync/pipeline-tests";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import type { TestPipeline } from "../runs/index.ts";
import { type Budget, bytesOf } from "./budget.ts";
import type { SimulatedRecord } from "./simulate.ts";
import { skippedCall } from "./skipped-calls.ts";

/** `graph`: the one whose nodes are wanted, of the entity or of a field. */
export function nodeResults(
  pipeline: TestPipeline,
  graph: Graph,
  records: readonly SimulatedRecord[],
  budget: Budget,
): NodeResult[] {
  return graph.nodes.map((node) => {
    const data = records.flatMap((record) => dataAt(pipeline, node, record));
    const kept: NodeTestData[] = [];
    for (const one of data) {
      budget.left -= bytesOf(one);
      if (budget.left >= 0) kept.push(one);
    }
    return {
      nodeId: node.id,
      label: node.label || node.name || node.apiName,
      nodeType: node.nodeType,
      status: statusOf(data),
      testData: kept,
      isTruncated: kept.length < data.length,
    };
  });
}

function statusOf(data: readonly NodeTestData[]): NodeResult["status"] {
  if (data.length === 0) return "not_reached";
  if (data.some(({ message }) => message !== null)) return "failed";
  return data.some(({ skipped }) => skipped.length > 0) ? "skipped" : "success";
}

function dataAt(pipeline: TestPipeline, node: GraphNode, record: SimulatedRecord): NodeTestData[] {
  const whole = (values: Values | null | undefined): NodeTestData[] =>
    values ? [{ ...blank(record.id), input: values, output: values }] : [];
  const part = (values: Values | null | undefined, field: string): NodeTestData[] =>
    values && field in values ? whole({ [field]: values[field] ?? null }) : [];
  const attribute = node.configuration.attributeDefinition ?? "";
  switch (node.nodeType) {
    case "ENTITY_SOURCE":
      return node.id === record.sourceNodeId ? whole(readable(pipeline, record)) : [];
    case "ATTRIBUTE_SOURCE":
      return isAtSource(pipeline, node, record) ? part(readable(pipeline, record), attribute) : [];
    case "CORE_ENTITY":
      return record.core ? whole(pipeline.secrets.core.values(record.core)) : [];
    case "CORE_ATTRIBUTE":
      return record.core ? part(pipeline.secrets.core.values(record.core), node.apiName) : [];
    case "ENTITY_SINK":
      return whole(sentTo(pipeline, node.id, record));
    case "ATTRIBUTE_SINK":
      return sinksAt(pipeline, node).flatMap((nodeId) => part(sentTo(pipeline, nodeId, record), attribute));
    default:
      return stepsAt(pipeline, node, record);
  }
}

function stepsAt(pipeline: TestPipeline, node: GraphNode, record: SimulatedRecord): NodeTestData[] {
  const source = pipeline.plan.sources.find(({ nodeId }) => nodeId === record.sourceNodeId);
  const secrets = source ? pipeline.secrets.at(source.place.id) : pipeline.secrets.core;
  const mask = (values: Values): Values => pipeline.secrets.core.values(secrets.values(values));
  return record.steps.flatMap((step, index) => {
    if (step.nodeId !== node.id) return [];
    const skipped = record.skipped.filter((one) =>
      one.kind === "action" ? one.nodeId === node.id : one.step === record.from + index,
    );
    const text = (message: string): string => secrets.text(message, { ...record.values, ...step.before });
    return [
      {
        recordId: record.id,
        input: mask(step.before),
        output: { ...mask(step.after), ...(step.result === null ? {} : { [RESULT]: step.result }) },
        route: step.route,
        message: step.failure && text(step.failure.message),
        warnings: step.warnings.map(({ message }) => text(message)),
        skipped: skipped.map((one) => skippedCall(one, pipeline.hasSecrets)),
      },
    ];
  });
}

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
