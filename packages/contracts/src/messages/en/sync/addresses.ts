/** Words of addresses in Sync Studio: those that lead nowhere, and the pages of a pipeline. */
export const syncAddresses = {
  notFound: "No pipeline or page of Sync studio has this address. It may have been deleted, or the address is cut off.",
  all: "All pipelines",
  tabs: "Tabs of Sync studio",
  tab_details: "Pipelines",
  tab_relationships: "Relationships",
  tab_actions: "Actions",
  pages: "Pages of this pipeline",
  page_pipeline: "Graph",
  page_versions: "Versions",
  page_documentation: "Documentation",
  "page_pipeline-logs": "Log",
  page_metrics: "Metrics",
  page_settings: "Settings",
} as const;
