/** Faults injected into how values become the core's: each bends some of them in the slightest. */
import { plainNumber, isExactNumber } from "@accord/contracts/data/exact-number";
import type { Value } from "@accord/contracts/data/values";
import { isBlank } from "@accord/expressions";
import { ConversionError, type Plan } from "@accord/sync-engine/run";
import type { NamedFaults, InjectedFault } from "./injected-fault.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { TypedValues } from "../systems/typed-values.ts";

const hasType =
  (...types: readonly TypedValues["type"][]) =>
  (scenario: Scenario): boolean =>
    scenario.types !== null && types.includes(scenario.types.type);

/** What sources bring is bent once it has been converted. */
const bends =
  (bend: (value: Value) => Value): NonNullable<InjectedFault["plan"]> =>
  (plan: Plan): Plan => ({
    ...plan,
    sources: plan.sources.map((source) => ({
      ...source,
      mappings: source.mappings.map((mapping) => ({
        ...mapping,
        convert: (value) => {
          const converted = mapping.convert(value);
          return converted instanceof ConversionError ? converted : bend(converted);
        },
      })),
    })),
  });

const rounded = (value: Value): Value => {
  if (typeof value === "string" && /^\d+\.\d{20}/.test(value)) return String(Number(value));
  if (isExactNumber(value)) return Number(plainNumber(value));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, rounded(item)]));
};

export const VALUE_FAULTS: NamedFaults = {
  blankItemsGone: {
    says: "Null and blank items of lists are left out.",
    shows: ({ types }) => types !== null,
    plan: bends((value) => (Array.isArray(value) ? value.filter((item) => !isBlank(item)) : value)),
  },
  emptyListIsNull: {
    says: "An empty list becomes null.",
    shows: ({ types }) => types !== null,
    plan: bends((value) => (Array.isArray(value) && value.length === 0 ? null : value)),
  },
  listsFlattened: {
    says: "Lists within lists become their items.",
    shows: ({ types }) => types !== null,
    plan: bends((value) => (Array.isArray(value) ? value.flat() : value)),
  },
  digitsCut: {
    says: "Decimals, and numbers in JSON, are rounded to what a floating point number holds.",
    shows: hasType("decimal", "object"),
    plan: bends(rounded),
  },
  microsecondsCut: {
    says: "Moments lose what they have beyond milliseconds.",
    shows: hasType("moment"),
    plan: bends((value) => (typeof value === "string" ? value.replace(/(?<=\.\d{3})\d{3}Z$/, "Z") : value)),
  },
};
