/** A merge policy while it is edited: which field may be chosen where, and what is missing before it can be stored. */
import type { MergeConfig } from "@accord/contracts/sync/pipelines";

export interface FieldOption {
  value: string;
  label: string;
}

/** Fields of the entity, and those that the stored policy names although they are gone. */
export function fieldOptions(
  fields: readonly { apiName: string; displayName: string }[],
  { retainFields, dependentPicklists }: MergeConfig,
  goneLabel: (field: string) => string,
): FieldOption[] {
  const known = new Set(fields.map(({ apiName }) => apiName));
  const named = [
    ...retainFields,
    ...dependentPicklists.flatMap(({ controlling, dependent }) => [controlling, dependent]),
  ];
  const gone = [...new Set(named)].filter((field) => field !== "" && !known.has(field));
  return [
    ...fields.map(({ apiName, displayName }) => ({ value: apiName, label: displayName })),
    ...gone.map((field) => ({ value: field, label: goneLabel(field) })),
  ];
}

export const isIncomplete = ({ dependentPicklists }: MergeConfig): boolean =>
  dependentPicklists.some(({ controlling, dependent }) => controlling === "" || dependent === "");

export const isSamePolicy = (one: MergeConfig, other: MergeConfig): boolean =>
  JSON.stringify([
    one.retainFields,
    one.dependentPicklists.map(({ controlling, dependent }) => [controlling, dependent]),
  ]) ===
  JSON.stringify([
    other.retainFields,
    other.dependentPicklists.map(({ controlling, dependent }) => [controlling, dependent]),
  ]);
