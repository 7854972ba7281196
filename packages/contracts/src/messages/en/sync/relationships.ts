/** Words of the relationships: entities, references between them, and how their pipelines are doing. */
export const syncRelationships = {
  title: "Relationships",
  lead: "Every entity with what it refers to, in the color of how its pipeline is doing.",
  graph: "Entities and their references",
  entity: "Entity",
  refersTo: "Refers to",
  referredBy: "Referred to by",
  refersToNames: "Refers to {{names}}",
  refersToNothing: "No other entity",
  referredByNothing: "No other entity",
  unpublished: "Not published",
  unknown: "State not known yet",
  openDetails: "Show in the pipelines",
  openPipeline: "Open the pipeline",
  none: "No entities yet",
  noneHint: "The unified model is made of entities. Create the first one in Schema studio.",
  openSchema: "Open Schema studio",
} as const;
