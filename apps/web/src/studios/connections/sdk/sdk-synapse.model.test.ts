/** Which file is which among several that are chosen together, and when sharing takes something from somebody. */
import { expect, test } from "vitest";
import { isNarrower, sortFiles, type Reach } from "./sdk-synapse.model.ts";

const LIMITS = { synapseFile: 100, requirementsFile: 100, iconFile: 100 };
const file = (name: string, size = 10) => ({ name, size });
const sorted = (...files: { name: string; size: number }[]) => {
  const { taken, refused, leftOut } = sortFiles(files, LIMITS);
  return {
    taken: Object.fromEntries(Object.entries(taken).map(([slot, { name }]) => [slot, name])),
    refused: Object.fromEntries(refused.map((one) => [one.file.name, one.problem])),
    leftOut: Object.fromEntries(leftOut.map((one) => [one.file.name, one.by.name])),
  };
};

test("[PLT-040] of the template's files chosen together the code is taken, never its test, and package.json alone", () => {
  const names = ["README.md", "inputs.json", "package.json", "synapse.mjs", "synapse.test.mjs"];
  for (const order of [names, names.toReversed()])
    expect(sorted(...order.map((name) => file(name)))).toEqual({
      taken: { synapseFile: "synapse.mjs", requirementsFile: "package.json" },
      refused: { "README.md": "unknownFile", "inputs.json": "otherJson", "synapse.test.mjs": "testFile" },
      leftOut: {},
    });
});

test("[PLT-040] of two files for one place the likelier is taken, also where it can't be sent", () => {
  expect(sorted(file("helper.mjs"), file("synapse.mjs"), file("a.png"), file("b.png"))).toEqual({
    taken: { synapseFile: "synapse.mjs", iconFile: "a.png" },
    refused: {},
    leftOut: { "helper.mjs": "synapse.mjs", "b.png": "a.png" },
  });
  expect(sorted(file("helper.mjs"), file("synapse.mjs", 101))).toEqual({
    taken: {},
    refused: { "synapse.mjs": "tooLarge" },
    leftOut: { "helper.mjs": "synapse.mjs" },
  });
  expect(sorted(file("mine.js"), file("package (1).json")).taken).toEqual({
    synapseFile: "mine.js",
    requirementsFile: "package (1).json",
  });
});

const reach = (scope: Reach["scope"], instanceIds: string[] = [], isGlobal = false): Reach => ({
  scope,
  instanceIds,
  isGlobal,
});
test.each([
  { what: "one of several instances is taken out", from: reach("SELECTED", ["a", "b"]), to: reach("SELECTED", ["a"]) },
  { what: "another instance instead", from: reach("SELECTED", ["a"]), to: reach("SELECTED", ["b"]) },
  { what: "chosen instances to none", from: reach("SELECTED", ["a"]), to: reach("PRIVATE") },
  { what: "the organisation to some", from: reach("SUBSCRIPTION"), to: reach("SELECTED", ["a"]) },
  { what: "everybody to the organisation", from: reach("SUBSCRIPTION", [], true), to: reach("SUBSCRIPTION") },
])("[PLT-105] somebody loses it: $what", ({ from, to }) => {
  expect([isNarrower(from, to), isNarrower(from, from)]).toEqual([true, false]);
});

test.each([
  { what: "one instance more", from: reach("SELECTED", ["a"]), to: reach("SELECTED", ["a", "b"]) },
  { what: "chosen instances to the organisation", from: reach("SELECTED", ["a"]), to: reach("SUBSCRIPTION") },
  { what: "none to some", from: reach("PRIVATE"), to: reach("SELECTED", ["a"]) },
  { what: "less beside everybody", from: reach("SUBSCRIPTION", [], true), to: reach("PRIVATE", [], true) },
])("[PLT-105] nobody loses it: $what", ({ from, to }) => {
  expect(isNarrower(from, to)).toBe(false);
});
