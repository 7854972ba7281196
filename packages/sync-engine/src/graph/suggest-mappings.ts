/** Proposes which field of a connected system belongs to which core field. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { FieldMapping } from "@accord/contracts/sync/graph";
import type { DataType } from "@accord/contracts/data/values";

/** Names that mean the same in different systems, in normalised form. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["name", "companyname", "accountname", "organisation", "organization", "customername"],
  ["website", "domain", "url", "homepage", "web"],
  ["email", "emailaddress", "mail"],
  ["phone", "phonenumber", "telephone", "tel"],
  ["street", "address", "addressline1", "billingstreet"],
  ["city", "town", "billingcity"],
  ["postalcode", "zip", "zipcode", "postcode"],
  ["country", "countrycode", "billingcountry"],
  ["employees", "numberofemployees", "employeecount", "headcount"],
  ["revenue", "annualrevenue"],
  ["industry", "sector"],
  ["firstname", "givenname"],
  ["lastname", "surname", "familyname"],
];

const NUMERIC: ReadonlySet<DataType> = new Set(["integer", "double", "decimal"]);
const TEXTUAL: ReadonlySet<DataType> = new Set(["string", "picklist"]);
const TEMPORAL: ReadonlySet<DataType> = new Set(["date", "datetime", "timestamp"]);

/** Whether values of one type can sensibly become the other without a function in between. */
export function typesFit(from: DataType, to: DataType): boolean {
  if (from === to || to === "string") return true;
  return [NUMERIC, TEXTUAL, TEMPORAL].some((family) => family.has(from) && family.has(to));
}

const normalise = (name: string): string =>
  name
    .toLowerCase()
    .replace(/__c$/, "")
    .replace(/[^a-z0-9]/g, "");

export interface MappingSides {
  connectorFields: readonly FieldSchema[];
  coreFields: readonly FieldSchema[];
  existing: readonly FieldMapping[];
  direction: "source" | "sink";
}

/**
 * New rows for fields mapped in neither direction yet: same api name first, then the same normalised name or label,
 * then synonyms; types must fit. A sink never proposes fields it can't write, nor ids, which the system gives.
 */
export function suggestMappings(sides: MappingSides): FieldMapping[] {
  const takenConnector = new Set(sides.existing.map((row) => row.connectorField));
  const takenCore = new Set(sides.existing.map((row) => row.coreField));
  const connector = sides.connectorFields.filter((field) => isOffered(field, sides.direction));
  const found: FieldMapping[] = [];
  for (const sameAs of [sameApiName, sameWords, sameMeaning]) {
    for (const core of sides.coreFields) {
      if (takenCore.has(core.apiName) || core.isSystem || core.status !== "ACTIVE") continue;
      const match = connector.find(
        (field) =>
          !takenConnector.has(field.apiName) &&
          sameAs(field, core) &&
          // A key is what records are matched by: it is read into a field of its own name, never into a similar one.
          (!field.isIdField || sameAs !== sameMeaning) &&
          fits(field, core, sides.direction),
      );
      if (!match) continue;
      takenConnector.add(match.apiName);
      takenCore.add(core.apiName);
      found.push({ connectorField: match.apiName, coreField: core.apiName });
    }
  }
  return found;
}

function isOffered(field: FieldSchema, direction: "source" | "sink"): boolean {
  if (field.status !== "ACTIVE" || field.isSystem) return false;
  if (direction === "source") return true;
  return (
    !field.isIdField &&
    field.updateable &&
    !field.calculated &&
    !field.createOnly &&
    !field.isUpdatedAtField &&
    !field.isCreatedAtField
  );
}

function fits(field: FieldSchema, core: FieldSchema, direction: "source" | "sink"): boolean {
  if (field.isMultiValueField !== core.isMultiValueField) return false;
  return direction === "source" ? typesFit(field.dataType, core.dataType) : typesFit(core.dataType, field.dataType);
}

const sameApiName = (a: FieldSchema, b: FieldSchema): boolean => a.apiName === b.apiName;

function sameWords(a: FieldSchema, b: FieldSchema): boolean {
  const words = new Set([normalise(a.apiName), normalise(a.displayName)]);
  return words.has(normalise(b.apiName)) || words.has(normalise(b.displayName));
}

function sameMeaning(a: FieldSchema, b: FieldSchema): boolean {
  return SYNONYMS.some((family) => family.includes(normalise(a.apiName)) && family.includes(normalise(b.apiName)));
}
