/** Every function keeps the promises of its examples, and the registry lists every function there is. */
import type { Values } from "@accord/contracts/data/values";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FUNCTION_FAMILIES } from "@accord/contracts/sync/palette";
import type { FunctionDefinition, FunctionExample } from "./define.ts";
import { CONTEXT, FIELDS, NOW, PREVIOUS_SLOT, SWITCH_SLOT } from "./functions.fixtures.ts";
import { newFlowRecord, setBranch, setResult } from "./flow.ts";
import { FUNCTIONS, functionByName } from "./registry.ts";

function runExample(definition: FunctionDefinition, example: FunctionExample) {
  const run = definition.compile(example.config, { ...CONTEXT, nodeId: "node", slot: 0 });
  const { values = {}, before, change, source } = example.record ?? {};
  const record = newFlowRecord({
    values,
    before: before ?? null,
    source: source ? { externalId: "1", values: source } : null,
    ...(change ? { change } : {}),
  });
  setBranch(record, SWITCH_SLOT, "A");
  if (example.in !== undefined) setResult(record, PREVIOUS_SLOT, example.in);
  const untouched = structuredClone(values);
  const env = { now: NOW, random: () => 0.5 };
  const asked = run.requests?.([record], env)[0] ?? [];
  if (example.requests) expect(asked).toEqual(example.requests);
  expect(record.warnings, "asking leaves no mark on the record").toEqual([]);
  const routes = run([record], { ...env, ...(example.answers ? { answers: [example.answers] } : {}) });
  expect(values, "the record's first values are not changed in place").toEqual(untouched);
  return { record, route: routes === "default" ? "default" : routes[0] };
}

const plain = (values: Values): Values => ({ ...values });

for (const definition of FUNCTIONS) {
  describe(definition.name, () => {
    for (const example of definition.examples) {
      test(example.says, () => {
        const { record, route } = runExample(definition, example);
        expect(record.failure?.code).toBe(example.fails);
        expect(record.warnings.map((warning) => warning.code)).toEqual(example.warns ? [example.warns] : []);
        if (example.out !== undefined) expect(record.results[0]).toEqual(example.out);
        if (example.route !== undefined) expect(route).toBe(example.route);
        if (example.values) expect(plain(record.values)).toEqual(example.values);
        if (example.variables) expect(plain(record.variables)).toEqual(example.variables);
      });
    }

    test("its examples' configurations are accepted by its own check", () => {
      for (const { config, fails } of definition.examples)
        if (!fails) expect(definition.check(config, FIELDS)).toEqual([]);
    });
  });
}

describe("the registry", () => {
  test("[SYN-059] lists every function of its folders, the special ones among them", () => {
    const listed = readdirSync(new URL(".", import.meta.url), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !["kinds", "tokens", "values"].includes(entry.name))
      .flatMap(({ name }) =>
        readdirSync(new URL(name, import.meta.url), { recursive: true, encoding: "utf8" })
          .filter((file) => file.endsWith(".ts"))
          .map((file) => `${name}/${file}`),
      );
    expect(FUNCTIONS).toHaveLength(listed.length);
    for (const family of FUNCTION_FAMILIES)
      expect(FUNCTIONS.filter((one) => one.family === family).length, family).toBe(
        listed.filter((file) => file.startsWith(`${family}/`)).length,
      );
    for (const name of ["predicate", "case", "caseBranch", "filter"]) expect(functionByName(name)?.name).toBe(name);
  });

  test("each has words, at least three examples and a name of its own", () => {
    expect(new Set(FUNCTIONS.map((one) => one.name)).size).toBe(FUNCTIONS.length);
    expect(new Set(FUNCTIONS.map((one) => one.label)).size).toBe(FUNCTIONS.length);
    for (const one of FUNCTIONS) {
      expect(one.summary, one.name).toMatch(/^[A-Z].*\.$/);
      expect(FUNCTION_FAMILIES).toContain(one.family);
      expect(one.examples.length, one.name).toBeGreaterThanOrEqual(3);
      for (const { label } of one.inputs) expect(label, one.name).not.toBe("");
    }
  });

  test("each that makes a value of a value shows what it does with a blank, a list, and what is not of its type", () => {
    for (const { name, family, inputs, examples } of FUNCTIONS) {
      const isOfAValue = inputs.some((one) => one.name === "value");
      if (!isOfAValue || ["record", "enrich", "lookup"].includes(family)) continue;
      const given = examples.map(({ in: value }) => value).filter((value) => value !== undefined);
      if (given.length === 0) continue;
      expect(given.includes(null), `${name}: a blank`).toBe(true);
      const types = new Set(
        given.filter((value) => value !== null).map((one) => (Array.isArray(one) ? "list" : typeof one)),
      );
      expect(types.has("list"), `${name}: a list`).toBe(true);
      const failing = examples.some(({ fails, warns }) => fails !== undefined || warns !== undefined);
      const enough = family === "list" ? 2 : 3;
      expect(failing || types.size >= enough, `${name}: another type`).toBe(true);
    }
  });
});
