/** Set value: writes into the record in flight or into a temporary variable. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { values as words } from "@accord/contracts/messages/en/values";
import { fill } from "@accord/contracts/messages/fill";
import { API_NAME_PATTERN } from "@accord/contracts/data/schema";
import { DataType, type Value } from "@accord/contracts/data/values";
import { convertValue, type FieldShape, hasTokens, isBlank, textOf } from "@accord/expressions";
import { z } from "zod";
import { conversionMessage } from "../kinds/conversion.ts";
import { CompileError, type FunctionDefinition, input, type InputIssue, schemaIssues } from "../define.ts";
import { FIELD_INPUT } from "../kinds/field-setting.ts";
import { addWarning, setField, setVariable } from "../flow.ts";
import { compileText } from "../kinds/value-function.ts";

const Config = z.looseObject({
  target: z.enum(["field", "variable"]).default("field"),
  field: z.string().optional(),
  variable: z.string().optional(),
  dataType: DataType.default("string"),
  value: z.any().default(null),
  multiValued: z.boolean().default(false),
  onlyIfEmpty: z.boolean().default(false),
});

function check(
  configuration: Readonly<Record<string, unknown>>,
  fields: Parameters<FunctionDefinition["check"]>[1],
): InputIssue[] {
  const faults = schemaIssues(Config, configuration, () => false);
  if (faults.length > 0) return faults;
  const config = Config.parse(configuration);
  if (config.target === "variable")
    return API_NAME_PATTERN.test(config.variable ?? "")
      ? []
      : [{ input: "variable", reason: nodeSettings.variableToName }];
  const field = fields.find((one) => one.apiName === config.field);
  if (!field)
    return [
      {
        input: "field",
        reason: config.field
          ? fill(nodeSettings.noSuchFieldToChoose, { field: config.field })
          : nodeSettings.chooseField,
      },
    ];
  if (hasTokens(config.value)) return [];
  const converted = convertValue(config.value as Value, field, { timeZone: "UTC" });
  return converted.ok ? [] : [{ input: "value", reason: conversionMessage(converted) }];
}

export const setValue: FunctionDefinition = {
  name: "setValue",
  label: "Set value",
  family: "record",
  summary: "Writes a value into a field of the record, or into a temporary variable.",
  levels: ["entity"],
  sourceSideOnly: false,
  inputs: [
    input({
      name: "target",
      label: "Write into",
      datatype: "picklist",
      defaultValue: "field",
      hideTokenPicker: true,
      values: [
        { id: "field", label: "A field" },
        { id: "variable", label: "A temporary variable" },
      ],
    }),
    input({ ...FIELD_INPUT, requiredValue: { field: "target", value: "field" } }),
    input({
      name: "variable",
      label: "Variable",
      datatype: "string",
      required: true,
      hideTokenPicker: true,
      requiredValue: { field: "target", value: "variable" },
      helpText: "Kept with the record until the end of the pipeline; its name is its token.",
    }),
    input({ name: "dataType", label: "Data type", datatype: "string", defaultValue: "string", implicit: true }),
    input({
      name: "value",
      label: "Value",
      datatype: "text",
      allowUserToken: true,
      helpText:
        "Text and tokens. A field that holds exactly one token takes its value with its type. Empty makes it blank.",
    }),
    input({
      name: "multiValued",
      label: "Several values",
      datatype: "boolean",
      defaultValue: false,
      helpText: "Splits text at semicolons.",
      requiredValue: { field: "target", value: "variable" },
    }),
    input({ name: "onlyIfEmpty", label: "Only if empty", datatype: "boolean", defaultValue: false }),
  ],
  edgeTypes: null,
  output: null,
  check,
  compile: (configuration, context) => {
    const config = Config.parse(configuration);
    const isField = config.target === "field";
    const name = (isField ? config.field : config.variable) ?? "";
    const shape: FieldShape | undefined = isField
      ? context.coreFields.get(name)
      : { dataType: config.dataType, isMultiValueField: config.multiValued };
    if (!shape || name === "")
      throw new CompileError(context.nodeId, [
        { input: config.target, reason: fill(nodeSettings.noSuchField, { field: name }) },
      ]);
    const read =
      typeof config.value === "string" ? compileText(config.value, context, "value") : () => config.value as Value;
    return (page, env) => {
      for (const record of page) {
        if (record.failure) continue;
        const held = isField ? record.values[name] : record.variables[name];
        if (config.onlyIfEmpty && !isBlank(held)) continue;
        const value = read(record, env);
        const converted = convertValue(value, shape, { timeZone: context.timeZone });
        // A value that does not fit costs the record this field, not its way.
        if (!converted.ok) {
          addWarning(record, {
            nodeId: context.nodeId,
            code: converted.code,
            message: `${name}: ${conversionMessage(converted)}`,
          });
          continue;
        }
        if (converted.warning)
          addWarning(record, {
            nodeId: context.nodeId,
            code: converted.warning,
            message: `${name}: ${fill(words.conversion[converted.warning], { value: textOf(value) })}`,
          });
        if (isField) setField(record, name, converted.value);
        else setVariable(record, name, converted.value);
      }
      return "default";
    };
  },
  examples: [
    {
      says: "a fixed value",
      config: { field: "Name", value: "Acme" },
      record: { values: { Name: "x" } },
      values: { Name: "Acme" },
    },
    {
      says: "a token keeps its type",
      config: { field: "size", value: "{{source.count}}" },
      record: { values: {}, source: { count: 5 } },
      values: { size: 5 },
    },
    {
      says: "only where it is empty",
      config: { field: "Name", value: "new", onlyIfEmpty: true },
      record: { values: { Name: "old" } },
      values: { Name: "old" },
    },
    {
      says: "nothing makes the field blank",
      config: { field: "Name" },
      record: { values: { Name: "x" } },
      values: { Name: null },
    },
    {
      says: "a value of the wrong type is left out with a warning",
      config: { field: "size", value: "{{previous.values.Name}}" },
      record: { values: { Name: "big", size: 1 } },
      values: { Name: "big", size: 1 },
      warns: "not_an_integer",
    },
    {
      says: "a list in a temporary variable",
      config: { target: "variable", variable: "countries", value: "se; no", multiValued: true },
      record: { values: {} },
      values: {},
      variables: { countries: ["se", "no"] },
    },
    {
      says: "text is split where the field takes several",
      config: { field: "tags", value: "{{source.country}}" },
      record: { values: {}, source: { country: "a; b" } },
      values: { tags: ["a", "b"] },
    },
    {
      says: "a list becomes one text where the field takes one",
      config: { field: "Name", value: "{{source.country}}" },
      record: { values: {}, source: { country: ["a", "b"] } },
      values: { Name: "a;b" },
    },
  ],
};
