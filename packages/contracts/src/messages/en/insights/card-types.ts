/** Words of card types: the name, what it is for, and how a screen reader calls a chart of the type. */
import type { CardTypes } from "../../../insights/card-types/index.ts";

export const insightsCardTypes = {
  cardType: {
    COLUMN: { name: "Column", help: "Compare amounts by category or date", kind: "column chart" },
    BAR: { name: "Bar", help: "Compare amounts with long names", kind: "bar chart" },
    LINE: { name: "Line", help: "Follow amounts over time", kind: "line chart" },
    METRIC: { name: "Metric", help: "One number at a glance", kind: "metric" },
    TABLE: { name: "Table", help: "Rows and columns", kind: "table" },
    PIE: { name: "Donut", help: "Parts of a whole", kind: "donut chart" },
    GAUGE: { name: "Gauge", help: "One number between its limits", kind: "gauge" },
    FUNNEL: { name: "Funnel", help: "Stages that narrow", kind: "funnel" },
  } satisfies Record<keyof CardTypes, { name: string; help: string; kind: string }>,
} as const;
