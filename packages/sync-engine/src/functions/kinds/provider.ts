/** Functions answered by a service outside: each is off, with a clear message, until somebody configures its provider. */
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank, textOf } from "@accord/expressions";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { z } from "zod";
import { requestingNode } from "./data-request-function.ts";
import { type FunctionDefinition, type FunctionExample, input, schemaIssues } from "../define.ts";
import type { ProviderService } from "../data-requests.ts";
import { compileInput } from "./value-function.ts";

export function defineServiceFunction<Config>(spec: {
  name: ProviderService;
  label: string;
  summary: string;
  valueLabel: string;
  inputs?: readonly z.input<typeof InputDefinition>[];
  config: z.ZodType<Config>;
  output: string;
  /** What the service is told beside the value. */
  settings: (config: Config) => Values;
  result: (found: Values) => Value;
  examples: readonly FunctionExample[];
}): FunctionDefinition {
  const inputs = [
    input({
      name: "value",
      label: spec.valueLabel,
      datatype: "text",
      allowUserToken: true,
      helpText: "Text and tokens. Leave it empty to use the result of the step before.",
    }),
    ...(spec.inputs ?? []).map(input),
  ];
  return {
    name: spec.name,
    label: spec.label,
    family: "enrich",
    summary: spec.summary,
    levels: ["entity", "field"],
    sourceSideOnly: false,
    inputs,
    edgeTypes: null,
    output: spec.output,
    check: (configuration) => schemaIssues(spec.config, configuration, () => false),
    compile: (configuration, context) => {
      const settings = spec.settings(spec.config.parse(configuration));
      const read = compileInput(configuration["value"], context, "value");
      return requestingNode(context, {
        dataRequest: (record, env) => {
          const value = read(record, env);
          if (isBlank(value)) return null;
          return { kind: "provider", service: spec.name, input: { ...settings, value: textOf(value) } };
        },
        result: ([found]) => (found ? spec.result(found) : null),
      });
    },
    examples: [
      ...spec.examples,
      { says: "blank asks nothing", config: spec.examples[0]?.config ?? {}, in: null, requests: [], out: null },
      {
        says: "until its provider is configured it stops the record",
        config: spec.examples[0]?.config ?? {},
        in: "x",
        answers: [{ ok: false, code: "not_configured", message: "This is not set up in this installation." }],
        fails: "not_configured",
      },
    ],
  };
}
