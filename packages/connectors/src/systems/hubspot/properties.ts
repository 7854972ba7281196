/** Fields of HubSpot's objects: what every record has, and the properties of an account. */
import { ConnectorError } from "@accord/connector-sdk";
import type { DataType, Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { fittingAddress, moment, READ_ONLY, text, type FieldInput } from "../fields.ts";

export const OWN_FIELDS: readonly FieldInput[] = [
  text("id", { displayName: "Record ID", ...READ_ONLY }),
  moment("createdAt", { displayName: "Created", isCreatedAtField: true, ...READ_ONLY }),
  moment("updatedAt", { displayName: "Updated", isUpdatedAtField: true, ...READ_ONLY }),
];

const Properties = z.object({
  results: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.string(),
      fieldType: z.string().nullish(),
      description: z.string().nullish(),
      options: z.array(z.object({ value: z.string(), label: z.string() })).nullish(),
      hidden: z.boolean().nullish(),
      archived: z.boolean().nullish(),
      calculated: z.boolean().nullish(),
      hubspotDefined: z.boolean().nullish(),
      hasUniqueValue: z.boolean().nullish(),
      modificationMetadata: z.object({ readOnlyValue: z.boolean() }).nullish(),
    }),
  ),
});

const TYPES: Record<string, DataType> = {
  bool: "boolean",
  number: "double",
  date: "date",
  datetime: "datetime",
  enumeration: "picklist",
};

/** HubSpot adds some hundred properties of its own bookkeeping; these are what people work with. */
const KEPT = new Set(["hs_lead_status", "hs_persona", "hs_priority", "hs_forecast_probability", "hs_next_step"]);
const isBookkeeping = (name: string): boolean => name.startsWith("hs_") && !KEPT.has(name);
/** Several choices stand in one text, divided by semicolons. */
const SEVERAL = "checkbox";

export function propertiesIn(answer: Value): FieldInput[] {
  const { data } = Properties.safeParse(answer);
  if (!data) throw new ConnectorError("unexpected", "The list of properties has another form than HubSpot documents.");
  const fields = data.results
    .filter(({ name, hidden, archived }) => !hidden && !archived && !isBookkeeping(name) && /^\w{1,100}$/.test(name))
    .map((property): FieldInput => {
      const { name, label, type, fieldType, calculated, modificationMetadata, options } = property;
      const isChoice = type === "enumeration" && fieldType !== SEVERAL && (options?.length ?? 0) > 0;
      return {
        apiName: name,
        displayName: label.slice(0, 120) || name,
        dataType: type === "enumeration" && !isChoice ? "string" : (TYPES[type] ?? "string"),
        custom: property.hubspotDefined !== true,
        unique: property.hasUniqueValue === true || name === "email",
        ...((calculated || modificationMetadata?.readOnlyValue) && READ_ONLY),
        ...(isChoice && { picklist: choicesOf(options ?? []) }),
      };
    });
  return fittingAddress(fields);
}

const choicesOf = (options: readonly { value: string; label: string }[]) =>
  options.filter(({ value }) => value !== "").map(({ value, label }) => ({ id: value, label: label || value }));
