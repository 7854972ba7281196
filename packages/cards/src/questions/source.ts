/** What a question may be about: a dataset or an entity with the columns that a card could show. */
import type { CardIntent } from "@accord/contracts/insights/card-assistant";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";

export interface QuestionSource {
  source: CardIntent["source"];
  displayName: string;
  /** Further names: what the records of the source are called. */
  otherNames: readonly string[];
  columns: readonly DatasetColumn[];
  /** Some values of its columns, where a person allowed to look at them. */
  samples?: ReadonlyMap<string, readonly string[]>;
}
