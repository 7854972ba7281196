/** Definition of one input of a generated form: node configuration, connector configuration, card settings. */
import { z } from "zod";
import { Value } from "../data/values.ts";

/** Known input datatypes; an unknown one is shown as text. */
export const INPUT_DATATYPES = [
  "boolean",
  "composite",
  "date",
  "datetime",
  "double",
  "emailBody",
  "emailList",
  "integer",
  "password",
  "predicate",
  "string",
  "textarea",
  "text",
  "case",
  "picklist",
  "picklistCombo",
  "multiselect",
  "multiselectField",
  "reference",
  "tab",
  "id",
  "url",
  "timestamp",
  "object",
  "email",
  "phone",
  "externalId",
  "fieldMap",
] as const;

export const InputDefinition = z.strictObject({
  name: z.string(),
  label: z.string(),
  datatype: z.string().default("string"),
  defaultValue: Value.optional(),
  displayMode: z.string().optional(),
  allowClear: z.boolean().optional(),
  readOnly: z.boolean().optional(),
  disabled: z.boolean().optional(),
  renderType: z.string().optional(),
  values: z.array(z.strictObject({ id: z.string(), label: z.string() })).optional(),
  dependsOn: z
    .strictObject({
      dependantField: z.string(),
      dependantType: z.string(),
      params: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  mapping: z.strictObject({ graphKey: z.string(), configKey: z.string() }).optional(),
  implicit: z.boolean().optional(),
  required: z.boolean().optional(),
  /** Shown only when another input has this value. */
  requiredValue: z.strictObject({ field: z.string(), value: Value }).optional(),
  uneditable: z.boolean().optional(),
  fieldSet: z.string().optional(),
  helpText: z.string().optional(),
  helpSummary: z.string().optional(),
  hideTokenPicker: z.boolean().optional(),
  allowUserToken: z.boolean().optional(),
  repeatable: z.boolean().optional(),
  lhsDisabled: z.boolean().optional(),
  operatorType: z.string().optional(),
  parentGroup: z.string().optional(),
  dynamicConfig: z.boolean().optional(),
  visibilityDependsOnFieldValue: z
    .strictObject({ field: z.string(), value: Value.optional(), pattern: z.string().optional() })
    .optional(),
  /** Never sent back by the server. */
  secret: z.boolean().optional(),
});
export type InputDefinition = z.input<typeof InputDefinition>;
/** Defaults filled in. */
export type CompleteInput = z.output<typeof InputDefinition>;
