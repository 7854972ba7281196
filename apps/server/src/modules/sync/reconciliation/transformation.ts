/** Runs a pipeline's two transformation paths over compared records: what a source contributes, what a destination should hold. */
import type { Values } from "@accord/contracts/data/values";
import { type Answer, type FlowRecord, newFlowRecord, type Question } from "@accord/sync-engine/functions";
import {
  Inconvertible,
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
  answer: (questions: readonly Question[]) => Promise<readonly Answer[]>;
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
  const flows = departures.map(({ externalId, values, mapped }, lane) => {
    const link = resolved.links.get(externalId);
    const recordId = link ? (resolved.merged?.get(link.recordId) ?? link.recordId) : null;
    const stored = recordId === null ? undefined : resolved.records.get(recordId);
    return newFlowRecord({
      values: mapped,
      source: { externalId, values },
      recordId: stored?.recordId ?? null,
      before: stored?.values ?? null,
      change: stored ? "update" : "insert",
      lane,
    });
  });
  const contributions = new Map<string, Contribution>();
  for (const flow of await execute(source.road, flows, pass)) {
    const departure = departures[flow.lane];
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
    if (!(converted instanceof Inconvertible)) mapped[coreField] = converted;
  }
  return { mapped, pending };
}

/** By record id: values at the destination's end of its path. What is missing is filtered out, or failed. */
export async function sinkValuesOf(
  sink: SinkPlan,
  records: readonly { record: StoredRecord; link: StoredLink | null }[],
  pass: PassContext,
): Promise<Map<string, Values>> {
  const flows = records.map(({ record, link }, lane) =>
    newFlowRecord({
      values: record.values,
      recordId: record.recordId,
      change: link && !link.dead ? "update" : "insert",
      occasion: String(record.version),
      lane,
    }),
  );
  const arrived = new Map<string, Values>();
  for (const flow of await execute(sink.road, flows, pass)) {
    const { recordId } = flow;
    if (recordId !== null && !flow.failure && !arrived.has(recordId)) arrived.set(recordId, flow.values);
  }
  return arrived;
}

async function execute(path: SourcePlan["road"], flows: FlowRecord[], pass: PassContext): Promise<FlowRecord[]> {
  if (flows.length === 0) return [];
  let execution = path(flows, { now: pass.now, random: pass.random, isResync: true });
  while (execution.state === "asking") execution = execution.resume(await pass.answer(execution.questions));
  return execution.arrived;
}
