/** Questions that are easily misread, with their card or why they are refused: each of them has to be right. */
import type { CardIntent, ProposedCondition } from "@accord/contracts/insights/card-assistant";
import type { RefusalCode } from "./refusals.ts";

/** A Wednesday. */
export const TODAY = "2026-05-13";

type Expected = Partial<CardIntent> | RefusalCode;

const ROWS = { column: "*", aggregate: null };
const by = (column: string) => ({ column, grain: null });
const where = (column: string, operator: ProposedCondition["operator"], ...values: ProposedCondition["values"]) => ({
  ...{ column, operator, values },
});
const counted = (...conditions: ProposedCondition[]): Expected => ({ vizType: "METRIC", values: [ROWS], conditions });
const departed = (operator: ProposedCondition["operator"], ...values: ProposedCondition["values"]): Expected =>
  counted(where("departedAt", operator, ...values));
const rows = (top: number, column: string, ascending = false): Expected => ({
  ...{ vizType: "TABLE", category: null, values: [], conditions: [], top, order: { column, ascending } },
});

/** Comparisons of numbers, which are no limits of rows, and limits, which are no comparisons. */
export const COMPARED: readonly [question: string, expected: Expected][] = [
  ["How many accounts have at least 100 employees?", counted(where("employeeCount", "greaterOrEqual", 100))],
  ["Accounts with at most 50 employees", counted(where("employeeCount", "lessOrEqual", 50))],
  ["Number of accounts with at least ten employees", counted(where("employeeCount", "greaterOrEqual", 10))],
  ["Accounts with only 5 employees", counted(where("employeeCount", "equals", 5))],
  ["Accounts with 5 employees", counted(where("employeeCount", "equals", 5))],
  [
    "Flights by origin where delay is at least 30",
    { vizType: "BAR", category: by("origin"), conditions: [where("delayMinutes", "greaterOrEqual", 30)], top: null },
  ],
  [
    "At most 5 industries by revenue",
    { vizType: "BAR", category: by("industry"), conditions: [], top: 5, values: [sumOf("annualRevenue")] },
  ],
  ["Countries with at least 100 accounts", "comparison"],
  ["How many flights only 2024", departed("between", "2024-01-01", "2024-12-31")],
];

function sumOf(column: string) {
  return { column, aggregate: "sum" as const };
}

export const NEGATED: readonly [question: string, expected: Expected][] = [
  ["How many accounts without more than 100 employees?", counted(where("employeeCount", "lessOrEqual", 100))],
  ["Accounts that do not have more than 100 employees", counted(where("employeeCount", "lessOrEqual", 100))],
  ["Accounts with no less than 100 employees", counted(where("employeeCount", "greaterOrEqual", 100))],
  ["Accounts whose employees are not above 100", counted(where("employeeCount", "lessOrEqual", 100))],
  ["Accounts without status Closed", counted(where("status", "notEquals", "closed"))],
  [
    "Cases that are new but not closed",
    counted(where("status", "equals", "new"), where("status", "notEquals", "closed")),
  ],
  ["Active accounts, not closed", counted(where("status", "equals", "active"), where("status", "notEquals", "closed"))],
  ["Cases that aren't closed", counted(where("status", "notEquals", "closed"))],
  ["Cases that aren’t closed", counted(where("status", "notEquals", "closed"))],
  ["Cases not yet closed", counted(where("status", "notEquals", "closed"))],
  ["Cases other than closed", counted(where("status", "notEquals", "closed"))],
  ["Non-closed cases", counted(where("status", "notEquals", "closed"))],
  ["Cases which are neither new nor closed", counted(where("status", "notInList", "new", "closed"))],
  ["Cases that are not new or closed", counted(where("status", "notInList", "new", "closed"))],
  [
    "Cases that are not new, but closed",
    counted(where("status", "notEquals", "new"), where("status", "equals", "closed")),
  ],
  [
    "Accounts where country is Germany and not France",
    counted(where("billingCountry", "equals", "Germany"), where("billingCountry", "notEquals", "France")),
  ],
  [
    "Accounts where country is not Germany or France",
    counted(where("billingCountry", "notInList", "Germany", "France")),
  ],
  [
    "Number of cases by status except closed",
    { vizType: "BAR", category: by("status"), values: [ROWS], conditions: [where("status", "notEquals", "closed")] },
  ],
  ["Accounts with no website", counted(where("website", "isBlank"))],
  ["Accounts that don't have a website", counted(where("website", "isBlank"))],
  ["Flights that have not departed", counted(where("departedAt", "isBlank"))],
  ["No. of accounts with a website", counted(where("website", "isNotBlank"))],
  ["Cases that are not only closed", "negation"],
  ["Cases by priority, closed excluded", "negation"],
  ["Flights not last month", "negation"],
  ["Accounts not in Berlin", "negation"],
  ["Accounts whose name does not start with A", "negation"],
  ["Flights whose delay is not between 10 and 20", "negation"],
];

