/** Runs a pipeline's two transformation paths over compared records: what a source contributes, what a destination should hold. */
import type { Values } from "@accord/contracts/data/values";
import { type DataResult, type FlowRecord, newFlowRecord, type DataRequest } from "@accord/sync-engine/functions";
import {
  ConversionError,
  type Resolved,
  type SinkPlan,
  type SourcePlan,
  type StoredLink,
  type StoredRecord,
} from "@accord/sync-engine/run";
import type { Subject } from "./subjects.ts";

/** Moment and chance of one pass; answers come from what is stored, nothing outside is called. */
export interface PassContext {
  now: number;
  random: () => number;
  answer: (dataRequests: readonly DataRequest[]) => Promise<readonly DataResult[]>;
}

export type Contribution =
  | { state: "arrived"; values: Values; pending: ReadonlySet<string> }
  | { state: "failed"; code: string };

/** By external id; what is missing was filtered out on its path. */
export async function contributionsOf(
  source: SourcePlan,
  subjects: readonly Subject[],
  resolved: Resolved,
  pass: PassContext,
): Promise<Map<string, Contribution>> {
  const departures = subjects.flatMap(({ externalId, values }) =>
    externalId === null || values === null ? [] : [{ externalId, values, ...mappedValues(source, values, resolved) }],
  );
  const flows = departures.map(({ externalId, values, mapped }, rowIndex) => {
    const link = resolved.links.get(externalId);
    const recordId = link ? (resolved.merged?.get(link.recordId) ?? link.recordId) : null;
    const stored = recordId === null ? undefined : resolved.records.get(recordId);
    return newFlowRecord({
      values: mapped,
      source: { externalId, values },
      recordId: stored?.recordId ?? null,
      before: stored?.values ?? null,
      change: stored ? "update" : "insert",
      rowIndex,
    });
  });
  const contributions = new Map<string, Contribution>();
  for (const flow of await execute(source.path, flows, pass)) {
    const departure = departures[flow.rowIndex];
    if (!departure) continue;
    const earlier = contributions.get(departure.externalId);
    if (earlier?.state === "failed") continue;
    const values = earlier ? { ...earlier.values, ...flow.values } : flow.values;
    contributions.set(
      departure.externalId,
      flow.failure
        ? { state: "failed", code: flow.failure.code }
        : { state: "arrived", values, pending: departure.pending },
    );
  }
  return contributions;
}

function mappedValues(
  source: SourcePlan,
  values: Values,
  resolved: Resolved,
): { mapped: Values; pending: ReadonlySet<string> } {
  const mapped: Values = {};
  const pending = new Set<string>();
  for (const { connectorField, coreField, reference, convert } of source.mappings) {
    const value = values[connectorField] ?? null;
    if (reference && value !== null && value !== "") {
      const recordId = resolved.references.get(`${reference.connectorId}/${reference.entity}`)?.get(String(value));
      if (recordId === undefined) pending.add(coreField);
      mapped[coreField] = recordId ?? null;
      continue;
    }
    const converted = convert(value);
    // What has no form in the core is refused on its way in: there is nothing to compare.
    if (!(converted instanceof ConversionError)) mapped[coreField] = converted;
  }
  return { mapped, pending };
}

/** By record id: values at the destination's end of its path. What is missing is filtered out, or failed. */
export async function sinkValuesOf(
  sink: SinkPlan,
  records: readonly { record: StoredRecord; link: StoredLink | null }[],
  pass: PassContext,
): Promise<Map<string, Values>> {
  const flows = records.map(({ record, link }, rowIndex) =>
    newFlowRecord({
      values: record.values,
      recordId: record.recordId,
      change: link && !link.dead ? "update" : "insert",
      occurrenceKey: String(record.version),
      rowIndex,
    }),
  );
  const completed = new Map<string, Values>();
  for (const flow of await execute(sink.path, flows, pass)) {
    const { recordId } = flow;
    if (recordId !== null && !flow.failure && !completed.has(recordId)) completed.set(recordId, flow.values);
  }
  return completed;
}

async function execute(path: SourcePlan["path"], flows: FlowRecord[], pass: PassContext): Promise<FlowRecord[]> {
  if (flows.length === 0) return [];
  let execution = path(flows, { now: pass.now, random: pass.random, isResync: true });
  while (execution.state === "suspended") execution = execution.resume(await pass.answer(execution.dataRequests));
  return execution.completed;
}
