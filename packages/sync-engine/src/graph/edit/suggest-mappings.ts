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

/** Why two fields are taken for the same, the surest first. */
export const MAPPING_REASONS = ["sameApiName", "sameName", "sameMeaning"] as const;
export type MappingReason = (typeof MAPPING_REASONS)[number];

export interface MappingProposal extends FieldMapping {
  reason: MappingReason;
}

/**
 * New rows for fields mapped in neither direction yet: same api name first, then the same normalised name or label,
 * then synonyms; types must fit. A sink never proposes fields it can't write, nor ids, which the system gives.
 */
export function proposeMappings(sides: MappingSides): MappingProposal[] {
  const takenConnector = new Set(sides.existing.map((row) => row.connectorField));
  const takenCore = new Set(sides.existing.map((row) => row.coreField));
  const connector = sides.connectorFields.filter((field) => isProposable(field, sides.direction));
  const found: MappingProposal[] = [];
  for (const reason of MAPPING_REASONS) {
    for (const core of sides.coreFields) {
      if (takenCore.has(core.apiName) || core.isSystem || core.status !== "ACTIVE") continue;
      const match = connector.find(
        (field) =>
          !takenConnector.has(field.apiName) &&
          IS_SAME[reason](field, core) &&
          // A key is what records are matched by: it is read into a field of its own name, never into a similar one.
          (!field.isIdField || reason !== "sameMeaning") &&
          mappingFits(field, core, sides.direction),
      );
      if (!match) continue;
      takenConnector.add(match.apiName);
      takenCore.add(core.apiName);
      found.push({ connectorField: match.apiName, coreField: core.apiName, reason });
    }
  }
  return found;
}

/** The proposals as rows of a mapping. */
export const suggestMappings = (sides: MappingSides): FieldMapping[] =>
  proposeMappings(sides).map(({ connectorField, coreField }) => ({ connectorField, coreField }));

/** The rows of a source that a destination in the same entity can write as they are. */
export function mappingsBack(rows: readonly FieldMapping[], connectorFields: readonly FieldSchema[]): FieldMapping[] {
  const writable = new Set(
    connectorFields.filter((field) => isProposable(field, "sink")).map(({ apiName }) => apiName),
  );
  return rows.filter(({ connectorField }) => writable.has(connectorField));
}

/** Fields in their order, but those that records are known by come first. */
export function keysFirst<Field extends FieldSchema>(fields: readonly Field[]): Field[] {
  const rank = ({ isIdField, unique, isSystem }: Field): number => (isIdField ? 0 : unique && !isSystem ? 1 : 2);
  return fields.toSorted((a, b) => rank(a) - rank(b));
}

/** Whether a proposal may name a field of a system: inactive ones never, and on the way back only what can be written. */
export function isProposable(field: FieldSchema, direction: "source" | "sink"): boolean {
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

/** Whether the values of one side can become those of the other without a function in between. */
export function mappingFits(field: FieldSchema, core: FieldSchema, direction: "source" | "sink"): boolean {
  if (field.isMultiValueField !== core.isMultiValueField) return false;
  return direction === "source" ? typesFit(field.dataType, core.dataType) : typesFit(core.dataType, field.dataType);
}

const IS_SAME: Record<MappingReason, (a: FieldSchema, b: FieldSchema) => boolean> = {
  sameApiName: (a, b) => a.apiName === b.apiName,
  sameName: (a, b) => {
    const words = new Set([normalise(a.apiName), normalise(a.displayName)]);
    return words.has(normalise(b.apiName)) || words.has(normalise(b.displayName));
  },
  sameMeaning: (a, b) =>
    SYNONYMS.some((family) => family.includes(normalise(a.apiName)) && family.includes(normalise(b.apiName))),
};
