/** Case: gives a value by the first case that holds; branches behind it follow the case. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import { Predicate } from "@accord/contracts/data/predicate";
import { DataType, Value } from "@accord/contracts/data/values";
import { convertValue } from "@accord/expressions";
import { z } from "zod";
import { ANY_CASE, OTHERWISE_PORT } from "../../graph/ports.ts";
import type { RunEnv } from "../run-env.ts";
import { askingConditions } from "../kinds/condition-requests.ts";
import { compileCondition, conditionIssues, hasBlankLeft } from "../kinds/condition.ts";
import { conversionMessage } from "../kinds/conversion.ts";
import {
  type FunctionDefinition,
  FunctionFailure,
  input,
  type InputIssue,
  type NodeContext,
  schemaIssues,
} from "../define.ts";
import { type FlowRecord, setBranch, setResult } from "../flow.ts";
import { compileText } from "../kinds/value-function.ts";

const CaseValue = {
  dataType: DataType.default("string"),
  multiValued: z.boolean().default(false),
  value: Value.default(null),
};
const Case = z.object({
  name: z.string().trim().min(1, nodeSettings.needsName).max(120),
  ...CaseValue,
  filters: Predicate,
  doNotMatchOnBlank: z.boolean().default(false),
});
const Config = z
  .object({
    cases: z
      .array(Case)
      .min(1, nodeSettings.atLeastOneCase)
      .max(100, fill(nodeSettings.casesAtMost, { limit: 100 })),
    default: z.object(CaseValue).default({ dataType: "string", multiValued: false, value: null }),
  })
  .check((context) => {
    const names = context.value.cases.map((one) => one.name.toLowerCase());
    const reserved = [OTHERWISE_PORT, ANY_CASE].map((name) => name.toLowerCase());
    for (const [index, name] of names.entries())
      if (names.indexOf(name) !== index || reserved.includes(name))
        context.issues.push({
          code: "custom",
          path: ["cases"],
          message: fill(nodeSettings.caseNameTaken, { name: context.value.cases[index]!.name }),
          input: context.value.cases,
        });
  });

type Settings = z.output<typeof Config>;
type Fill = (record: FlowRecord, env: RunEnv) => Value;

function check(
  configuration: Readonly<Record<string, unknown>>,
  fields: Parameters<FunctionDefinition["check"]>[1],
): InputIssue[] {
  const faults = schemaIssues(Config, configuration, () => false);
  if (faults.length > 0) return faults;
  return Config.parse(configuration).cases.flatMap((one) =>
    conditionIssues(one.filters, "cases", fields).map((fault) => ({
      ...fault,
      reason: `${one.name}: ${fault.reason}`,
    })),
  );
}

function compileValue(held: Settings["default"], context: NodeContext): Fill {
  const fill = typeof held.value === "string" ? compileText(held.value, context, "cases") : () => held.value;
  const shape = { dataType: held.dataType, isMultiValueField: held.multiValued };
  return (record, env) => {
    const converted = convertValue(fill(record, env), shape, { timeZone: context.timeZone });
    if (!converted.ok) throw new FunctionFailure(converted.code, conversionMessage(converted));
    return converted.value;
  };
}

const startsWithA = {
  type: "condition",
  left: { kind: "field", field: "Name" },
  operator: "startsWith",
  right: [{ kind: "literal", value: "a" }],
};
const isNotAcme = { ...startsWithA, operator: "notEquals", right: [{ kind: "literal", value: "acme" }] };
const EXAMPLE = {
  cases: [
    { name: "First half", dataType: "integer", value: "1", filters: startsWithA },
    {
      name: "Others",
      dataType: "string",
      value: "{{previous.values.Name}}!",
      filters: isNotAcme,
      doNotMatchOnBlank: true,
    },
  ],
  default: { value: "none" },
};

export const caseFunction: FunctionDefinition = {
  name: "case",
  label: "Case",
  family: "flow",
  summary: "Gives the value of the first case that holds; edges may follow the case.",
  levels: ["entity", "field"],
  sourceSideOnly: false,
  inputs: [
    input({
      name: "cases",
      label: "Cases",
      datatype: "case",
      repeatable: true,
      required: true,
      hideTokenPicker: true,
      helpText: "Tried in order; the first that holds gives the value, the rest are skipped.",
    }),
    input({
      name: "default",
      label: "Default",
      datatype: "case",
      hideTokenPicker: true,
      helpText: "The value when no case holds.",
    }),
  ],
  edgeTypes: null,
  output: "string",
  check,
  compile: (configuration, context) => {
    const config = Config.parse(configuration);
    const cases = config.cases.map((one) => ({
      name: one.name,
      value: compileValue(one, context),
      condition: compileCondition(one.filters, context, "cases"),
      isBlank: one.doNotMatchOnBlank ? hasBlankLeft(one.filters, context) : () => false,
    }));
    const otherwise = { name: OTHERWISE_PORT, value: compileValue(config.default, context) };
    const conditions = cases.map((one) => one.condition);
    const isBranched = [...context.switches.values()].includes(context.slot);
    return askingConditions(context.nodeId, conditions, (page, env, known) => {
      const tests = conditions.map((condition) => condition.at(env, known));
      return page.map((record) => {
        if (record.failure) return null;
        const chosen = cases.find((one, index) => !one.isBlank(record, env) && tests[index]!(record)) ?? otherwise;
        try {
          setResult(record, context.slot, chosen.value(record, env));
        } catch (problem) {
          if (!(problem instanceof FunctionFailure)) throw problem;
          record.failure = { nodeId: context.nodeId, code: problem.code, message: problem.message };
        }
        if (isBranched) setBranch(record, context.slot, chosen.name);
        return chosen.name;
      });
    });
  },
  examples: [
    {
      says: "the first case that holds gives the value",
      config: EXAMPLE,
      record: { values: { Name: "Acme" } },
      out: 1,
      route: "First half",
    },
    {
      says: "values may hold tokens",
      config: EXAMPLE,
      record: { values: { Name: "Zoo" } },
      out: "Zoo!",
      route: "Others",
    },
    {
      says: "a blank may be kept from matching",
      config: EXAMPLE,
      record: { values: { Name: null } },
      out: "none",
      route: "Default",
    },
    {
      says: "a value that is not of the case's type stops the record",
      config: { cases: [{ name: "A", dataType: "integer", value: "x", filters: startsWithA }] },
      record: { values: { Name: "a" } },
      fails: "not_an_integer",
    },
    {
      says: "a list that holds nothing is a blank",
      config: {
        cases: [{ name: "A", value: "a", filters: startsWithA, doNotMatchOnBlank: true }],
        default: { value: "none" },
      },
      record: { values: { Name: [] } },
      out: "none",
    },
  ],
};
