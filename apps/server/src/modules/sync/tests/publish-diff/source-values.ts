/** Values of a source's record that its fingerprints prove, of those that Accord holds anywhere; only fingerprints of what was read are stored. Pure. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank, type SecretFields } from "@accord/expressions";
import { fieldOf, type Plan, type SourcePlan, type StoredLink } from "@accord/sync-engine/run";

export interface StoredSource {
  link: Pick<StoredLink, "seen">;
  core: Values;
  /** By core field: values of this place that were kept out of it. */
  keptOut: ReadonlyMap<string, readonly Value[]>;
  /** As the source sent it, where it waits in quarantine. */
  payload: Values | null;
  /** Fields of the place. */
  secrets: SecretFields;
  /** `connectorId/entity` → record id → external id. */
  references: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export interface SourceValues {
  /** Fields that nothing is known of are left out: a record without them changes nothing that they are mapped to. */
  values: Values;
  /** Fields for which the core's value stands in. */
  assumed: string[];
  unknown: string[];
}

type Mapping = Pick<SourcePlan["mappings"][number], "connectorField" | "coreField" | "reference">;

/** `published`: what was read so far, and is therefore in the core. */
export function sourceValues({ place }: SourcePlan, published: Plan, stored: StoredSource): SourceValues {
  const result: SourceValues = { values: {}, assumed: [], unknown: [] };
  const sources = published.sources.filter((source) => source.place.id === place.id);
  const read = sources.flatMap(({ mappings }): readonly Mapping[] => mappings);
  const written = published.sinks.filter((sink) => sink.place.id === place.id).flatMap(({ mappings }) => mappings);
  for (const [index, field] of place.readFields.entries()) {
    if (place.lapsed?.has(index)) continue;
    const isOf = (mapping: Mapping): boolean => mapping.connectorField === field;
    const value = stored.payload?.[field];
    const known = value === undefined ? provenValue(index, [...read, ...written].filter(isOf), stored) : value;
    const mapping = read.find(isOf);
    if (known !== undefined) result.values[field] = masked(stored, field, known);
    else if (!mapping) result.unknown.push(field);
    else {
      result.values[field] = masked(stored, field, coreValue(mapping, stored));
      if (!stored.secrets.has(field)) result.assumed.push(field);
    }
  }
  return result;
}

/** Undefined where no value is. */
function provenValue(index: number, mappings: readonly Mapping[], stored: StoredSource): Value | undefined {
  const { seen } = stored.link;
  if (seen === null) return undefined;
  const candidates = mappings.flatMap((mapping) => [
    coreValue(mapping, stored),
    ...(mapping.reference ? [] : (stored.keptOut.get(mapping.coreField) ?? [])),
  ]);
  const part = fieldOf(seen, index);
  return [...candidates, null].find((value) => part === hashValue(value));
}

function coreValue({ coreField, reference }: Mapping, { core, references }: StoredSource): Value {
  const value = core[coreField] ?? null;
  if (!reference || value === null) return value;
  return references.get(`${reference.connectorId}/${reference.entity}`)?.get(String(value)) ?? null;
}

const masked = ({ secrets }: StoredSource, field: string, value: Value): Value =>
  secrets.has(field) && !isBlank(value) ? PASSWORD_MASK : value;
