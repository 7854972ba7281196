/** The standard objects of the simulated Salesforce with their fields, and a few custom fields that an administrator added. */
import { field, READ_ONLY, type FieldType, type SalesforceField } from "./fields.ts";

export interface SalesforceObject {
  name: string;
  label: string;
  labelPlural: string;
  keyPrefix: string;
  fields: readonly SalesforceField[];
}

const INDUSTRIES = ["Agriculture", "Banking", "Biotechnology", "Energy", "Technology", "Other"];
const RATINGS = ["Hot", "Warm", "Cold"];
const SOURCES = ["Web", "Phone Inquiry", "Partner Referral", "Purchased List", "Other"];
const SALUTATIONS = ["Mr.", "Ms.", "Mrs.", "Dr.", "Prof.", "Mx."];

/** Stages with what they mean: probability in percent, forecast category, and whether the opportunity is over. */
export const STAGES: Readonly<
  Record<string, { probability: number; forecast: string; isClosed: boolean; isWon: boolean }>
> = {
  Prospecting: { probability: 10, forecast: "Pipeline", isClosed: false, isWon: false },
  Qualification: { probability: 10, forecast: "Pipeline", isClosed: false, isWon: false },
  "Proposal/Price Quote": { probability: 75, forecast: "Pipeline", isClosed: false, isWon: false },
  "Negotiation/Review": { probability: 90, forecast: "Pipeline", isClosed: false, isWon: false },
  "Closed Won": { probability: 100, forecast: "Closed", isClosed: true, isWon: true },
  "Closed Lost": { probability: 0, forecast: "Omitted", isClosed: true, isWon: false },
};

const reference = (name: string, label: string, to: readonly string[], relationshipName: string, more = {}) =>
  field(name, label, "reference", { referenceTo: to, relationshipName, ...more });
const list = (name: string, label: string, picklist: readonly string[], more = {}) =>
  field(name, label, "picklist", { picklist, ...more });

/** The parts of an address and the compound field that shows them together. */
function address(prefix: string, label: string): SalesforceField[] {
  const compoundFieldName = `${prefix}Address`;
  const part = (name: string, type: FieldType, length: number) =>
    field(prefix + name, `${label} ${name}`.trim(), type, { length, compoundFieldName });
  const coordinate = (name: string) =>
    field(prefix + name, `${label} ${name}`.trim(), "double", { precision: 18, scale: 15, compoundFieldName });
  return [
    part("Street", "textarea", 255),
    part("City", "string", 40),
    part("State", "string", 80),
    part("PostalCode", "string", 20),
    part("Country", "string", 80),
    coordinate("Latitude"),
    coordinate("Longitude"),
    field(compoundFieldName, `${label} Address`.trim(), "address", READ_ONLY),
  ];
}

function person(): SalesforceField[] {
  const compoundFieldName = "Name";
  return [
    field("LastName", "Last Name", "string", { length: 80, nillable: false, compoundFieldName }),
    field("FirstName", "First Name", "string", { length: 40, compoundFieldName }),
    list("Salutation", "Salutation", SALUTATIONS, { length: 40, compoundFieldName }),
    field("Name", "Full Name", "string", { ...READ_ONLY, length: 121, nillable: false, nameField: true }),
    field("Title", "Title", "string", { length: 128 }),
    field("Phone", "Phone", "phone"),
    field("MobilePhone", "Mobile Phone", "phone"),
    field("Email", "Email", "email"),
    list("LeadSource", "Lead Source", SOURCES),
    field("Description", "Description", "textarea"),
    field("HasOptedOutOfEmail", "Email Opt Out", "boolean"),
  ];
}

const KEPT = { ...READ_ONLY, nillable: false, defaultedOnCreate: true };

function object(
  name: string,
  labelPlural: string,
  keyPrefix: string,
  own: SalesforceField[],
  owners = ["User"],
): SalesforceObject {
  const fields = [
    field("Id", `${name} ID`, "id", KEPT),
    field("IsDeleted", "Deleted", "boolean", READ_ONLY),
    ...own,
    reference("OwnerId", "Owner ID", owners, "Owner", { nillable: false, defaultedOnCreate: true }),
    field("CreatedDate", "Created Date", "datetime", KEPT),
    reference("CreatedById", "Created By ID", ["User"], "CreatedBy", KEPT),
    field("LastModifiedDate", "Last Modified Date", "datetime", KEPT),
    reference("LastModifiedById", "Last Modified By ID", ["User"], "LastModifiedBy", KEPT),
    field("SystemModstamp", "System Modstamp", "datetime", KEPT),
    field("LastActivityDate", "Last Activity", "date", READ_ONLY),
    field("LastViewedDate", "Last Viewed Date", "datetime", READ_ONLY),
    field("External_Id__c", "External Id", "string", { length: 60, externalId: true, unique: true }),
  ];
  return { name, label: name, labelPlural, keyPrefix, fields };
}

