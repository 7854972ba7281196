/** Searching the palette. */
import { expect, test } from "vitest";
import { searchEntries } from "./palette-items.ts";

const entry = (label: string, words = "") => ({ label, words });

test("what begins with the text comes first, then what has it in its name, then what is about it", () => {
  const entries = [
    entry("Attach record", "sets which record a value belongs to"),
    entry("Clear value"),
    entry("Set value"),
    entry("Value of a set"),
    entry("Split"),
  ];
  const found = (text: string) => searchEntries(entries, text).map(({ label }) => label);
  expect(found("value")).toEqual(["Value of a set", "Clear value", "Set value", "Attach record"]);
  expect(found("  SET value ")).toEqual(["Set value", "Value of a set", "Attach record"]);
  expect(found("nothing like it")).toEqual([]);
  expect(found("")).toHaveLength(5);
});
