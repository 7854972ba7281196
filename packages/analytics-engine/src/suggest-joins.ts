/** How sources could be joined: by references first, then by ids of one name. */
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

/**
 * Fields of one name belong together only where a record is known by them: both having a status would join every
 * record to every other of the same status.
 */
function byName(one: Offered, other: Offered): JoinSuggestion[] {
  return one.fields.flatMap((field) => {
    const same = other.fields.find((match) => match.apiName.toLowerCase() === field.apiName.toLowerCase());
    if (!same || same.dataType !== field.dataType || field.apiName.startsWith("accord_") || field.isMultiValueField)
      return [];
    const isUnique = field.unique === true || same.unique === true;
    const isReference = field.dataType === "reference" && field.referenceTo === same.referenceTo;
    if (isUnique || looksLikeId(field.apiName))
      return [suggestion(one, field.apiName, other, same.apiName, isUnique ? 0.8 : 0.7, "id", "INNER")];
    return isReference ? [suggestion(one, field.apiName, other, same.apiName, 0.35, "sameName", "INNER")] : [];
  });
}

/** Whether the last word of a name says that a record is known by it: `customerId` and `order_number`, not `paid`. */
function looksLikeId(apiName: string): boolean {
  const words = apiName
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const last = words.at(-1) ?? "";
  return ID_WORDS.has(last) && !NOT_OF_RECORDS.has(words.at(-2) ?? "");
}

const ID_WORDS: ReadonlySet<string> = new Set(["id", "ids", "uuid", "guid", "key", "code", "number", "no"]);
/** Codes and numbers that many records have in common, or that are of people. */
const NOT_OF_RECORDS: ReadonlySet<string> = new Set([
  ...["country", "currency", "language", "locale", "region", "state", "status", "type", "category", "reason"],
  ...["zip", "postal", "post", "area", "dial", "phone", "mobile", "fax", "house", "street", "error"],
]);

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
