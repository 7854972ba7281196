/** Finds the records in answers, and keeps those that a condition lets through. */
import { isExactNumber } from "@accord/contracts/data/exact-number";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { defineComponent, optional, Part, Text, type Component } from "../component.ts";
import type { Build } from "../model.ts";

export const EXTRACTORS: readonly Component<"extractor">[] = [
  defineComponent({
    type: "DpathExtractor",
    family: "extractor",
    options: { field_path: z.array(Text) },
    refuses: ["record_expander"],
    make({ field_path }, build) {
      const path = singleDeep(field_path, "DpathExtractor.field_path", build).map((step) => build.template(step));
      return {
        extract: (body) =>
          extract(
            body,
            path.map((step) => step.text()),
          ),
      };
    },
  }),
];

/** The list at a path, or its only record; `*` goes into each member, `**` into members of members. */
export function extract(body: Value, path: readonly string[]): Value[] {
  const found = path.reduce((values: Value[], step) => values.flatMap((value) => stepInto(value, step)), [body]);
  if (path.some((step) => step === "*" || step === "**"))
    return found.flatMap((value) => value).filter((record) => record !== null);
  // What is there but empty is no record.
  return found.flatMap((value) => (Array.isArray(value) ? value : isEmpty(value) ? [] : [value]));
}

const isEmpty = (value: Value): boolean =>
  value === null ||
  value === "" ||
  value === false ||
  value === 0 ||
  (typeof value === "object" && !Array.isArray(value) && !isExactNumber(value) && Object.keys(value).length === 0);

/** Several `**` in a path lead to the same values in very many ways; side by side they are one. */
export function singleDeep(path: readonly string[], what: string, build: Build): string[] {
  const steps = path.filter((step, index) => step !== "**" || path[index - 1] !== "**");
  if (steps.filter((step) => step === "**").length > 1) throw build.problem(`${what} may hold one ** only`);
  return steps;
}

function stepInto(value: Value, step: string): Value[] {
  if (value === null || typeof value !== "object" || isExactNumber(value)) return [];
  if (step === "*") return Array.isArray(value) ? value : Object.values(value);
  if (step === "**") return deep(value, 0);
  if (Array.isArray(value)) {
    const item = /^-?\d+$/.test(step) ? value.at(Number(step)) : undefined;
    return item === undefined ? [] : [item];
  }
  const member = Object.hasOwn(value, step) ? value[step] : undefined;
  return member === undefined ? [] : [member];
}

/** Deepest level that `**` reaches. */
const MAX_DEPTH = 20;

function deep(value: Value, depth: number): Value[] {
  if (value === null || typeof value !== "object" || isExactNumber(value) || depth > MAX_DEPTH) return [];
  return [value, ...Object.values(value).flatMap((inner) => deep(inner, depth + 1))];
}

export const RECORD_FILTERS: readonly Component<"recordFilter">[] = [
  defineComponent({
    type: "RecordFilter",
    family: "recordFilter",
    options: { condition: optional(Text) },
    make({ condition }, build) {
      const template = condition ? build.template(condition) : null;
      return { keeps: (record, facts) => template === null || template.isTrue({ ...facts, record }) };
    },
  }),
];

export const SELECTORS: readonly Component<"selector">[] = [
  defineComponent({
    type: "RecordSelector",
    family: "selector",
    options: {
      extractor: Part,
      record_filter: optional(Part),
      // Values are brought to their fields' types in any case.
      schema_normalization: optional(z.enum(["Default", "None"])),
      transform_before_filtering: optional(z.boolean()),
    },
    slots: { extractor: { type: "DpathExtractor" }, record_filter: { type: "RecordFilter" }, schema_normalization: {} },
    make({ extractor, record_filter, transform_before_filtering }, build) {
      const finder = build.make("extractor", extractor);
      const filter = record_filter ? build.make("recordFilter", record_filter) : null;
      return {
        extract: (bodies) => bodies.flatMap((body) => finder.extract(body)),
        keeps: (record, facts) => filter?.keeps(record, facts) ?? true,
        filtersTransformed: transform_before_filtering ?? false,
      };
    },
  }),
];
