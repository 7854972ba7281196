/** How sources could be joined: by references first, then by fields of one name. */
import type { DatasetSource } from "@accord/contracts/insights/dataset-config";
import type { JoinSuggestion } from "@accord/contracts/insights/datasets";
import type { Catalogue, CatalogueField } from "./catalogue.ts";
import { resolveDataset } from "./resolve.ts";

interface Offered {
  source: DatasetSource;
  entity: string | null;
  key: string | null;
  fields: readonly CatalogueField[];
}

/** The likeliest first; at most `limit`. Sources that cannot be resolved suggest nothing. */
export function suggestJoinsBetween(
  sources: readonly DatasetSource[],
  catalogue: Catalogue,
  limit = 12,
): JoinSuggestion[] {
  const offered = sources.map((source) => offer(source, catalogue));
  const found: JoinSuggestion[] = [];
  for (const [at, one] of offered.entries())
    for (const other of offered.slice(at + 1)) {
      found.push(...byReference(one, other), ...byReference(other, one), ...byName(one, other));
    }
  return found.toSorted((one, other) => other.confidence - one.confidence).slice(0, limit);
}

function offer(source: DatasetSource, catalogue: Catalogue): Offered {
  if (source.datasetType === "ENTITY") {
    const entity = catalogue.entity(source.datasetId);
    return { source, entity: entity?.apiName ?? null, key: "accord_id", fields: entity?.fields ?? [] };
  }
  const dataset = catalogue.dataset(source.datasetId);
  try {
    const columns = dataset ? resolveDataset(dataset.config, catalogue).columns : [];
    const fields = columns.map(({ name, displayName, dataType }) => ({ apiName: name, displayName, dataType }));
    return { source, entity: null, key: null, fields };
  } catch {
    return { source, entity: null, key: null, fields: [] };
  }
}

function byReference(from: Offered, to: Offered): JoinSuggestion[] {
  if (to.entity === null || to.key === null) return [];
  return from.fields
    .filter((field) => field.dataType === "reference" && field.referenceTo === to.entity)
    .map((field) => suggestion(from, field.apiName, to, to.key!, 0.95, "reference", "LEFT"));
}

function byName(one: Offered, other: Offered): JoinSuggestion[] {
  return one.fields.flatMap((field) => {
    const same = other.fields.find((match) => match.apiName.toLowerCase() === field.apiName.toLowerCase());
    if (!same || same.dataType !== field.dataType || field.apiName.startsWith("accord_") || field.isMultiValueField)
      return [];
    const looksLikeKey = field.unique || same.unique || /(id|code|number|key)$/i.test(field.apiName);
    const confidence = looksLikeKey ? 0.7 : field.dataType === "string" || field.dataType === "reference" ? 0.35 : 0.15;
    return [suggestion(one, field.apiName, other, same.apiName, confidence, looksLikeKey ? "id" : "sameName", "INNER")];
  });
}

const suggestion = (
  one: Offered,
  field: string,
  other: Offered,
  match: string,
  confidence: number,
  reason: JoinSuggestion["reason"],
  joinType: JoinSuggestion["joinType"],
): JoinSuggestion => ({
  joinType,
  field1: { datasetId: one.source.datasetId, datasourceAlias: one.source.datasourceAlias, apiName: field },
  field2: { datasetId: other.source.datasetId, datasourceAlias: other.source.datasourceAlias, apiName: match },
  confidence,
  reason,
});
