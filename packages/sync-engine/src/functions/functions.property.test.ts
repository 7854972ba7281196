/** Whatever is put into a function: what its check accepts runs, and leaves a result that can be kept or a reason. */
import type { Value } from "@accord/contracts/data/values";
import { isStorableText } from "@accord/expressions";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MOST_CHARACTERS } from "./bounds.ts";
import type { FunctionDefinition } from "./define.ts";
import { newFlowRecord, setBranch, setResult } from "./flow.ts";
import { CONTEXT, FIELDS, NOW, PREVIOUS_SLOT, SWITCH_SLOT } from "./functions.fixtures.ts";
import { FUNCTIONS } from "./registry.ts";

const RUNS = { numRuns: 40, seed: 5 };

const hostile = fc.constantFrom<Value>(
  null,
  "",
  " ",
  "-0",
  -0,
  1.5,
  1e308,
  5e-324,
  "1e-390",
  "1e400",
  "NaN",
  "9".repeat(400),
  2 ** 53,
  true,
  [],
  [null],
  ["a", [1, [2]], null],
  {},
  { a: [1] },
  JSON.parse('{"__proto__":{"x":1}}'),
  "İstanbul ßΣ",
  "e\u0301",
  "👩‍👩‍👧",
  "a;b; ;c",
  "x".repeat(20_000),
  "<".repeat(5_000),
  "@".repeat(5_000),
  "9999-12-31",
  "0001-01-01T00:00:00.000Z",
  "2024-03-31 02:30",
  1709164800000,
  "[".repeat(2_000),
  '{"a":[1],"b":"\\u0000"}',
  "%00",
  "AA==",
  "$1",
  "\\",
  "(((",
  ".".repeat(300),
  "(a{30}){30}",
  "#".repeat(3_000) + "a#",
  "toString",
  "__proto__",
  "Europe/Berlin",
  "+05:30",
  "{{previous.values.Name}}",
  "{{source.country}}{{source.country}}",
  "{{previousValue}}",
);
const anything = fc.oneof({ weight: 3, arbitrary: hostile }, fc.string(), fc.jsonValue() as fc.Arbitrary<Value>);

/** Settings of one of its examples, some of them replaced by anything, or by one of the choices. */
function settingsOf({ inputs, examples }: FunctionDefinition): fc.Arbitrary<Record<string, unknown>> {
  const replaced = inputs.map(({ name, values }) => {
    const choices = values ? [fc.constantFrom(...values.map(({ id }) => id))] : [];
    return [name, fc.option(fc.oneof(...choices, fc.integer(), fc.boolean(), anything), { nil: undefined })] as const;
  });
  return fc
    .tuple(fc.constantFrom({}, ...examples.map(({ config }) => config)), fc.record(Object.fromEntries(replaced)))
    .map(([base, changes]) => ({
      ...base,
      ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
    }));
}

const canBeKept = (value: Value | undefined): boolean => {
  if (typeof value === "string") return value.length <= MOST_CHARACTERS && isStorableText(value);
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(canBeKept);
};

const names = fc.record({ Name: anything, size: anything, due: anything, tags: anything });

for (const definition of FUNCTIONS)
  describe(definition.name, () => {
    test("takes whatever comes", () => {
      fc.assert(
        fc.property(settingsOf(definition), anything, names, anything, (config, value, values, country) => {
          for (const { reason } of definition.check(config, FIELDS)) expect(reason).toMatch(/[.!?]$/);
          if (definition.check(config, FIELDS).length > 0 || namesUnknown(config)) return;
          const node = definition.compile(config, { ...CONTEXT, nodeId: "node", slot: 0 });
          const record = newFlowRecord({ values, source: { externalId: "1", values: { country, count: value } } });
          setBranch(record, SWITCH_SLOT, "A");
          setResult(record, PREVIOUS_SLOT, value);
          const env = { now: NOW, random: () => 0.5 };
          node.asks?.([record], env);
          node([record], { ...env, answers: [[]] });
          if (record.failure) expect(record.failure.message).toMatch(/.[.!?”]$/);
          expect(canBeKept(record.results[0]) || !canBeKept(value) || !canBeKept(country), "can be kept").toBe(true);
        }),
        RUNS,
      );
    });
  });

/** Predicates of random settings may name tokens that the graph's own check would refuse. */
const namesUnknown = (config: Record<string, unknown>): boolean => /"token":/.test(JSON.stringify(config));
