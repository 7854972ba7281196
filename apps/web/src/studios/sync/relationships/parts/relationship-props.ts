/** What the graph, the list and the panel of relationships are given. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { HealthOf } from "../queries.ts";
import type { Reference } from "../relationships.model.ts";

export interface RelationshipProps {
  entities: readonly CoreEntity[];
  references: readonly Reference[];
  healthOf: HealthOf;
  /** Id of the entity that is looked at. */
  shownId: string | undefined;
}
