/** Whatever is put into a function: what its check accepts runs, and leaves a result that can be kept or a reason. */
import type { Value } from "@accord/contracts/data/values";
import { isStorableText } from "@accord/expressions";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anything, settingsOf } from "./fuzz-values.fixtures.ts";
import { MAX_CHARACTERS } from "./values/bounds.ts";
import { newFlowRecord, setBranch, setResult } from "./flow.ts";
import { CONTEXT, FIELDS, NOW, PREVIOUS_SLOT, SWITCH_SLOT } from "./functions.fixtures.ts";
import { FUNCTIONS } from "./registry.ts";

const RUNS = { numRuns: 40, seed: 5 };

const canBeKept = (value: Value | undefined): boolean => {
  if (typeof value === "string") return value.length <= MAX_CHARACTERS && isStorableText(value);
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
          node.requests?.([record], env);
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
