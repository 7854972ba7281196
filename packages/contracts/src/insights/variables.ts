/** Variables make a dataset or a data card configurable: in filters, groups, limits and labels. */
import { z } from "zod";
import { Value } from "../data/values.ts";

export const VARIABLE_DATATYPES = [
  "string",
  "boolean",
  "date",
  "datetime",
  "double",
  "integer",
  "picklist",
  "timestamp",
] as const;
export type VariableDatatype = (typeof VARIABLE_DATATYPES)[number];

export const Variable = z
  .strictObject({
    /** Generated from the display name; what `{{…}}` names. */
    apiName: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,59}$/),
    displayName: z
      .string()
      .trim()
      .min(1, "variable_name_required")
      .max(60)
      .regex(/^[\p{L}\p{N} _-]*$/u, "FieldValidator.noSpecialCharacters"),
    datatype: z.enum(VARIABLE_DATATYPES).default("string"),
    required: z.boolean().default(false),
    multiValueField: z.boolean().default(false),
    /** Whether people who only look at a dashboard may change it. */
    updatable: z.boolean().default(false),
    variableDefaultValue: z
      .strictObject({
        datatype: z.enum(VARIABLE_DATATYPES),
        defaultValue: Value,
        defaultValueType: z.literal("LITERAL").default("LITERAL"),
      })
      .nullable()
      .default(null),
  })
  .refine((variable) => !variable.required || !isBlankVariable(variable.variableDefaultValue?.defaultValue), {
    path: ["variableDefaultValue"],
    message: "a required variable needs a default value",
  });
export type Variable = z.output<typeof Variable>;
export type VariableInput = z.input<typeof Variable>;

/** Datasets on datasets bring their variables along. */
const MAX_VARIABLE_VALUES = 500;

/** Values by variable api name; a multi-value text is split on `;`. */
export const VariableValues = z
  .record(z.string().max(60), Value)
  .refine((values) => Object.keys(values).length <= MAX_VARIABLE_VALUES, `has more than ${MAX_VARIABLE_VALUES} values`);
export type VariableValues = z.infer<typeof VariableValues>;

export function isBlankVariable(value: Value | undefined): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** `Top N rows` → `topNRows`. Empty when nothing usable is left. */
export function variableApiName(displayName: string): string {
  const words = displayName
    .normalize("NFKD")
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const [first = "", ...rest] = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const name = first.charAt(0).toLowerCase() + first.slice(1) + rest.join("");
  return /^[A-Za-z]/.test(name) ? name.slice(0, 60) : name ? `v${name}`.slice(0, 60) : "";
}
