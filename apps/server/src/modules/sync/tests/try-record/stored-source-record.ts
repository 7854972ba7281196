/** A source's record as far as Accord has stored it: only fingerprints of what was read are kept, so the core's values are compared with them. Pure. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank, type SecretFields } from "@accord/expressions";
import { fieldOf, type SourcePlan } from "@accord/sync-engine/run";

interface Stored {
  /** Fingerprint of what was read last; null where nothing was. */
  seen: string | null;
  core: Values;
  /** As the source sent it, where it waits in quarantine. */
  payload: Values | null;
  secrets: SecretFields;
  /** `connectorId/entity` → record id → external id. */
  references: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** `assumed`: fields of which the source's own value is not known. */
export function storedSourceRecord(
  { place, mappings }: Pick<SourcePlan, "place" | "mappings">,
  { seen, core, payload, secrets, references }: Stored,
): { values: Values; assumed: string[] } {
  const values: Values = {};
  const assumed: string[] = [];
  for (const [index, field] of place.readFields.entries()) {
    if (place.lapsed?.has(index)) continue;
    const mapping = mappings.find(({ connectorField }) => connectorField === field);
    const value =
      payload?.[field] ?? (mapping ? coreValue(core[mapping.coreField] ?? null, mapping, references) : null);
    values[field] = secrets.has(field) && !isBlank(value) ? PASSWORD_MASK : value;
    const isCertain = secrets.has(field) || (payload !== null && field in payload);
    if (!isCertain && (seen === null || fieldOf(seen, index) !== hashValue(value))) assumed.push(field);
  }
  return { values, assumed };
}

function coreValue(
  value: Value,
  { reference }: SourcePlan["mappings"][number],
  references: Stored["references"],
): Value {
  if (!reference || value === null) return value;
  return references.get(`${reference.connectorId}/${reference.entity}`)?.get(String(value)) ?? null;
}
