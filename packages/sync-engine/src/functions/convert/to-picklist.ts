/** To picklist. */
import type { Value } from "@accord/contracts/data/values";
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import { foldText, textOf } from "@accord/expressions";
import { z } from "zod";
import { CompileError, type FunctionDefinition, input, schemaIssues } from "../define.ts";
import { addWarning, setResult } from "../flow.ts";
import { itemsOf } from "../values/read.ts";
import { compileInput } from "../kinds/value-function.ts";

const Config = z.looseObject({
  field: z.string({ error: nodeSettings.chooseField }).min(1, nodeSettings.chooseField),
  otherwise: z.enum(["keep", "blank", "fail"]).default("keep"),
});

export const toPicklist: FunctionDefinition = {
  name: "toPicklist",
  label: "To picklist",
  family: "convert",
  summary: "Finds the option of a picklist field by its id, then by its label, without regard to case.",
  levels: ["entity", "field"],
  sourceSideOnly: false,
  inputs: [
    input({
      name: "value",
      label: "Value",
      datatype: "text",
      allowUserToken: true,
      helpText: "Text and tokens. Leave it empty to use the result of the step before.",
    }),
    input({
      name: "field",
      label: "Options of",
      datatype: "picklist",
      renderType: "coreField",
      required: true,
      hideTokenPicker: true,
    }),
    input({
      name: "otherwise",
      label: "Other values",
      datatype: "picklist",
      defaultValue: "keep",
      values: [
        { id: "keep", label: "Keep as they are, with a warning" },
        { id: "blank", label: "Become blank" },
        { id: "fail", label: "Stop the record with an error" },
      ],
    }),
  ],
  edgeTypes: null,
  output: "picklist",
  check: (configuration, fields) => {
    const faults = schemaIssues(Config, configuration, () => false);
    const name = configuration["field"];
    if (faults.length > 0 || fields.some((field) => field.apiName === name)) return faults;
    return [{ input: "field", reason: fill(nodeSettings.noSuchFieldToChoose, { field: String(name) }) }];
  },
  compile: (configuration, context) => {
    const config = Config.parse(configuration);
    const field = context.coreFields.get(config.field);
    if (!field)
      throw new CompileError(context.nodeId, [
        { input: "field", reason: fill(nodeSettings.noSuchField, { field: config.field }) },
      ]);
    // Ids win over labels, and the first of two equal labels over the second.
    const options = new Map<string, string>();
    for (const { id } of field.picklist ?? []) options.set(foldText(id), id);
    for (const { id, label } of field.picklist ?? [])
      if (!options.has(foldText(label))) options.set(foldText(label), id);
    const read = compileInput(configuration["value"], context, "value");
    const { nodeId, slot } = context;
    const messageOf = (item: Value): string =>
      fill(nodeFailures.notAnOption, { value: textOf(item).slice(0, 60), field: field.displayName });
    return (page, env) => {
      for (const record of page) {
        if (record.failure) continue;
        const value = read(record, env);
        const found = itemsOf(value).map(
          (item) => options.get(foldText(textOf(item).trim())) ?? (config.otherwise === "keep" ? textOf(item) : null),
        );
        const strange = itemsOf(value).find((item) => !options.has(foldText(textOf(item).trim())));
        if (strange !== undefined && config.otherwise === "fail")
          record.failure = { nodeId, code: "not_an_option", message: messageOf(strange) };
        else {
          if (strange !== undefined && config.otherwise === "keep")
            addWarning(record, { nodeId, code: "option_unknown", message: messageOf(strange) });
          setResult(record, slot, Array.isArray(value) ? found.filter((item) => item !== null) : (found[0] ?? null));
        }
      }
      return "default";
    };
  },
  examples: [
    { says: "by its label", config: { field: "stage" }, in: "CLOSED won", out: "won" },
    { says: "by its id", config: { field: "stage" }, in: "Won", out: "won" },
    {
      says: "others are kept with a warning",
      config: { field: "stage" },
      in: "new",
      out: "new",
      warns: "option_unknown",
    },
    { says: "or stop the record", config: { field: "stage", otherwise: "fail" }, in: "new", fails: "not_an_option" },
    { says: "null stays null", config: { field: "stage" }, in: null, out: null },
    {
      says: "a list is worked on item by item",
      config: { field: "stage", otherwise: "blank" },
      in: ["Open", "x"],
      out: ["open"],
    },
  ],
};
