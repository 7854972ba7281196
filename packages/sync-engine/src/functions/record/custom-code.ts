/** Custom code. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import { convertValue } from "@accord/expressions";
import type { Values } from "@accord/contracts/data/values";
import { z } from "zod";
import { requestingNode } from "../kinds/data-request-function.ts";
import { conversionMessage } from "../kinds/conversion.ts";
import { type FunctionDefinition, FunctionFailure, input, schemaIssues } from "../define.ts";
import { addWarning, setField } from "../flow.ts";
import { wholeSetting } from "../kinds/settings.ts";

const Config = z.looseObject({
  script: z
    .string({ error: "Write the code." })
    .min(1, "Write the code.")
    .max(50_000, fill(nodeSettings.charactersAtMost, { limit: "50,000" })),
  timeout: wholeSetting(1, 10).default(10),
});
const SCRIPT = "function run(record) {\n  return { Name: record.Name.toUpperCase() };\n}";
const config = { script: SCRIPT };

export const customCode: FunctionDefinition = {
  name: "customCode",
  label: "Custom code",
  family: "record",
  summary: "Runs JavaScript of your own on the record, in a sandbox without files, network or clock.",
  levels: ["entity"],
  sourceSideOnly: false,
  inputs: [
    input({
      name: "script",
      label: "Code",
      datatype: "textarea",
      renderType: "code",
      required: true,
      hideTokenPicker: true,
      helpText:
        "JavaScript: run(record) gets the fields by their api names and returns an object of those to write; {} writes none. Texts, true and false and whole numbers are themselves. Decimals, and whole numbers beyond 9007199254740991, are texts, so that no digit is lost: Number(record.Price) makes a number of one. Dates are texts like 2026-01-31, moments like 2026-01-31T10:20:00.000Z; choices are ids, several values are lists, empty is null. new Date() is the time of the cycle.",
    }),
    input({ name: "timeout", label: "Seconds at most", datatype: "integer", defaultValue: 10, hideTokenPicker: true }),
  ],
  edgeTypes: null,
  output: null,
  check: (configuration) => schemaIssues(Config, configuration, () => false),
  compile: (configuration, context) => {
    const { script, timeout } = Config.parse(configuration);
    return requestingNode(context, {
      dataRequest: (record, { now }) => ({
        ...{ kind: "code", entry: "run", script, timeoutMs: timeout * 1000, now },
        args: [record.values],
      }),
      result: ([values]) => {
        if (!values) throw new FunctionFailure("code_gave_nothing", nodeFailures.codeGaveNothing);
        return { ...values };
      },
      keep: (record, result) => {
        for (const [field, value] of Object.entries(result as Values)) {
          const shape = context.coreFields.get(field);
          const converted = shape && convertValue(value, shape, { timeZone: context.timeZone });
          if (converted?.ok) setField(record, field, converted.value);
          else {
            const message = converted
              ? `${field}: ${conversionMessage(converted)}`
              : fill(nodeFailures.noSuchField, { field });
            addWarning(record, { nodeId: context.nodeId, code: converted?.code ?? "field_unknown", message });
          }
        }
      },
    });
  },
  examples: [
    {
      says: "what the code gives is written",
      config,
      record: { values: { Name: "acme", size: 1 } },
      answers: [{ ok: true, found: [{ Name: "ACME" }] }],
      values: { Name: "ACME", size: 1 },
    },
    {
      says: "what fits no field is left out with a warning",
      config: { script: "function run() {\n  return { size: 'many' };\n}" },
      record: { values: { size: 1 } },
      answers: [{ ok: true, found: [{ size: "many" }] }],
      values: { size: 1 },
      warns: "not_an_integer",
    },
    {
      says: "an error of the code stops the record",
      config,
      record: { values: {} },
      answers: [
        {
          ...{ ok: false, code: "code_failed" },
          message: "Line 2: “TypeError: cannot read property 'toUpperCase' of undefined”",
        },
      ],
      fails: "code_failed",
    },
    {
      says: "code that returns nothing stops the record: {} writes nothing",
      config: { script: "function run() {}" },
      record: { values: {} },
      answers: [{ ok: true, found: [] }],
      fails: "code_gave_nothing",
    },
  ],
};
