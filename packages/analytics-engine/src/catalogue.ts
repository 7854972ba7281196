/** What datasets may be built on: entities and datasets of one instance, with their fields and types. */
import type { DataType } from "@accord/contracts/data/values";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";

export interface CatalogueField {
  apiName: string;
  displayName: string;
  dataType: DataType;
  isMultiValueField?: boolean;
  /** No two records share a value: a left join on it neither adds nor loses rows. */
  unique?: boolean;
  /** What people call the values that are ids: a picklist's options. */
  labels?: Readonly<Record<string, string>>;
  /** Api name of the entity a reference points to. */
  referenceTo?: string;
}

/** Where records can be read; quoted when printed. `deletedColumn` is true on records that are gone. */
export interface Relation {
  schema: string;
  name: string;
  deletedColumn?: string;
}

export interface CatalogueEntity {
  id: string;
  apiName: string;
  displayName: string;
  fields: readonly CatalogueField[];
  relation: Relation;
}

export interface CatalogueDataset {
  id: string;
  name: string;
  displayName: string;
  config: DatasetConfig;
}

/** How much work a query makes for the planner, with all that it reads. */
export interface Load {
  /** How often columns are read in the largest expression when queries inside each other are merged. */
  columns: number;
  /** Tables and functions after FROM and JOIN. */
  places: number;
}

/** What a statement in SQL may name. */
export interface SqlNames {
  /** In any case. */
  tables: readonly string[];
  variables: readonly { apiName: string; isList: boolean }[];
  /** How much the datasets among them read, by their names in lower case; where it is missing the statement is weighed alone. */
  loads?: ReadonlyMap<string, Load>;
}

/** A checked statement in SQL: its text, cut where values of variables stand. */
export interface CheckedSql {
  parts: readonly (string | { variable: string; asRows: boolean })[];
  /** Those it names, in lower case. */
  tables: readonly string[];
  load: Load;
}

/** Throws `DatasetError` for a statement that may not run. */
export type CheckSql = (text: string, names: SqlNames) => CheckedSql;

export interface Catalogue {
  entity: (id: string) => CatalogueEntity | undefined;
  dataset: (id: string) => CatalogueDataset | undefined;
  /** Missing where no SQL can be read; datasets written in it can't run there. */
  checkSql?: CheckSql | undefined;
}

/** A catalogue of everything given. */
export function catalogueOf(
  entities: readonly CatalogueEntity[],
  datasets: readonly CatalogueDataset[] = [],
  checkSql?: CheckSql,
): Catalogue {
  const entityById = new Map(entities.map((entity) => [entity.id, entity]));
  const datasetById = new Map(datasets.map((dataset) => [dataset.id, dataset]));
  return { entity: (id) => entityById.get(id), dataset: (id) => datasetById.get(id), checkSql };
}
