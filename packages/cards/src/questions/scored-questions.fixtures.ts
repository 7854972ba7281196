/** Forty typical questions about the demo's data, with the source and the card that each asks for. */
import type { CardIntent, ProposedCondition } from "@accord/contracts/insights/card-assistant";

type Expected = Partial<Omit<CardIntent, "source" | "conditions">> & {
  source: string;
  conditions?: ProposedCondition[];
};

const ROWS = { column: "*", aggregate: null };
const sum = (column: string) => ({ column, aggregate: "sum" as const });
const avg = (column: string) => ({ column, aggregate: "avg" as const });
const by = (column: string) => ({ column, grain: null });
const where = (column: string, operator: ProposedCondition["operator"], ...values: ProposedCondition["values"]) => ({
  ...{ column, operator, values },
});
const monthOf = (column: string) => ({ column, grain: "month" as const });

export const SCORED_QUESTIONS: readonly [question: string, expected: Expected][] = [
  ["How many accounts are there?", { source: "Accounts", vizType: "METRIC", values: [ROWS] }],
  [
    "Number of accounts by country",
    { source: "Accounts", vizType: "BAR", category: by("billingCountry"), values: [ROWS] },
  ],
  ["Total annual revenue", { source: "Accounts", vizType: "METRIC", values: [sum("annualRevenue")] }],
  [
    "Average annual revenue by industry",
    { source: "Accounts", vizType: "BAR", category: by("industry"), values: [avg("annualRevenue")] },
  ],
  [
    "Top 5 industries by revenue",
    { source: "Accounts", vizType: "BAR", category: by("industry"), values: [sum("annualRevenue")], top: 5 },
  ],
  [
    "New customers per month",
    { source: "Accounts", vizType: "LINE", category: monthOf("customerSince"), values: [ROWS] },
  ],
  ["Share of accounts by status", { source: "Accounts", vizType: "PIE", category: by("status"), values: [ROWS] }],
  [
    "Revenue by country where status is Active",
    {
      source: "Accounts",
      vizType: "BAR",
      category: by("billingCountry"),
      values: [sum("annualRevenue")],
      conditions: [where("status", "equals", "active")],
    },
  ],
  [
    "How many accounts have more than 100 employees?",
    { source: "Accounts", vizType: "METRIC", values: [ROWS], conditions: [where("employeeCount", "greater", 100)] },
  ],
  [
    "How many different countries do accounts have?",
    { source: "Accounts", vizType: "METRIC", values: [{ column: "billingCountry", aggregate: "countDistinct" }] },
  ],
  [
    "Median number of employees per industry",
    {
      source: "Accounts",
      vizType: "BAR",
      category: by("industry"),
      values: [{ column: "employeeCount", aggregate: "median" }],
    },
  ],
  [
    "List name, city and revenue of accounts",
    {
      source: "Accounts",
      vizType: "TABLE",
      category: null,
      columns: ["name", "billingCity", "annualRevenue"],
      values: [],
    },
  ],
  [
    "Accounts without a website",
    { source: "Accounts", vizType: "METRIC", values: [ROWS], conditions: [where("website", "isBlank")] },
  ],
  [
    "Accounts by country and status",
    {
      source: "Accounts",
      vizType: "BAR",
      category: by("billingCountry"),
      series: { column: "status" },
      values: [ROWS],
    },
  ],
  [
    "Revenue of accounts where country is Germany or France by city",
    {
      source: "Accounts",
      vizType: "BAR",
      category: by("billingCity"),
      values: [sum("annualRevenue")],
      conditions: [where("billingCountry", "inList", "Germany", "France")],
    },
  ],
  [
    "Which 10 cities have the most accounts?",
    { source: "Accounts", vizType: "BAR", category: by("billingCity"), values: [ROWS], top: 10 },
  ],
  [
    "Active accounts by industry as a pie",
    {
      source: "Accounts",
      vizType: "PIE",
      category: by("industry"),
      values: [ROWS],
      conditions: [where("status", "equals", "active")],
    },
  ],
  [
    "New accounts this year per quarter",
    {
      source: "Accounts",
      vizType: "LINE",
      category: { column: "customerSince", grain: "quarter" },
      values: [ROWS],
      conditions: [where("customerSince", "thisYear")],
    },
  ],
  [
    "Compare new accounts with the previous month",
    { source: "Accounts", vizType: "COLUMN", category: monthOf("customerSince"), values: [ROWS], top: 2 },
  ],
  [
    "Accounts since 2024 by status",
    {
      source: "Accounts",
      vizType: "BAR",
      category: by("status"),
      values: [ROWS],
      conditions: [where("customerSince", "greaterOrEqual", "2024-01-01")],
    },
  ],
  [
    "Average delay by origin",
    { source: "Flights", vizType: "BAR", category: by("origin"), values: [avg("delayMinutes")] },
  ],
  [
    "Flights per day",
    { source: "Flights", vizType: "LINE", category: { column: "departedAt", grain: "day" }, values: [ROWS] },
  ],
  [
    "Top 10 destinations by number of flights",
    { source: "Flights", vizType: "BAR", category: by("destination"), values: [ROWS], top: 10 },
  ],
  [
    "Average delay per week where origin is JFK",
    {
      source: "Flights",
      vizType: "LINE",
      category: { column: "departedAt", grain: "week" },
      values: [avg("delayMinutes")],
      conditions: [where("origin", "equals", "JFK")],
    },
  ],
  ["Total distance in miles", { source: "Flights", vizType: "METRIC", values: [sum("distanceMiles")] }],
  [
    "How many flights were delayed in the last 90 days?",
    { source: "Flights", vizType: "METRIC", values: [ROWS], conditions: [where("departedAt", "lastDays", 90)] },
  ],
  [
    "Number of flights with a delay over 60 minutes by origin",
    {
      source: "Flights",
      vizType: "BAR",
      category: by("origin"),
      values: [ROWS],
      conditions: [where("delayMinutes", "greater", 60)],
    },
  ],
  [
    "Longest distance by destination",
    {
      source: "Flights",
      vizType: "BAR",
      category: by("destination"),
      values: [{ column: "distanceMiles", aggregate: "max" }],
    },
  ],
  [
    "Monthly average delay and average distance",
    {
      source: "Flights",
      vizType: "LINE",
      category: monthOf("departedAt"),
      values: [avg("delayMinutes"), avg("distanceMiles")],
    },
  ],
  [
    "Flights from origin ATL between 2025-01-01 and 2025-03-31 per month",
    {
      source: "Flights",
      vizType: "LINE",
      category: monthOf("departedAt"),
      values: [ROWS],
      conditions: [where("origin", "equals", "ATL"), where("departedAt", "between", "2025-01-01", "2025-03-31")],
    },
  ],
  ["Leads by status", { source: "Lead", vizType: "BAR", category: by("status"), values: [ROWS] }],
  [
    "Funnel of opportunities by stage",
    { source: "Opportunity", vizType: "FUNNEL", category: by("stage"), values: [ROWS] },
  ],
  [
    "Amount of won opportunities per month of close date",
    {
      source: "Opportunity",
      vizType: "LINE",
      category: monthOf("closeDate"),
      values: [sum("amount")],
      conditions: [where("stage", "equals", "won")],
    },
  ],
  [
    "Average score of leads by source",
    { source: "Lead", vizType: "BAR", category: by("source"), values: [avg("score")] },
  ],
  [
    "Budget and actual cost by campaign type",
    { source: "Campaign", vizType: "BAR", category: by("type"), values: [sum("budget"), sum("actualCost")] },
  ],
  [
    "High priority cases by status",
    {
      source: "Case",
      vizType: "BAR",
      category: by("status"),
      values: [ROWS],
      conditions: [where("priority", "equals", "high")],
    },
  ],
  [
    "Cases that are not closed by priority as a donut",
    {
      source: "Case",
      vizType: "PIE",
      category: by("priority"),
      values: [ROWS],
      conditions: [where("status", "notEquals", "closed")],
    },
  ],
  [
    "Show me a gauge of the average probability of opportunities",
    { source: "Opportunity", vizType: "GAUGE", values: [avg("probability")] },
  ],
  [
    "5 largest opportunities by amount as a table",
    {
      source: "Opportunity",
      vizType: "TABLE",
      columns: ["name", "amount"],
      values: [],
      order: { column: "amount", ascending: false },
      top: 5,
    },
  ],
  [
    "Percentage of campaigns per status",
    { source: "Campaign", vizType: "PIE", category: by("status"), values: [ROWS] },
  ],
];