export const JOINED: readonly [question: string, expected: Expected][] = [
  [
    "Accounts that are active or have more than 100 employees",
    {
      ...{ vizType: "METRIC", combinator: "or" },
      conditions: [where("employeeCount", "greater", 100), where("status", "equals", "active")],
    },
  ],
  [
    "Cases where status is closed or priority is high",
    { combinator: "or", conditions: [where("status", "equals", "closed"), where("priority", "equals", "high")] },
  ],
  [
    "Cases where status is closed and priority is high",
    { combinator: "and", conditions: [where("status", "equals", "closed"), where("priority", "equals", "high")] },
  ],
  ["Cases that are new or closed", { combinator: "and", conditions: [where("status", "inList", "new", "closed")] }],
  ["Cases where status is closed or priority is high and subject is Hello", "mixedOr"],
];

export const PERIODS: readonly [question: string, expected: Expected][] = [
  ["How many flights last month?", departed("between", "2026-04-01", "2026-04-30")],
  ["How many flights in the previous quarter?", departed("between", "2026-01-01", "2026-03-31")],
  ["How many flights last year?", departed("between", "2025-01-01", "2025-12-31")],
  ["How many flights last week?", departed("between", "2026-05-04", "2026-05-10")],
  ["How many flights yesterday?", departed("between", "2026-05-12", "2026-05-12")],
  ["How many flights next month?", departed("between", "2026-06-01", "2026-06-30")],
  ["How many flights in the past month?", departed("lastMonths", 1)],
  ["How many flights in the last 3 months?", departed("lastMonths", 3)],
  ["How many flights this month?", departed("thisMonth")],
  ["How many flights since last month?", departed("greaterOrEqual", "2026-04-01")],
  ["How many flights before last year?", departed("less", "2025-01-01")],
  ["How many flights from 2024-01-01 to 2024-06-30?", departed("between", "2024-01-01", "2024-06-30")],
  ["How many flights from January 2024 until March 2024?", departed("between", "2024-01-01", "2024-03-31")],
  ["How many flights from January to March 2024?", departed("between", "2024-01-01", "2024-03-31")],
  ["How many flights from 2024 to 2025?", departed("between", "2024-01-01", "2025-12-31")],
  [
    "How many flights where origin is JFK last month?",
    counted(where("origin", "equals", "JFK"), where("departedAt", "between", "2026-04-01", "2026-04-30")),
  ],
  [
    "Flights where origin is JFK during 2024",
    counted(where("origin", "equals", "JFK"), where("departedAt", "between", "2024-01-01", "2024-12-31")),
  ],
  [
    "Compare flights with the previous month by origin",
    {
      ...{ vizType: "COLUMN", category: { column: "departedAt", grain: "month" }, series: { column: "origin" } },
      conditions: [where("departedAt", "between", "2026-04-01", "2026-05-31")],
    },
  ],
];

/** Rows and charts that would not show what was asked for. */
export const DRAWN: readonly [question: string, expected: Expected][] = [
  [
    "Bottom 5 industries by revenue",
    {
      ...{ vizType: "TABLE", category: by("industry"), values: [sumOf("annualRevenue")], top: 5 },
      order: { column: "annualRevenue", ascending: true },
    },
  ],
  ["Bottom 5 industries by revenue as a bar chart", "smallest"],
  ["Number of accounts in statuses except Closed", counted(where("status", "notEquals", "closed"))],
  [
    "What percentage of accounts are Active?",
    { vizType: "PIE", category: by("status"), values: [ROWS], conditions: [] },
  ],
  ["What percent of cases are high priority?", { vizType: "PIE", category: by("priority"), conditions: [] }],
  ["What percentage of flights were delayed?", "share"],
  ["What percentage of accounts have more than 100 employees?", "share"],
  ["What percentage of accounts are active by country?", "share"],
  ["Show the latest 5 accounts", rows(5, "customerSince")],
  ["10 newest leads", rows(10, "accord_created_at")],
  ["5 oldest leads", rows(5, "accord_created_at", true)],
  ["5 largest accounts", rows(5, "annualRevenue")],
  ["Average number of flights per day", "averageOfRows"],
  ["Latest 5 industries by revenue", "order"],
  ["Total revenue of the top 5 accounts", "chartCategory"],
  ["Top 5000 industries by revenue", "limit"],
  ["Top 0 industries by revenue", "limit"],
  ["Bar chart of accounts", "chartCategory"],
  [
    "List first name, last name, company, e-mail and status of leads",
    { vizType: "TABLE", columns: ["firstName", "lastName", "company", "email", "status"], values: [] },
  ],
];
