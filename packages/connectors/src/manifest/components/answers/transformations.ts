/** Changes to records before they are handed on: fields added, removed and renamed. */
import { isExactNumber } from "@accord/contracts/data/exact-number";
import type { Value, Values } from "@accord/contracts/data/values";
import { z } from "zod";
import { defineComponent, optional, Parts, Text, type Component } from "../component.ts";
import { singleDeep } from "./selection.ts";
import type { BoundTemplate, Facts, Transformation } from "../model.ts";

export const ADDED_FIELDS: readonly Component<"addedField">[] = [
  defineComponent({
    type: "AddedFieldDefinition",
    family: "addedField",
    options: {
      path: z.array(Text).min(1),
      value: z.union([z.string(), z.number(), z.boolean()]).transform(String),
      value_type: optional(z.enum(["string", "number", "integer", "boolean"])),
    },
    make: ({ path, value, value_type }, build) => ({
      path,
      value: build.template(value),
      valueType: value_type ?? null,
    }),
  }),
];

const isTyped: Readonly<Record<string, (value: Value) => boolean>> = {
  number: (value) => typeof value === "number",
  integer: (value) => typeof value === "number" && Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
};

/** The literal where it is of the wanted type, else the text. */
function valueOf(template: BoundTemplate, facts: Facts, type: string | null): Value {
  if (type === "string") return template.text(facts) || null;
  const value = template.value(facts);
  return type === null || value === null || (isTyped[type]?.(value) ?? true) ? value : template.text(facts);
}

const isObject = (value: Value | undefined): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);

const hasParts = (value: Value): boolean => typeof value === "object" && value !== null && !isExactNumber(value);

/** A copy with a value at a path; what is in its way is replaced. */
function withValue(record: Values, [name, ...rest]: readonly string[], value: Value): Values {
  if (name === undefined) return record;
  const inner = Object.hasOwn(record, name) ? record[name] : undefined;
  return { ...record, [name]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value) };
}

/** Deepest level that `**` reaches. */
const MAX_DEPTH = 100;

/**
 * A copy without what a path leads to and the test lets go; `*` stands for every member, `**` for members at any depth.
 */
function without(value: Value, path: readonly string[], isGone: (found: Value) => boolean, depth = 0): Value {
  const [step, ...rest] = path;
  if (step === undefined || value === null || typeof value !== "object" || isExactNumber(value)) return value;
  if (step === "**") {
    const here = without(value, rest.length === 0 ? ["*"] : rest, isGone);
    const go = (item: Value): Value => (depth > MAX_DEPTH ? item : without(item, path, isGone, depth + 1));
    if (Array.isArray(here)) return here.map(go);
    if (!isObject(here)) return here;
    return Object.fromEntries(Object.entries(here).map(([key, item]) => [key, go(item)]));
  }
  /** Nothing, or what is left of a member. */
  const left = (key: string, item: Value): [Value] | [] => {
    if (step !== "*" && step !== key) return [item];
    if (rest.length > 0) return [without(item, rest, isGone)];
    return isGone(item) ? [] : [item];
  };
  if (Array.isArray(value)) return value.flatMap((item, index) => left(String(index), item));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => left(key, item).map((one): [string, Value] => [key, one])),
  );
}

type Rename = (key: string) => string;

function renamed(value: Value, rename: Rename): Value {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [rename(key), renamed(item, rename)]));
}

const snakeCase: Rename = (key) =>
  key
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .replace(/[^A-Za-z\d]+/g, "_")
    .toLowerCase();

const renaming = (rename: Rename): Transformation => ({
  apply(record) {
    const made = renamed(record, rename);
    return isObject(made) ? made : record;
  },
});

export const TRANSFORMATIONS: readonly Component<"transformation">[] = [
  defineComponent({
    type: "AddFields",
    family: "transformation",
    options: { fields: Parts, condition: optional(Text) },
    slots: { fields: { type: "AddedFieldDefinition" } },
    make({ fields, condition }, build) {
      const added = fields.map((node) => build.make("addedField", node));
      const test = condition ? build.template(condition) : null;
      return {
        apply(record, facts) {
          let made = record;
          for (const { path, value, valueType } of added) {
            const seen = { ...facts, record: made };
            if (test === null || test.isTrue(seen)) made = withValue(made, path, valueOf(value, seen, valueType));
          }
          return made;
        },
      };
    },
  }),
  defineComponent({
    type: "RemoveFields",
    family: "transformation",
    options: { field_pointers: z.array(z.array(Text)), condition: optional(Text) },
    make({ field_pointers, condition }, build) {
      const test = condition ? build.template(condition) : null;
      const paths = field_pointers.map((path) => singleDeep(path, "RemoveFields.field_pointers", build));
      // The condition is about the value that is found, not about its record; what has parts is never asked about.
      const isGone = (property: Value): boolean => test === null || (!hasParts(property) && test.isTrue({ property }));
      return {
        apply(record) {
          const made = paths.reduce((value: Value, path) => without(value, path, isGone), record);
          return isObject(made) ? made : record;
        },
      };
    },
  }),
  defineComponent({
    type: "KeysToLower",
    family: "transformation",
    options: {},
    make: () => ({
      apply: (record) => Object.fromEntries(Object.entries(record).map(([key, item]) => [key.toLowerCase(), item])),
    }),
  }),
  defineComponent({
    type: "KeysToSnakeCase",
    family: "transformation",
    options: {},
    make: () => renaming(snakeCase),
  }),
  defineComponent({
    type: "KeysReplace",
    family: "transformation",
    options: { old: Text, new: Text },
    make({ old, new: replacement }, build) {
      const [from, to] = [build.template(old), build.template(replacement)];
      return {
        apply: (record, facts) => {
          const [part, by] = [from.text({ ...facts, record }), to.text({ ...facts, record })];
          return renaming((key) => (part === "" ? key : key.replaceAll(part, by))).apply(record, facts);
        },
      };
    },
  }),
];
