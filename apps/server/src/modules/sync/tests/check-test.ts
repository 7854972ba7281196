/** Says what is wrong with a test before it is saved: sources, fields and values that the pipeline does not have. Pure. */
import type { FieldProblem } from "@accord/contracts";
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import type { Graph } from "@accord/contracts/sync/graph";
import { PIPELINE_TEST_LIMITS as LIMITS, type TestBody } from "@accord/contracts/sync/tests/pipeline-tests";
import { convertValue, textOf } from "@accord/expressions";
import { schemaAt, type TestPipeline } from "../runs/index.ts";
import { RESULT, sinksAt, sourceAt } from "./test-run/node-results.ts";

export function testProblems(pipeline: TestPipeline, graph: Graph, body: TestBody): FieldProblem[] {
  const tooLarge = sizeProblems(body);
  if (tooLarge.length > 0) return tooLarge;
  return [...recordProblems(pipeline, graph, body), ...expectationProblems(pipeline, graph, body)];
}

/** What is wrong whatever the pipeline is. `secrets`: names of fields that a test can't hold. */
export function generalProblems(secrets: ReadonlySet<string>, body: TestBody): FieldProblem[] {
  const named = body.records.flatMap(({ values }, index) =>
    Object.keys(values).map((field) => ({ field, path: `records.${index}.values.${field}` })),
  );
  const expected = body.expectedResult.map(({ apiName }, index) => ({
    field: apiName,
    path: `expectedResult.${index}.apiName`,
  }));
  const secret = [...named, ...expected].filter(({ field }) => secrets.has(field));
  return [
    ...sizeProblems(body),
    ...secret.map(({ field, path }) => ({ path, message: fill(words.secretField, { field }) })),
  ];
}

function sizeProblems(body: TestBody): FieldProblem[] {
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes <= LIMITS.testBytes) return [];
  return [{ path: "records", message: fill(words.tooLarge, { bytes, limit: LIMITS.testBytes }) }];
}

function recordProblems(pipeline: TestPipeline, graph: Graph, { records }: TestBody): FieldProblem[] {
  const ids = new Set<string>();
  return records.flatMap(({ nodeId, id, values }, index): FieldProblem[] => {
    const path = `records.${index}`;
    if (ids.has(id)) return [{ path: `${path}.id`, message: fill(words.doubleRecord, { id }) }];
    ids.add(id);
    const { sources } = pipeline.plan;
    const source = sources.find((one) => one.nodeId === sourceAt(pipeline, graph, nodeId));
    if (!source) {
      const known = sources.map((one) => one.nodeId).join(", ");
      return [{ path: `${path}.nodeId`, message: fill(words.unknownSource, { nodeId, sources: known }) }];
    }
    const { fields } = schemaAt(pipeline, source.place.id);
    const connector = pipeline.connectors.get(source.place.connectorId)?.name ?? "";
    return Object.keys(values).flatMap((field): FieldProblem[] => {
      const at = `${path}.values.${field}`;
      if (!fields.some(({ apiName }) => apiName === field))
        return [
          { path: at, message: fill(words.unknownSourceField, { field, entity: source.place.entity, connector }) },
        ];
      return pipeline.secretNames.has(field) ? [{ path: at, message: fill(words.secretField, { field }) }] : [];
    });
  });
}

function expectationProblems(
  pipeline: TestPipeline,
  graph: Graph,
  { records, expectedResult }: TestBody,
): FieldProblem[] {
  return expectedResult.flatMap(({ apiName, value, nodeId, recordId }, index): FieldProblem[] => {
    const path = `expectedResult.${index}`;
    if (recordId !== undefined && !records.some(({ id }) => id === recordId))
      return [{ path: `${path}.recordId`, message: fill(words.unknownRecord, { id: recordId }) }];
    const node = graph.nodes.find(({ id }) => id === nodeId);
    if (nodeId !== undefined && !node)
      return [{ path: `${path}.nodeId`, message: fill(words.unknownNode, { nodeId }) }];
    const sinkId = node?.nodeType === "ATTRIBUTE_SINK" ? sinksAt(pipeline, node)[0] : nodeId;
    const sink = pipeline.plan.sinks.find((one) => one.nodeId === sinkId);
    const isCore = !node || node.nodeType === "CORE_ENTITY" || node.nodeType === "CORE_ATTRIBUTE";
    const isMadeOfSecrets = apiName === RESULT && node && pipeline.secretNodes.has(node.id);
    if (pipeline.secretNames.has(apiName) || isMadeOfSecrets)
      return [{ path: `${path}.apiName`, message: fill(words.secretField, { field: apiName }) }];
    // What other nodes have depends on what came before them.
    if (!sink && !isCore) return [];
    const fields = sink ? schemaAt(pipeline, sink.place.id).fields : pipeline.entity.fields;
    const field = fields.find((one) => one.apiName === apiName);
    if (!field) {
      const message = sink
        ? fill(words.unknownDestinationField, { destination: sink.label, field: apiName })
        : fill(words.unknownCoreField, { field: apiName, entity: pipeline.entity.displayName });
      return [{ path: `${path}.apiName`, message }];
    }
    if (convertValue(value, field, { timeZone: "UTC" }).ok) return [];
    const facts = { value: textOf(value).slice(0, 80), field: apiName, dataType: field.dataType };
    return [{ path: `${path}.value`, message: fill(words.notConvertible, facts) }];
  });
}
