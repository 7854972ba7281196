/** Which changes are news for a destination, and where what was read there says what it holds. */
import { expect, test } from "vitest";
import { FakeSystem, PLAIN_TRAITS, planFor } from "@accord/sync-simulation/testing";
import type { Merged } from "../merge/merge.ts";
import { isRelevant, isComparable } from "./sink-relevance.ts";

const [sink] = planFor([new FakeSystem("A", PLAIN_TRAITS)], "NONE").sinks;
if (!sink) throw new Error("the plan has no destination");

const change = (...fields: string[]): Merged => ({
  values: {},
  origin: {},
  changes: Object.fromEntries(fields.map((field) => [field, [null, "new"]])),
  refused: null,
  hasChanged: true,
});

test("a change of a field that no node looks at and no mapping writes is no news", () => {
  const named = { ...sink, reads: new Set(["name"]) };
  expect(isRelevant(named, change("age", "name"))).toBe(true);
  expect(isRelevant(named, change("age"))).toBe(false);
  expect(isRelevant(named, change())).toBe(false);
  expect(isRelevant({ ...sink, reads: null }, change("age")), "nodes may look at anything").toBe(true);
});

test("what is computed on the way, or names other records, can't be compared with what is read there", () => {
  const known = { ...sink, reads: new Set(["name"]) };
  expect(isComparable(known)).toBe(true);
  expect(isComparable({ ...known, reads: null })).toBe(false);
  const [first, ...rest] = sink.mappings;
  if (!first) throw new Error("nothing is mapped");
  expect(isComparable({ ...known, mappings: [...rest, { ...first, isComputed: true }] })).toBe(false);
  const reference = { connectorId: "A", entity: "contact" };
  expect(isComparable({ ...known, mappings: [...rest, { ...first, reference }] })).toBe(false);
});
