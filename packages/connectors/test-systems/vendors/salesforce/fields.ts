/** What a field of the simulated Salesforce is, as the describe resource shows it. */
import type { Json } from "../kit.ts";

export type FieldType =
  | "id"
  | "string"
  | "textarea"
  | "phone"
  | "email"
  | "url"
  | "picklist"
  | "multipicklist"
  | "reference"
  | "boolean"
  | "currency"
  | "double"
  | "percent"
  | "int"
  | "date"
  | "datetime"
  | "address";

export interface SalesforceField {
  name: string;
  label: string;
  type: FieldType;
  /** Characters; 0 for what is no text. */
  length: number;
  precision: number;
  scale: number;
  nillable: boolean;
  createable: boolean;
  updateable: boolean;
  defaultedOnCreate: boolean;
  calculated: boolean;
  nameField: boolean;
  externalId: boolean;
  unique: boolean;
  filterable: boolean;
  sortable: boolean;
  compoundFieldName: string | null;
  picklist: readonly string[];
  restricted: boolean;
  referenceTo: readonly string[];
  relationshipName: string | null;
  /** What a creation gives it. */
  initial: string | number | boolean | null;
}

type More = Partial<Omit<SalesforceField, "name" | "label" | "type">>;

const LENGTHS: Partial<Record<FieldType, number>> = {
  id: 18,
  reference: 18,
  string: 255,
  textarea: 32_000,
  phone: 40,
  email: 80,
  url: 255,
  picklist: 255,
  multipicklist: 4099,
};

export function field(name: string, label: string, type: FieldType, more: More = {}): SalesforceField {
  const length = more.length ?? LENGTHS[type] ?? 0;
  const isLong = (type === "textarea" && length > 255) || type === "address";
  const isBoolean = type === "boolean";
  return {
    name,
    label,
    type,
    length,
    precision: 0,
    scale: 0,
    nillable: !isBoolean,
    createable: true,
    updateable: true,
    defaultedOnCreate: isBoolean,
    calculated: false,
    nameField: false,
    externalId: false,
    unique: false,
    filterable: !isLong,
    sortable: !isLong && type !== "multipicklist",
    compoundFieldName: null,
    picklist: [],
    restricted: false,
    referenceTo: [],
    relationshipName: null,
    initial: isBoolean ? false : null,
    ...more,
  };
}

/** Nobody but the system sets it. */
export const READ_ONLY: More = { createable: false, updateable: false };

const SOAP_TYPES: Partial<Record<FieldType, string>> = {
  id: "tns:ID",
  reference: "tns:ID",
  boolean: "xsd:boolean",
  currency: "xsd:double",
  double: "xsd:double",
  percent: "xsd:double",
  int: "xsd:int",
  date: "xsd:date",
  datetime: "xsd:dateTime",
  address: "urn:address",
};

/** As a member of `fields` in the describe result. */
export function describeField(one: SalesforceField): Json {
  const { picklist, restricted, initial, type, ...facts } = one;
  return {
    aggregatable: type !== "address",
    aiPredictionField: false,
    autoNumber: false,
    byteLength: one.length * 3,
    calculatedFormula: one.calculated ? "NumberOfEmployees / 10" : null,
    cascadeDelete: false,
    caseSensitive: false,
    controllerName: null,
    custom: one.name.endsWith("__c"),
    defaultValue: type === "boolean" ? initial : null,
    defaultValueFormula: null,
    dependentPicklist: false,
    deprecatedAndHidden: false,
    digits: type === "int" ? 8 : 0,
    displayLocationInDecimal: false,
    encrypted: false,
    groupable: one.filterable && type !== "datetime" && type !== "currency",
    highScaleNumber: false,
    htmlFormatted: false,
    idLookup: type === "id" || one.externalId,
    inlineHelpText: null,
    mask: null,
    maskType: null,
    namePointing: one.referenceTo.length > 1,
    permissionable: one.nillable,
    picklistValues: picklist.map((value) => ({
      active: true,
      defaultValue: value === initial,
      label: value,
      validFor: null,
      value,
    })),
    polymorphicForeignKey: one.referenceTo.length > 1,
    queryByDistance: type === "address",
    relationshipOrder: null,
    restrictedDelete: false,
    restrictedPicklist: restricted,
    searchPrefilterable: false,
    soapType: SOAP_TYPES[type] ?? "xsd:string",
    type,
    writeRequiresMasterRead: false,
    ...facts,
  };
}
