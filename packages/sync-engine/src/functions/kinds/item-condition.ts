/** The condition on an item of a list, or on a member of it. */
import type { Value } from "@accord/contracts/data/values";
import { isBlank, kindOfValues, textOf, valueTest } from "@accord/expressions";
import { z } from "zod";
import { anySetting, regexFault } from "./settings.ts";
import { pathSetting, valueAt } from "../tokens/value-path.ts";
import type { ValueEnv } from "./value-function.ts";

const OPERATORS = [
  "isNotBlank",
  "isBlank",
  "equals",
  "notEquals",
  "contains",
  "notContains",
  "startsWith",
  "endsWith",
  "matchesRegex",
  "less",
  "lessOrEqual",
  "greater",
  "greaterOrEqual",
] as const;
const WORDS: Readonly<Record<(typeof OPERATORS)[number], string>> = {
  isNotBlank: "is not blank",
  isBlank: "is blank",
  equals: "equals",
  notEquals: "does not equal",
  contains: "contains",
  notContains: "does not contain",
  startsWith: "starts with",
  endsWith: "ends with",
  matchesRegex: "matches pattern",
  less: "is less than",
  lessOrEqual: "is at most",
  greater: "is greater than",
  greaterOrEqual: "is at least",
};

export const ITEM_INPUTS = [
  {
    name: "path",
    label: "Member",
    datatype: "string",
    hideTokenPicker: true,
    helpText: "For lists of objects: which member is tested, such as address.city. Empty tests the item itself.",
  },
  {
    name: "operator",
    label: "Condition",
    datatype: "picklist",
    defaultValue: "isNotBlank",
    values: OPERATORS.map((id) => ({ id, label: WORDS[id] })),
  },
  {
    name: "compare",
    label: "Compare with",
    datatype: "text",
    allowUserToken: true,
    visibilityDependsOnFieldValue: { field: "operator", pattern: "^(?!is)" },
  },
];

export const ItemCondition = z
  .object({
    path: pathSetting.optional(),
    operator: z.enum(OPERATORS).default("isNotBlank"),
    compare: anySetting,
  })
  .check((context) => {
    const { operator, compare } = context.value;
    if (operator !== "matchesRegex") return;
    const fault = regexFault(textOf(compare));
    if (fault !== null) context.issues.push({ code: "custom", path: ["compare"], message: fault, input: compare });
  });

const POSITIVE: Partial<Readonly<Record<(typeof OPERATORS)[number], (typeof OPERATORS)[number]>>> = {
  notEquals: "equals",
  notContains: "contains",
  isNotBlank: "isBlank",
};

/** The test of an item, for a page's moment and zone. */
export function itemTest(config: z.output<typeof ItemCondition>): (env: ValueEnv) => (item: Value) => boolean {
  const { path, operator } = config;
  const right = [config.compare];
  const read = path ? (item: Value) => valueAt(item, path) : (item: Value) => item;
  const positive = POSITIVE[operator] ?? operator;
  const wanted = positive === operator;
  return (env) => (item) => {
    const value = read(item);
    if (positive === "isBlank") return isBlank(value) === wanted;
    return valueTest(positive, kindOfValues(positive, value, right), right, env.timeZone, env.now)(value) === wanted;
  };
}
