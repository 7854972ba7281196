/** Decision. */
import { askingConditions } from "../kinds/condition-requests.ts";
import { compileCondition, conditionIssues } from "../kinds/condition.ts";
import { type FunctionDefinition, input } from "../define.ts";

const isAcme = {
  type: "condition",
  left: { kind: "field", field: "Name" },
  operator: "equals",
  right: [{ kind: "literal", value: "acme" }],
};

const isFreeMail = {
  ...isAcme,
  operator: "inReferenceData",
  right: [
    { kind: "literal", value: "free" },
    { kind: "literal", value: "domain" },
  ],
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
  check: (configuration, fields) => conditionIssues(configuration["evaluatesToTrue"], "evaluatesToTrue", fields),
  compile: (configuration, context) => {
    const condition = compileCondition(configuration["evaluatesToTrue"], context, "evaluatesToTrue");
    return askingConditions(context.nodeId, [condition], (page, env, known) => {
      const holds = condition.at(env, known);
      return page.map((record) => (holds(record) ? "true" : "false"));
    });
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
      says: "it may look into reference data",
      config: { evaluatesToTrue: isFreeMail },
      record: { values: { Name: "Gmail.com" } },
      requests: [
        {
          kind: "referenceData",
          dataset: "free",
          column: "domain",
          value: "gmail.com",
          caseSensitive: false,
          limit: 1,
        },
      ],
      answers: [{ ok: true, found: [{ domain: "gmail.com" }] }],
      route: "true",
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
    {
      says: "a list does not equal a text",
      config: { evaluatesToTrue: isAcme },
      record: { values: { Name: ["acme", "apex"] } },
      route: "false",
    },
  ],
};
