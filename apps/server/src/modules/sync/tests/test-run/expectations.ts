/** Compares what came of a test's records with what was expected, exactly: after conversion to the field's type. Pure. */
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import type { Graph } from "@accord/contracts/sync/graph";
import type { ActualResult, ExpectedValue } from "@accord/contracts/sync/tests/pipeline-tests";
import { convertValue, sameValue, type SecretFields } from "@accord/expressions";
import { schemaAt, type TestPipeline } from "../../runs/index.ts";
import { type Budget, keptText, keptValue } from "./budget.ts";
import { outputOf, RESULT, shownText, sinksAt } from "./node-results.ts";
import type { SimulatedRecord } from "./simulate.ts";

/** Where a value is looked for. */
interface Place {
  values: Values | null;
  field: FieldSchema | undefined;
  /** A value as it may be shown. */
  show(value: Value): Value;
  /** Why there is nothing. */
  missing: string;
}

export function compareExpected(
  pipeline: TestPipeline,
  graph: Graph,
  records: readonly SimulatedRecord[],
  { expected, budget }: { expected: readonly ExpectedValue[]; budget: Budget },
): ActualResult {
  const values = expected.map((one) => {
    const record = records.find(({ id }) => one.recordId === undefined || id === one.recordId);
    const place = record && placeOf(pipeline, graph, record, one);
    const value = place?.values?.[one.apiName] ?? null;
    const isThere = place !== undefined && place.values !== null;
    const failed = !isThere || !isExpected(one.value, value, place.field);
    const show = place?.show ?? shownBy(pipeline.secrets.core, one.apiName);
    const message = isThere ? null : (reasonOf(pipeline, record) ?? place?.missing ?? words.notInCore);
    return {
      apiName: one.apiName,
      nodeId: one.nodeId ?? null,
      recordId: record?.id ?? one.recordId ?? "",
      expected: keptValue(budget, show(one.value)),
      value: keptValue(budget, show(value)),
      failed,
      message: message && keptText(budget, message),
    };
  });
  return { failed: values.some(({ failed }) => failed), values };
}

const reasonOf = (pipeline: TestPipeline, record: SimulatedRecord | undefined): string | null =>
  record?.message ? shownText(pipeline, record, record.message) : null;

function placeOf(
  pipeline: TestPipeline,
  graph: Graph,
  record: SimulatedRecord,
  { nodeId, apiName }: ExpectedValue,
): Place {
  const node = graph.nodes.find(({ id }) => id === nodeId);
  const coreField = pipeline.entity.fields.find((field) => field.apiName === apiName);
  const show = shownBy(pipeline.secrets.core, apiName);
  if (!nodeId || node?.nodeType === "CORE_ENTITY" || node?.nodeType === "CORE_ATTRIBUTE")
    return { values: record.core, field: coreField, show, missing: words.notInCore };
  const sinkId = node?.nodeType === "ATTRIBUTE_SINK" ? sinksAt(pipeline, node)[0] : nodeId;
  const sink = pipeline.plan.sinks.find((one) => one.nodeId === sinkId);
  if (sink) {
    const field = schemaAt(pipeline, sink.place.id).fields.find((one) => one.apiName === apiName);
    const values = record.sent.get(sink.nodeId) ?? null;
    return {
      values,
      field,
      show: shownBy(pipeline.secrets.at(sink.place.id), apiName),
      missing: words.notAtDestination,
    };
  }
  const step = record.trace.last.get(nodeId);
  const values = step ? outputOf(step) : null;
  // The trace has masked results that are made of secrets; what was expected of one may be a secret too.
  const showResult = (value: Value): Value => (pipeline.secretNodes.has(nodeId) ? PASSWORD_MASK : value);
  if (apiName === RESULT) return { values, field: undefined, show: showResult, missing: words.notAtNode };
  return { values, field: coreField, show, missing: words.notAtNode };
}

const shownBy =
  (secrets: SecretFields, field: string): Place["show"] =>
  (value) =>
    secrets.value(field, value);

/** Both as the field would store them; without a field as they are. */
function isExpected(expected: Value, actual: Value, field: FieldSchema | undefined): boolean {
  const stored = (value: Value): Value => {
    const converted = field ? convertValue(value, field, { timeZone: "UTC" }) : null;
    return converted?.ok ? converted.value : value;
  };
  return sameValue(stored(expected), stored(actual));
}
