/** Decision. */
import { compileCondition, conditionFaults } from "../condition.ts";
import { type FunctionDefinition, input } from "../define.ts";

const isAcme = {
  type: "condition",
  left: { kind: "field", field: "Name" },
  operator: "equals",
  right: [{ kind: "literal", value: "acme" }],
};

export const predicate: FunctionDefinition = {
  name: "predicate",
  label: "Decision",
  family: "flow",
  summary: "Sends each record along its true or its false edges.",
  levels: ["entity", "field"],
  sourceSideOnly: false,
  inputs: [
    input({
      name: "evaluatesToTrue",
      label: "Condition",
      datatype: "predicate",
      required: true,
      hideTokenPicker: true,
      helpText: "Records for which it holds leave by the true edges, all others by the false edges.",
    }),
  ],
  edgeTypes: ["true", "false"],
  output: null,
  check: (configuration, fields) => conditionFaults(configuration["evaluatesToTrue"], "evaluatesToTrue", fields),
  compile: (configuration, context) => {
    const condition = compileCondition(configuration["evaluatesToTrue"], context, "evaluatesToTrue");
    return (page, env) => {
      const holds = condition.at(env);
      return page.map((record) => (holds(record) ? "true" : "false"));
    };
  },
  examples: [
    {
      says: "where it holds, the true edge",
      config: { evaluatesToTrue: isAcme },
      record: { values: { Name: "ACME" } },
      route: "true",
    },
    {
      says: "where it does not, the false edge",
      config: { evaluatesToTrue: isAcme },
      record: { values: { Name: "Apex" } },
      route: "false",
    },
    {
      says: "a missing value does not equal",
      config: { evaluatesToTrue: isAcme },
      record: { values: {} },
      route: "false",
    },
    {
      says: "it may ask what will happen to the record",
      config: {
        evaluatesToTrue: { ...isAcme, operator: "isInsert", right: [] },
      },
      record: { values: { Name: "x" }, before: { Name: "x" } },
      route: "false",
    },
    {
      says: "it may compare with a token",
      config: {
        evaluatesToTrue: {
          type: "condition",
          left: { kind: "token", token: "source.country" },
          operator: "inList",
          right: [
            { kind: "literal", value: "SE" },
            { kind: "literal", value: "NO" },
          ],
        },
      },
      record: { values: {}, source: { country: "se" } },
      route: "true",
    },
  ],
};
