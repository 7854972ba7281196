/** The properties of HubSpot's contacts, companies and deals, and what it makes of the values it is sent. */
import type { Json } from "../kit.ts";

export interface Property {
  name: string;
  label: string;
  type: "string" | "number" | "bool" | "date" | "datetime" | "enumeration";
  fieldType: string;
  options: string[];
  isReadOnly: boolean;
  isUnique: boolean;
}

type Short = [name: string, label: string, type?: Property["type"], options?: string[]];

const FIELD_TYPES = {
  string: "text",
  number: "number",
  bool: "booleancheckbox",
  date: "date",
  datetime: "date",
  enumeration: "select",
};

/** HubSpot keeps these itself. */
const KEPT = ["createdate", "hs_lastmodifieddate", "hs_object_id", "lastmodifieddate"];
const UNIQUE = ["email", "hs_object_id"];

const property = ([name, label, type = "string", options = []]: Short): Property => {
  const isReadOnly = KEPT.includes(name);
  const isUnique = UNIQUE.includes(name);
  return { name, label, type, fieldType: FIELD_TYPES[type], options, isReadOnly, isUnique };
};

const SHARED: Short[] = [
  ["createdate", "Create Date", "datetime"],
  ["hs_object_id", "Record ID", "number"],
  ["hubspot_owner_id", "Owner", "string"],
];
const STAGES = ["subscriber", "lead", "marketingqualifiedlead", "salesqualifiedlead", "opportunity", "customer"];

const CONTACT: Short[] = [
  ...SHARED,
  ["lastmodifieddate", "Last Modified Date", "datetime"],
  ["email", "Email"],
  ["firstname", "First Name"],
  ["lastname", "Last Name"],
  ["phone", "Phone Number"],
  ["company", "Company Name"],
  ["city", "City"],
  ["jobtitle", "Job Title"],
  ["lifecyclestage", "Lifecycle Stage", "enumeration", STAGES],
  ["date_of_contract", "Date of contract", "date"],
  ["seats", "Seats", "number"],
  ["is_partner", "Is a partner", "bool", ["true", "false"]],
];
const COMPANY: Short[] = [
  ...SHARED,
  ["hs_lastmodifieddate", "Last Modified Date", "datetime"],
  ["name", "Company name"],
  ["domain", "Company Domain Name"],
  ["city", "City"],
  ["phone", "Phone Number"],
  ["industry", "Industry", "enumeration", ["COMPUTER_SOFTWARE", "BANKING", "RETAIL"]],
  ["numberofemployees", "Number of Employees", "number"],
  ["annualrevenue", "Annual Revenue", "number"],
];
const DEAL: Short[] = [
  ...SHARED,
  ["hs_lastmodifieddate", "Last Modified Date", "datetime"],
  ["dealname", "Deal Name"],
  ["dealstage", "Deal Stage", "enumeration", ["appointmentscheduled", "qualifiedtobuy", "closedwon", "closedlost"]],
  ["pipeline", "Pipeline", "enumeration", ["default"]],
  ["amount", "Amount", "number"],
  ["closedate", "Close Date", "datetime"],
  ["description", "Deal Description"],
];

export interface ObjectKind {
  /** As its name stands in messages: `CONTACT`. */
  name: string;
  typeId: string;
  properties: Property[];
  /** Those that come unless others are asked for. */
  shown: string[];
  changed: string;
  /** A creation needs one of each. */
  needs: string[][];
  title: string;
}

export const HUBSPOT_OBJECTS = new Map<string, ObjectKind>([
  [
    "contacts",
    {
      name: "CONTACT",
      typeId: "0-1",
      properties: CONTACT.map(property),
      shown: ["createdate", "email", "firstname", "hs_object_id", "lastmodifieddate", "lastname"],
      changed: "lastmodifieddate",
      needs: [["email", "firstname", "lastname"]],
      title: "firstname",
    },
  ],
  [
    "companies",
    {
      name: "COMPANY",
      typeId: "0-2",
      properties: COMPANY.map(property),
      shown: ["createdate", "domain", "hs_lastmodifieddate", "hs_object_id", "name"],
      changed: "hs_lastmodifieddate",
      needs: [["name", "domain"]],
      title: "name",
    },
  ],
  [
    "deals",
    {
      name: "DEAL",
      typeId: "0-3",
      properties: DEAL.map(property),
      shown: [
        "amount",
        "closedate",
        "createdate",
        "dealname",
        "dealstage",
        "hs_lastmodifieddate",
        "hs_object_id",
        "pipeline",
      ],
      changed: "hs_lastmodifieddate",
      needs: [["dealname"], ["dealstage"]],
      title: "dealname",
    },
  ],
]);

/** As the properties API shows it. */
export const definitionOf = (one: Property, displayOrder: number): Json => ({
  updatedAt: "2024-01-01T00:00:00.000Z",
  createdAt: "2024-01-01T00:00:00.000Z",
  name: one.name,
  label: one.label,
  type: one.type,
  fieldType: one.fieldType,
  description: "",
  groupName: "information",
  options: one.options.map((value, order) => ({ label: value, value, displayOrder: order, hidden: false })),
  displayOrder,
  calculated: false,
  externalOptions: false,
  hasUniqueValue: one.isUnique,
  hidden: false,
  hubspotDefined: true,
  modificationMetadata: {
    archivable: false,
    readOnlyDefinition: true,
    readOnlyValue: one.isReadOnly,
  },
  formField: !one.isReadOnly,
});

/** The text to keep; an object: why the value is refused. Empty unsets. */
export function storedValue(one: Property, sent: unknown): string | null | { error: string; message: string } {
  if (one.isReadOnly) return { error: "READ_ONLY_VALUE", message: `"${one.name}" is a read only property` };
  if (sent === null || sent === "") return null;
  if (!["string", "number", "boolean"].includes(typeof sent))
    return { error: "INVALID_JSON", message: `${one.name} must be a single value` };
  const text = String(sent);
  switch (one.type) {
    case "number":
      if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text))
        return { error: "INVALID_LONG", message: `${text} was not a valid number.` };
      return text;
    case "bool":
    case "enumeration":
      if (!one.options.includes(text))
        return {
          error: "INVALID_OPTION",
          message: `${text} was not one of the allowed options: [${one.options.join(", ")}]`,
        };
      return text;
    case "date": {
      const at = /^-?\d+$/.test(text) ? Number(text) : /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
      if (Number.isNaN(at) || at % 86_400_000 !== 0)
        return { error: "INVALID_DATE", message: `${text} was not a valid date: it is not at midnight UTC.` };
      return new Date(at).toISOString().slice(0, 10);
    }
    case "datetime": {
      const at = /^-?\d+$/.test(text) ? Number(text) : Date.parse(text);
      if (Number.isNaN(at)) return { error: "INVALID_LONG", message: `${text} was not a valid long.` };
      return new Date(at).toISOString();
    }
    default:
      if (one.name !== "email") return text;
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())
        ? text.trim().toLowerCase()
        : { error: "INVALID_EMAIL", message: `Email address ${text} is invalid` };
  }
}
