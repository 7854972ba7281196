/** The entities every new instance starts with: the concepts nearly every company's systems share. */
import type { CreateEntityBody } from "@accord/contracts/data/core-schema";
import { CreateEntityBody as Body } from "@accord/contracts/data/core-schema";
import type { z } from "zod";

type Field = z.input<typeof Body>["fields"] extends (infer F)[] | undefined ? F : never;

const text = (apiName: string, displayName: string, more: Partial<Field> = {}): Field => ({
  apiName,
  displayName,
  ...more,
});
const unique = (apiName: string, displayName: string): Field => text(apiName, displayName, { unique: true });
const typed =
  (dataType: Field["dataType"]) =>
  (apiName: string, displayName: string): Field => ({ apiName, displayName, dataType });
const whole = typed("integer");
const money = (apiName: string, displayName: string): Field => ({
  apiName,
  displayName,
  dataType: "decimal",
  precision: 18,
  scale: 2,
});
const date = typed("date");
const moment = typed("datetime");
const yesNo = typed("boolean");
const reference = (apiName: string, displayName: string, referenceTo: string): Field => ({
  apiName,
  displayName,
  dataType: "reference",
  referenceTo,
});
const choice = (apiName: string, displayName: string, ...labels: string[]): Field => ({
  apiName,
  displayName,
  dataType: "picklist",
  picklist: labels.map((label) => ({ id: label.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_"), label })),
});
const address = (prefix: string, label: string): Field[] => [
  text(`${prefix}Street`, `${label} street`),
  text(`${prefix}City`, `${label} city`),
  text(`${prefix}PostalCode`, `${label} postal code`),
  text(`${prefix}Country`, `${label} country`),
];
const person = [
  text("firstName", "First name"),
  text("lastName", "Last name"),
  text("email", "E-mail"),
  text("phone", "Phone"),
];

/** In an order in which references always lead back, or to the entity itself. */
const STARTERS: z.input<typeof Body>[] = [
  {
    apiName: "User",
    displayName: "User",
    description: "A colleague who owns accounts, deals or cases.",
    nameField: "name",
    fields: [
      text("name", "Name"),
      unique("email", "E-mail"),
      text("title", "Title"),
      text("department", "Department"),
      yesNo("active", "Active"),
      reference("manager", "Manager", "User"),
    ],
  },
  {
    apiName: "Account",
    displayName: "Account",
    description: "A company you do business with.",
    nameField: "name",
    fields: [
      text("name", "Name"),
      unique("accountNumber", "Account number"),
      text("taxId", "Tax id"),
      text("email", "E-mail"),
      text("phone", "Phone"),
      text("website", "Website"),
      text("industry", "Industry"),
      choice("status", "Status", "Prospect", "Active", "On hold", "Closed"),
      money("annualRevenue", "Annual revenue"),
      whole("employeeCount", "Employees"),
      ...address("billing", "Billing"),
      reference("parentAccount", "Parent account", "Account"),
      reference("owner", "Owner", "User"),
      date("customerSince", "Customer since"),
      text("description", "Description"),
    ],
  },
  {
    apiName: "Contact",
    displayName: "Contact",
    description: "A person at one of your accounts.",
    nameField: "lastName",
    fields: [
      ...person,
      text("title", "Title"),
      reference("account", "Account", "Account"),
      ...address("mailing", "Mailing"),
      yesNo("doNotContact", "Do not contact"),
      reference("owner", "Owner", "User"),
    ],
  },
  {
    apiName: "Lead",
    displayName: "Lead",
    description: "Somebody who may become a customer.",
    nameField: "lastName",
    fields: [
      ...person,
      text("company", "Company"),
      choice("status", "Status", "New", "Working", "Qualified", "Unqualified", "Converted"),
      text("source", "Source"),
      whole("score", "Score"),
      reference("convertedAccount", "Converted account", "Account"),
      reference("owner", "Owner", "User"),
    ],
  },
  {
    apiName: "Opportunity",
    displayName: "Opportunity",
    pluralName: "Opportunities",
    description: "A deal in progress.",
    nameField: "name",
    fields: [
      text("name", "Name"),
      reference("account", "Account", "Account"),
      choice("stage", "Stage", "Qualification", "Proposal", "Negotiation", "Won", "Lost"),
      money("amount", "Amount"),
      typed("double")("probability", "Probability"),
      date("closeDate", "Close date"),
      reference("owner", "Owner", "User"),
    ],
  },
  {
    apiName: "Campaign",
    displayName: "Campaign",
    description: "A marketing effort and what it cost.",
    nameField: "name",
    fields: [
      text("name", "Name"),
      choice("type", "Type", "E-mail", "Event", "Advertisement", "Webinar", "Other"),
      choice("status", "Status", "Planned", "In progress", "Completed", "Cancelled"),
      date("startDate", "Start date"),
      date("endDate", "End date"),
      money("budget", "Budget"),
      money("actualCost", "Actual cost"),
    ],
  },
  {
    apiName: "Case",
    displayName: "Case",
    description: "A question or problem a customer brought to you.",
    nameField: "subject",
    fields: [
      unique("caseNumber", "Case number"),
      text("subject", "Subject"),
      text("description", "Description"),
      choice("status", "Status", "New", "Working", "Escalated", "Closed"),
      choice("priority", "Priority", "Low", "Medium", "High"),
      reference("account", "Account", "Account"),
      reference("contact", "Contact", "Contact"),
      moment("closedAt", "Closed at"),
    ],
  },
  {
    apiName: "Product",
    displayName: "Product",
    description: "Something you sell.",
    nameField: "name",
    fields: [
      text("name", "Name"),
      unique("sku", "SKU"),
      text("family", "Family"),
      money("price", "Price"),
      text("currency", "Currency"),
      yesNo("active", "Active"),
      text("description", "Description"),
    ],
  },
  {
    apiName: "Task",
    displayName: "Task",
    description: "Something a colleague has to do.",
    nameField: "subject",
    fields: [
      text("subject", "Subject"),
      choice("status", "Status", "Open", "In progress", "Done"),
      choice("priority", "Priority", "Low", "Medium", "High"),
      date("dueDate", "Due date"),
      reference("account", "Account", "Account"),
      reference("contact", "Contact", "Contact"),
      reference("owner", "Owner", "User"),
    ],
  },
];

export const starterEntities = (): CreateEntityBody[] =>
  STARTERS.map((starter) => Body.parse({ ...starter, publish: true }));
