/** The catalogue of one instance: what its datasets may be built on, from the unified model and the saved datasets. */
import {
  type Catalogue,
  type CatalogueDataset,
  type CatalogueEntity,
  type CatalogueField,
  catalogueOf,
} from "@accord/analytics-engine";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { instanceSchema } from "../../../platform/db/db.ts";
import { checkSql } from "../sql-gate/index.ts";

/** What each entity offers beside its fields. */
const SYSTEM_FIELDS: readonly CatalogueField[] = [
  { apiName: "accord_id", displayName: "Record id", dataType: "reference", unique: true },
  { apiName: "accord_created_at", displayName: "Created", dataType: "datetime" },
  { apiName: "accord_updated_at", displayName: "Modified", dataType: "datetime" },
  { apiName: "accord_score", displayName: "Data score", dataType: "double" },
];

/** What people call a column that records have beside their fields, and can't be filtered by. */
export const systemFieldName = (apiName: string): string | undefined =>
  SYSTEM_FIELDS.find((field) => field.apiName === apiName)?.displayName;

export function instanceCatalogue(
  instanceId: string,
  entities: readonly CoreEntity[],
  datasets: readonly CatalogueDataset[],
): Catalogue {
  return catalogueOf(
    entities.map((entity) => catalogueEntity(instanceId, entity)),
    datasets,
    checkSql,
  );
}

function catalogueEntity(instanceId: string, entity: CoreEntity): CatalogueEntity {
  const fields = entity.fields
    .filter((field) => field.status === "ACTIVE" && field.dataType !== "password")
    .map(({ apiName, displayName, dataType, isMultiValueField, referenceTo, picklist }) => ({
      apiName,
      displayName,
      dataType,
      isMultiValueField,
      ...(referenceTo ? { referenceTo } : {}),
      ...(picklist ? { labels: Object.fromEntries(picklist.map(({ id, label }) => [id, label])) } : {}),
    }));
  return {
    id: entity.id,
    apiName: entity.apiName,
    displayName: entity.displayName,
    fields: [...fields, ...SYSTEM_FIELDS],
    relation: { schema: instanceSchema(instanceId), name: `r_${entity.apiName}`, deletedColumn: "accord_deleted" },
  };
}
