/** Ten nodes of a usual pipeline, and what somebody would write by hand to the same effect. */
/** A node of the bench's graph as its author writes it. */
export interface BenchNode {
  apiName: string;
  label: string;
  configuration: Record<string, unknown>;
}

const field = (name: string): object => ({ kind: "field", field: name });
const condition = (name: string, operator: string, value: unknown): object => ({
  type: "condition",
  left: field(name),
  operator,
  right: [{ kind: "literal", value }],
});

export const ACTIVE: BenchNode = {
  apiName: "filter",
  label: "Active",
  configuration: { condition: condition("revenue", "greaterOrEqual", 100_000) },
};

const REGIONS: Readonly<Record<string, string>> = {
  Graz: "South",
  Lyon: "South",
  Porto: "South",
  Gdansk: "East",
  Turku: "North",
  Ghent: "West",
  Bergen: "North",
  Brno: "East",
};
const from = (label: string): string => `{{Value From ${label}}}`;

/** Predicate, case, lookup in a table, text twice, math twice, date, and two values set. */
export const TEN_NODES: readonly BenchNode[] = [
  {
    apiName: "predicate",
    label: "Active",
    configuration: { evaluatesToTrue: condition("revenue", "greaterOrEqual", 100_000) },
  },
  {
    apiName: "case",
    label: "Segment",
    configuration: {
      cases: [
        { name: "Large", value: "A", filters: condition("revenue", "greaterOrEqual", 700_000) },
        { name: "Medium", value: "B", filters: condition("revenue", "greaterOrEqual", 300_000) },
      ],
      default: { value: "C" },
    },
  },
  {
    apiName: "mapValues",
    label: "Region",
    configuration: {
      value: "{{previous.values.city}}",
      pairs: Object.entries(REGIONS).map(([city, region]) => ({ from: city, to: region })),
      otherwise: "blank",
    },
  },
  { apiName: "trim", label: "Trimmed", configuration: { value: "{{previous.values.name}}", collapse: true } },
  { apiName: "upperCase", label: "Capitals", configuration: { value: from("Trimmed") } },
  {
    apiName: "multiply",
    label: "In thousands",
    configuration: { value: "{{previous.values.revenue}}", factor: "0.001" },
  },
  { apiName: "round", label: "Rounded", configuration: { value: from("In thousands"), decimals: 0 } },
  {
    apiName: "formatDate",
    label: "Month",
    configuration: { value: "{{previous.values.updated}}", pattern: "yyyy-MM" },
  },
  {
    apiName: "setValue",
    label: "Set name",
    configuration: { target: "field", field: "name", value: from("Capitals") },
  },
  {
    apiName: "setValue",
    label: "Set note",
    configuration: {
      target: "field",
      field: "note",
      value: `${from("Segment")} ${from("Region")} ${from("Rounded")} ${from("Month")}`,
    },
  },
];

export interface Row {
  id: string;
  name: string;
  email: string;
  phone: string;
  city: string;
  revenue: number;
  note: string;
  updated: string;
}

/** The same in a few lines: rows that stay, changed in place. */
export function tenNodesByHand(rows: Row[]): Row[] {
  const kept = rows.filter(({ revenue }) => revenue >= 100_000);
  for (const row of kept) {
    const segment = row.revenue >= 700_000 ? "A" : row.revenue >= 300_000 ? "B" : "C";
    row.name = row.name.trim().replaceAll(/\s+/g, " ").toUpperCase();
    const month = new Date(row.updated).toISOString().slice(0, 7);
    row.note = `${segment} ${REGIONS[row.city] ?? ""} ${Math.round(row.revenue / 1000)} ${month}`;
  }
  return kept;
}

/** Fields of the core entity that the ten nodes fill. */
export const TEN_FIELDS = ["name", "email", "phone", "city", "revenue", "note", "updated"] as const;