const ACCOUNT = object("Account", "Accounts", "001", [
  reference("MasterRecordId", "Master Record ID", ["Account"], "MasterRecord", READ_ONLY),
  field("Name", "Account Name", "string", { nillable: false, nameField: true }),
  list("Type", "Account Type", ["Prospect", "Customer - Direct", "Channel Partner / Reseller", "Other"]),
  reference("ParentId", "Parent Account ID", ["Account"], "Parent"),
  ...address("Billing", "Billing"),
  ...address("Shipping", "Shipping"),
  field("Phone", "Account Phone", "phone"),
  field("Fax", "Account Fax", "phone"),
  field("AccountNumber", "Account Number", "string", { length: 40 }),
  field("Website", "Website", "url"),
  field("PhotoUrl", "Photo URL", "url", READ_ONLY),
  list("Industry", "Industry", INDUSTRIES),
  field("AnnualRevenue", "Annual Revenue", "currency", { precision: 18 }),
  field("NumberOfEmployees", "Employees", "int"),
  field("Description", "Account Description", "textarea"),
  list("Rating", "Account Rating", RATINGS),
  field("Site", "Account Site", "string", { length: 80 }),
  list("AccountSource", "Account Source", SOURCES),
  list("Segment__c", "Segment", ["Small", "Medium", "Large"], { restricted: true }),
  field("Regions__c", "Regions", "multipicklist", { picklist: ["North", "East", "South", "West"] }),
  field("Active__c", "Active", "boolean"),
  field("Renewal__c", "Renewal", "datetime"),
  field("Score__c", "Score", "double", { ...READ_ONLY, calculated: true, precision: 18, scale: 2 }),
]);

const CONTACT = object("Contact", "Contacts", "003", [
  reference("MasterRecordId", "Master Record ID", ["Contact"], "MasterRecord", READ_ONLY),
  reference("AccountId", "Account ID", ["Account"], "Account"),
  ...person(),
  ...address("Mailing", "Mailing"),
  reference("ReportsToId", "Reports To ID", ["Contact"], "ReportsTo"),
  field("Department", "Department", "string", { length: 80 }),
  field("Birthdate", "Birthdate", "date"),
]);

const LEAD = object(
  "Lead",
  "Leads",
  "00Q",
  [
    reference("MasterRecordId", "Master Record ID", ["Lead"], "MasterRecord", READ_ONLY),
    ...person(),
    field("Company", "Company", "string", { nillable: false }),
    ...address("", ""),
    field("Website", "Website", "url"),
    list("Status", "Status", ["Open - Not Contacted", "Working - Contacted", "Closed - Not Converted"], {
      nillable: false,
      defaultedOnCreate: true,
      initial: "Open - Not Contacted",
    }),
    list("Industry", "Industry", INDUSTRIES),
    list("Rating", "Rating", RATINGS),
    field("AnnualRevenue", "Annual Revenue", "currency", { precision: 18 }),
    field("NumberOfEmployees", "Employees", "int"),
    field("IsConverted", "Converted", "boolean", READ_ONLY),
    field("ConvertedDate", "Converted Date", "date", READ_ONLY),
  ],
  ["Group", "User"],
);

const OPPORTUNITY = object("Opportunity", "Opportunities", "006", [
  reference("AccountId", "Account ID", ["Account"], "Account"),
  field("Name", "Name", "string", { length: 120, nillable: false, nameField: true }),
  field("Description", "Description", "textarea"),
  list("StageName", "Stage", Object.keys(STAGES), { nillable: false }),
  field("Amount", "Amount", "currency", { precision: 18, scale: 2 }),
  field("Probability", "Probability (%)", "percent", { precision: 3, defaultedOnCreate: true }),
  field("ExpectedRevenue", "Expected Amount", "currency", { ...READ_ONLY, precision: 18, scale: 2 }),
  field("CloseDate", "Close Date", "date", { nillable: false }),
  list("Type", "Opportunity Type", ["New Customer", "Existing Customer - Upgrade"]),
  field("NextStep", "Next Step", "string"),
  list("LeadSource", "Lead Source", SOURCES),
  field("IsClosed", "Closed", "boolean", READ_ONLY),
  field("IsWon", "Won", "boolean", READ_ONLY),
  list("ForecastCategory", "Forecast Category", ["Omitted", "Pipeline", "BestCase", "Forecast", "Closed"], READ_ONLY),
]);

/** Users are read only here: they are what owners refer to. */
const USER: SalesforceObject = {
  name: "User",
  label: "User",
  labelPlural: "Users",
  keyPrefix: "005",
  fields: [
    field("Id", "User ID", "id", KEPT),
    field("Username", "Username", "string", { ...KEPT, length: 80 }),
    field("Name", "Full Name", "string", { ...KEPT, length: 121, nameField: true }),
    field("Email", "Email", "email", KEPT),
    field("SystemModstamp", "System Modstamp", "datetime", KEPT),
  ],
};

export const OBJECTS: readonly SalesforceObject[] = [ACCOUNT, CONTACT, LEAD, OPPORTUNITY, USER];

/** Names of objects and fields are the same whatever their case. */
export const objectNamed = (name: string): SalesforceObject | undefined =>
  OBJECTS.find((one) => one.name.toLowerCase() === name.toLowerCase());
export const fieldNamed = ({ fields }: SalesforceObject, name: string): SalesforceField | undefined =>
  fields.find((one) => one.name.toLowerCase() === name.toLowerCase());
