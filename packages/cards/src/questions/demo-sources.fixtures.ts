/** The demo's datasets and entities as questions find them: the columns of the starter entities and of flights. */
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import type { DataType } from "@accord/contracts/data/values";
import type { QuestionSource } from "./source.ts";

type Described = readonly [name: string, displayName: string, dataType?: DataType | readonly string[]];

function columnOf([name, displayName, type = "string"]: Described): DatasetColumn {
  if (typeof type === "string") return { name, displayName, dataType: type };
  const labels = Object.fromEntries(type.map((label) => [label.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_"), label]));
  return { name, displayName, dataType: "picklist", labels };
}

function source(
  type: QuestionSource["source"]["type"],
  digit: string,
  names: readonly [string, ...string[]],
  columns: readonly Described[],
): QuestionSource {
  const [displayName, ...otherNames] = names;
  return { source: { type, id: digit.repeat(24) }, displayName, otherNames, columns: columns.map(columnOf) };
}

const CREATED: readonly Described[] = [
  ["accord_created_at", "Created", "datetime"],
  ["accord_updated_at", "Modified", "datetime"],
];

const ACCOUNT: readonly Described[] = [
  ["name", "Name"],
  ["accountNumber", "Account number"],
  ["taxId", "Tax id"],
  ["email", "E-mail"],
  ["phone", "Phone"],
  ["website", "Website"],
  ["industry", "Industry"],
  ["status", "Status", ["Prospect", "Active", "On hold", "Closed"]],
  ["annualRevenue", "Annual revenue", "decimal"],
  ["employeeCount", "Employees", "integer"],
  ["billingStreet", "Billing street"],
  ["billingCity", "Billing city"],
  ["billingPostalCode", "Billing postal code"],
  ["billingCountry", "Billing country"],
  ["parentAccount", "Parent account", "reference"],
  ["owner", "Owner", "reference"],
  ["customerSince", "Customer since", "date"],
  ["description", "Description"],
];
const FLIGHT: readonly Described[] = [
  ["flightNumber", "Flight number"],
  ["departedAt", "Departed at", "datetime"],
  ["origin", "Origin"],
  ["destination", "Destination"],
  ["delayMinutes", "Delay in minutes", "integer"],
  ["distanceMiles", "Distance in miles", "integer"],
];

export const DEMO_SOURCES: readonly QuestionSource[] = [
  source("DATASET", "1", ["Accounts", "Account"], ACCOUNT),
  source("DATASET", "2", ["Flights", "Flight"], FLIGHT),
  source(
    "DATASET",
    "3",
    ["Busiest airports"],
    [
      ["origin", "Origin"],
      ["records", "Records", "integer"],
    ],
  ),
  source("ENTITY", "a", ["Account", "Accounts"], [...ACCOUNT, ...CREATED]),
  source("ENTITY", "b", ["Flight", "Flights"], [...FLIGHT, ...CREATED]),
  source(
    "ENTITY",
    "c",
    ["Lead", "Leads"],
    [
      ["firstName", "First name"],
      ["lastName", "Last name"],
      ["email", "E-mail"],
      ["company", "Company"],
      ["status", "Status", ["New", "Working", "Qualified", "Unqualified", "Converted"]],
      ["source", "Source"],
      ["score", "Score", "integer"],
      ...CREATED,
    ],
  ),
  source(
    "ENTITY",
    "d",
    ["Opportunity", "Opportunities"],
    [
      ["name", "Name"],
      ["account", "Account", "reference"],
      ["stage", "Stage", ["Qualification", "Proposal", "Negotiation", "Won", "Lost"]],
      ["amount", "Amount", "decimal"],
      ["probability", "Probability", "double"],
      ["closeDate", "Close date", "date"],
      ["owner", "Owner", "reference"],
      ...CREATED,
    ],
  ),
  source(
    "ENTITY",
    "e",
    ["Campaign", "Campaigns"],
    [
      ["name", "Name"],
      ["type", "Type", ["E-mail", "Event", "Advertisement", "Webinar", "Other"]],
      ["status", "Status", ["Planned", "In progress", "Completed", "Cancelled"]],
      ["startDate", "Start date", "date"],
      ["endDate", "End date", "date"],
      ["budget", "Budget", "decimal"],
      ["actualCost", "Actual cost", "decimal"],
      ...CREATED,
    ],
  ),
  source(
    "ENTITY",
    "f",
    ["Case", "Cases"],
    [
      ["caseNumber", "Case number"],
      ["subject", "Subject"],
      ["status", "Status", ["New", "Working", "Escalated", "Closed"]],
      ["priority", "Priority", ["Low", "Medium", "High"]],
      ["account", "Account", "reference"],
      ["closedAt", "Closed at", "datetime"],
      ...CREATED,
    ],
  ),
];
