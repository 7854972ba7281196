/** Why each field of a record is, or is not, sent to a destination. */
import type { Value, Values } from "@accord/contracts/data/values";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { fieldOf } from "../state/fingerprint.ts";
import { ConversionError, type SinkPlan } from "../plan/plan.ts";
import type { StoredLink } from "../protocol/stored.ts";

export const FIELD_VERDICTS = [
  /** Differs from what the destination holds. */
  "differs",
  /** The destination holds this value already. */
  "held_there",
  /** Goes along because another field differs. */
  "goes_along",
  /** Only sent when the record is created there. */
  "create_only",
  /** Empty, and nothing to say when the record is created. */
  "empty",
  /** Can't be turned into the destination's type. */
  "not_convertible",
  /** The record it refers to is not known in that system yet. */
  "reference_unknown",
] as const;
export type FieldVerdict = (typeof FIELD_VERDICTS)[number];

export interface FieldVerdictOf {
  coreField: string;
  connectorField: string;
  /** As the destination would get it; the core's where it can't be converted. */
  value: Value;
  verdict: FieldVerdict;
}

/**
 * One reason for each mapped field. `values`: the record at the destination's end of the path; `references`:
 * `connectorId/entity` → record id → external id.
 */
export function fieldVerdicts(
  sink: SinkPlan,
  values: Values,
  link: StoredLink | null,
  references: ReadonlyMap<string, ReadonlyMap<string, string>>,
): FieldVerdictOf[] {
  const isThere = link !== null && !link.dead;
  const reasons = sink.mappings.map((mapping): FieldVerdictOf => {
    const { coreField, connectorField, reference, createOnly, writeIndex } = mapping;
    const core = values[coreField] ?? null;
    const reason = (value: Value, verdict: FieldVerdict): FieldVerdictOf => ({
      coreField,
      connectorField,
      value,
      verdict,
    });
    if (isThere && createOnly) return reason(core, "create_only");
    let value: Value = core;
    if (reference && core !== null) {
      const known = references.get(`${reference.connectorId}/${reference.entity}`)?.get(String(core));
      if (known === undefined) return reason(core, "reference_unknown");
      value = known;
    } else if (!reference) {
      const converted = mapping.convert(core);
      if (converted instanceof ConversionError) return reason(core, "not_convertible");
      value = converted;
    }
    if (!isThere) return reason(value, value === null ? "empty" : "differs");
    const isHeld = link.lastWritten !== null && fieldOf(link.lastWritten, writeIndex) === hashValue(value);
    return reason(value, isHeld ? "held_there" : "differs");
  });
  const isAnySent = reasons.some(({ verdict }) => verdict === "differs");
  if (sink.onlyChangedFields || !isAnySent) return reasons;
  return reasons.map((reason) => (reason.verdict === "held_there" ? { ...reason, verdict: "goes_along" } : reason));
}
