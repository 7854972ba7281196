/** Fields of a Salesforce object, by its describe (https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/resources_sobject_describe.htm). */
import { ConnectorError } from "@accord/connector-sdk";
import type { DataType, Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { CREATE_ONLY, READ_ONLY, type FieldInput } from "../fields.ts";

const Described = z.object({
  label: z.string(),
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.string(),
      length: z.number().nullish(),
      nillable: z.boolean().nullish(),
      createable: z.boolean().nullish(),
      updateable: z.boolean().nullish(),
      calculated: z.boolean().nullish(),
      autoNumber: z.boolean().nullish(),
      custom: z.boolean().nullish(),
      unique: z.boolean().nullish(),
      deprecatedAndHidden: z.boolean().nullish(),
      referenceTo: z.array(z.string()).nullish(),
      picklistValues: z
        .array(z.object({ active: z.boolean(), value: z.string(), label: z.string().nullish() }))
        .nullish(),
    }),
  ),
});
type Column = z.output<typeof Described>["fields"][number];

/** Several choices (`multipicklist`) stand in one text, divided by semicolons. */
const TYPES: Record<string, DataType> = {
  boolean: "boolean",
  int: "integer",
  long: "integer",
  double: "double",
  currency: "double",
  percent: "double",
  date: "date",
  datetime: "datetime",
  picklist: "picklist",
  combobox: "picklist",
};

/** Addresses and places are composed of fields that are there one by one; files are not part of a query of many records. */
const LEFT_OUT = new Set(["address", "location", "base64", "complexvalue"]);

/** What is read of every record, whatever else is wanted. */
const ESSENTIAL = new Set(["Id", "IsDeleted", "SystemModstamp", "LastModifiedDate", "CreatedDate"]);
export const isEssential = ({ apiName }: Pick<FieldInput, "apiName">): boolean => ESSENTIAL.has(apiName);

/** An object's label and fields. `known`: names of the objects that are entities here, for references. */
export function objectIn(answer: Value, known: ReadonlySet<string>): { label: string; fields: FieldInput[] } {
  const { data } = Described.safeParse(answer);
  if (!data)
    throw new ConnectorError("unexpected", "The describe of an object has another form than Salesforce documents.");
  const fields = data.fields
    .filter(
      ({ name, type, deprecatedAndHidden }) => !deprecatedAndHidden && !LEFT_OUT.has(type) && /^\w{1,100}$/.test(name),
    )
    .map((column) => fieldOf(column, known));
  return { label: data.label, fields };
}

function fieldOf(column: Column, known: ReadonlySet<string>): FieldInput {
  const { name, label, type, length, calculated, autoNumber } = column;
  const target = type === "reference" ? onlyTarget(column, known) : null;
  const dataType = target === null ? (TYPES[type] ?? "string") : "reference";
  const choices = dataType === "picklist" ? choicesOf(column) : [];
  return {
    apiName: name,
    displayName: label.slice(0, 120) || name,
    dataType: dataType === "picklist" && choices.length === 0 ? "string" : dataType,
    custom: column.custom === true,
    unique: column.unique === true,
    nillable: column.nillable !== false,
    calculated: calculated === true || autoNumber === true,
    ...writtenHow(column),
    ...(dataType === "string" && length && length > 0 && { length }),
    ...(choices.length > 0 && { picklist: choices }),
    ...(target !== null && { referenceTo: target }),
    ...(name === "CreatedDate" && { isCreatedAtField: true }),
    ...(name === "SystemModstamp" && { isUpdatedAtField: true }),
  };
}

/** An owner may be a user or a queue: what points to several objects is a text. */
function onlyTarget({ referenceTo }: Column, known: ReadonlySet<string>): string | null {
  const [target, ...others] = referenceTo ?? [];
  return target !== undefined && others.length === 0 && known.has(target) ? target : null;
}

function writtenHow({ createable, updateable }: Column): Partial<FieldInput> {
  if (createable && updateable) return {};
  if (createable) return CREATE_ONLY;
  return updateable ? { initializable: false } : READ_ONLY;
}

/** A choice that nobody may choose any more can still stand in records. */
const choicesOf = ({ picklistValues }: Column): { id: string; label: string }[] =>
  (picklistValues ?? [])
    .filter(({ active, value }) => active && value !== "")
    .map(({ value, label }) => ({ id: value, label: label || value }));
