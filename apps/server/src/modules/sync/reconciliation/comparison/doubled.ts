/** One thing under two ids: equal records of a system, and core records that share a source's id. */
import type { CompiledPipeline } from "../../runs/index.ts";
import type { Means } from "./looks.ts";
import type { FoundDifference } from "./subjects.ts";
import type { ComparedSystem } from "./systems.ts";
import type { WorkKey } from "./work.store.ts";

export async function doubledRecords(
  means: Means,
  key: WorkKey,
  pipeline: CompiledPipeline,
  system: ComparedSystem,
): Promise<FoundDifference[]> {
  const doubled: FoundDifference[] = [];
  for (const { externalIds, recordIds } of await means.work.equalRecords(key, system.placeId)) {
    const [externalId = null, ...others] = externalIds;
    doubled.push({
      ...whole(externalId, recordIds[0] || null),
      reason: "same_values",
      outsideValue: [externalId, ...others],
      coreValue: recordIds.map((recordId) => recordId || null),
    });
  }
  for (const field of keyFields(pipeline, system)) {
    for (const { value, recordIds } of await means.work.sameField(key, pipeline, field)) {
      doubled.push({
        ...whole(value, recordIds[0] ?? null),
        reason: "unexplained",
        field,
        outsideValue: value,
        coreValue: recordIds,
      });
    }
  }
  return doubled;
}

const whole = (externalId: string | null, recordId: string | null) => ({
  kind: "doubled" as const,
  externalId,
  recordId,
  field: null,
  connectorField: null,
  isUnread: false,
  isAtSink: false,
  signature: null,
});

/** Core fields that hold this system's ids and nobody else's: then no two records may have the same. */
function keyFields({ plan }: CompiledPipeline, { source, schema }: ComparedSystem): string[] {
  const isId = (name: string): boolean => schema.fields.some(({ apiName, isIdField }) => apiName === name && isIdField);
  const mapped = (source?.mappings ?? []).filter(({ connectorField, reference }) => !reference && isId(connectorField));
  return mapped
    .map(({ coreField }) => coreField)
    .filter((field) => {
      const writers = plan.sources.filter(({ mappings }) => mappings.some(({ coreField }) => coreField === field));
      return writers.length === 1 && plan.coreFields.get(field)?.dataType !== "object";
    });
}
