/** Copy fields. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { values as words } from "@accord/contracts/messages/en/values";
import { fill } from "@accord/contracts/messages/fill";
import { convertValue, isBlank, textOf } from "@accord/expressions";
import { z } from "zod";
import { conversionMessage } from "../kinds/conversion.ts";
import { type FunctionDefinition, input, schemaIssues } from "../define.ts";
import { fieldFaults } from "../kinds/field-setting.ts";
import { addWarning, setField } from "../flow.ts";
import { compileInput } from "../kinds/value-function.ts";

const Config = z.looseObject({
  pairs: z
    .array(z.object({ from: z.any(), to: z.string({ error: nodeSettings.fieldInEachRow }) }), nodeSettings.addRow)
    .min(1, nodeSettings.addRow)
    .max(300, fill(nodeSettings.rowsAtMost, { limit: 300 })),
  skipBlanks: z.boolean().default(false),
});

export const copyFields: FunctionDefinition = {
  name: "copyFields",
  label: "Copy fields",
  family: "record",
  summary: "Writes several values at once into fields of the record, as from a record that was looked up.",
  levels: ["entity"],
  sourceSideOnly: false,
  inputs: [
    input({
      name: "pairs",
      label: "Table",
      datatype: "composite",
      renderType: "fieldValues",
      repeatable: true,
      required: true,
      allowUserToken: true,
      helpText: "Each row: a text or token, and the field it is written into.",
    }),
    input({
      name: "skipBlanks",
      label: "Skip blanks",
      datatype: "boolean",
      defaultValue: false,
      helpText: "A blank leaves its field as it is.",
    }),
  ],
  edgeTypes: null,
  output: null,
  check: (configuration, fields) => {
    const faults = schemaIssues(Config, configuration, () => false);
    return faults.length > 0
      ? faults
      : Config.parse(configuration).pairs.flatMap(({ to }) => fieldFaults(to, fields, "pairs"));
  },
  compile: (configuration, context) => {
    const { pairs, skipBlanks } = Config.parse(configuration);
    const writes = pairs.flatMap(({ from, to }) => {
      const shape = context.coreFields.get(to);
      return shape ? [{ to, shape, read: compileInput(from ?? null, context, "pairs") }] : [];
    });
    const { nodeId, timeZone } = context;
    return (page, env) => {
      for (const record of page) {
        if (record.failure) continue;
        // All are read before the first is written, so that two fields can change places.
        const values = writes.map(({ read }) => read(record, env));
        for (const [index, { to, shape }] of writes.entries()) {
          const value = values[index] ?? null;
          if (skipBlanks && isBlank(value)) continue;
          const converted = convertValue(value, shape, { timeZone });
          if (converted.ok) setField(record, to, converted.value);
          const code = converted.ok ? converted.warning : converted.code;
          if (code === undefined) continue;
          const why = converted.ok
            ? fill(words.conversion[code], { value: textOf(value) })
            : conversionMessage(converted);
          addWarning(record, { nodeId, code, message: `${to}: ${why}` });
        }
      }
      return "default";
    };
  },
  examples: [
    {
      says: "texts and tokens, each into its field",
      config: {
        pairs: [
          { from: "{{source.country}}", to: "Name" },
          { from: "5", to: "size" },
        ],
      },
      record: { values: {}, source: { country: "NO" } },
      values: { Name: "NO", size: 5 },
    },
    {
      says: "two fields can change places",
      config: {
        pairs: [
          { from: "{{previous.values.Name}}", to: "stage" },
          { from: "{{previous.values.stage}}", to: "Name" },
        ],
      },
      record: { values: { Name: "open", stage: "won" } },
      values: { Name: "won", stage: "open" },
    },
    {
      says: "blanks may be skipped",
      config: { pairs: [{ from: "", to: "Name" }], skipBlanks: true },
      record: { values: { Name: "x" } },
      values: { Name: "x" },
    },
    {
      says: "a value that does not fit is left out with a warning",
      config: { pairs: [{ from: "many", to: "size" }] },
      record: { values: { size: 1 } },
      values: { size: 1 },
      warns: "not_an_integer",
    },
    {
      says: "a list fills a field that takes several",
      config: { pairs: [{ from: "{{source.country}}", to: "tags" }] },
      record: { values: {}, source: { country: ["a", "b"] } },
      values: { tags: ["a", "b"] },
    },
  ],
};
