/** Lookup reference data. */
import { isBlank } from "@accord/expressions";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { requestingNode } from "../kinds/data-request-function.ts";
import { type FunctionDefinition, input, schemaIssues } from "../define.ts";
import { compileInput } from "../kinds/value-function.ts";

const Config = z.looseObject({
  dataset: z.string({ error: "Choose reference data." }).min(1, "Choose reference data."),
  matchColumn: z.string({ error: "Name a column." }).min(1, "Name a column."),
  returnColumn: z.string().default(""),
  default: z.any().default(null),
  caseSensitive: z.boolean().default(false),
});
const COLUMN_INPUT = {
  datatype: "picklist",
  renderType: "referenceColumn",
  hideTokenPicker: true,
  dependsOn: { dependantField: "dataset", dependantType: "referenceColumns" },
};
const config = { dataset: "countries", matchColumn: "name", returnColumn: "code" };

export const lookupReferenceData: FunctionDefinition = {
  name: "lookupReferenceData",
  label: "Lookup reference data",
  family: "lookup",
  summary: "Finds a value in a column of reference data and gives another column of the same row.",
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
      name: "dataset",
      label: "Reference data",
      datatype: "picklist",
      renderType: "referenceData",
      required: true,
      hideTokenPicker: true,
    }),
    input({ ...COLUMN_INPUT, name: "matchColumn", label: "Find in column", required: true }),
    input({
      ...COLUMN_INPUT,
      name: "returnColumn",
      label: "Give column",
      allowClear: true,
      helpText: "Empty: the whole row.",
    }),
    input({ name: "default", label: "When none is found", datatype: "text", allowUserToken: true }),
    input({ name: "caseSensitive", label: "Match case", datatype: "boolean", defaultValue: false }),
  ],
  edgeTypes: null,
  output: "object",
  check: (configuration) => schemaIssues(Config, configuration, () => false),
  compile: (configuration, context) => {
    const settings = Config.parse(configuration);
    const read = compileInput(configuration["value"], context, "value");
    const otherwise = compileInput(settings.default, context, "default");
    const fallback = new WeakMap<object, Value>();
    return requestingNode(context, {
      dataRequest: (record, env) => {
        fallback.set(record, otherwise(record, env));
        const value = read(record, env);
        if (isBlank(value)) return null;
        const { dataset, matchColumn: column, caseSensitive } = settings;
        return { kind: "referenceData", dataset, column, value, caseSensitive, limit: 1 };
      },
      result: ([row], record) => {
        const found = row && (settings.returnColumn === "" ? { ...row } : row[settings.returnColumn]);
        return isBlank(found) ? (fallback.get(record) ?? null) : (found ?? null);
      },
      otherwise: (record) => fallback.get(record) ?? null,
    });
  },
  examples: [
    {
      says: "another column of the row",
      config,
      in: "Norway",
      requests: [
        {
          kind: "referenceData",
          dataset: "countries",
          column: "name",
          value: "Norway",
          caseSensitive: false,
          limit: 1,
        },
      ],
      answers: [{ ok: true, found: [{ name: "Norway", code: "NO" }] }],
      out: "NO",
    },
    {
      says: "the whole row",
      config: { dataset: "countries", matchColumn: "code" },
      in: "no",
      answers: [{ ok: true, found: [{ name: "Norway", code: "NO" }] }],
      out: { name: "Norway", code: "NO" },
    },
    {
      says: "where none is found, the default",
      config: { ...config, default: "?" },
      in: "Nowhere",
      answers: [{ ok: true, found: [] }],
      out: "?",
    },
    { says: "blank asks nothing", config, in: null, requests: [], out: null },
    {
      says: "a number is looked up by its text",
      config,
      in: 47,
      answers: [{ ok: true, found: [{ name: "47", code: "NO" }] }],
      out: "NO",
    },
  ],
};
