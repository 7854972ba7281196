/** What a place that we write to is known to hold, from what was just read there. */
import type { Values } from "@accord/contracts/data/values";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { describe, expect, test } from "vitest";
import { inboundRecordOf, twoSystems } from "../protocol/stored.fixtures.ts";
import { fieldOf, replaceFields } from "./fingerprint.ts";
import { sinkStateAfter } from "./sink-state.ts";

const { source, sink } = twoSystems();

/** A's row shows `row`; the core has `name`. The source reads the core's name from `column`. */
function seen(row: Values, column: string, name = "Ada") {
  const { readFields } = sink.place;
  const parts = readFields.map((field, index): [number, string] => [index, hashValue(row[field] ?? null)]);
  const named = source.mappings.filter(({ coreField }) => coreField === "name");
  const state = sinkStateAfter(
    { ...sink, mappings: sink.mappings.filter(({ coreField }) => coreField === "name") },
    { ...source, mappings: named.map((mapping) => ({ ...mapping, connectorField: column })) },
    inboundRecordOf({
      record: { id: "A1", values: row },
      seen: replaceFields(null, readFields.length, new Map(parts)),
      mapped: { name: row[column] ?? null },
    }),
    { name },
    null,
  );
  const [mapping] = sink.mappings.filter(({ coreField }) => coreField === "name");
  return { differs: state.differs, held: fieldOf(state.told, mapping?.writeIndex ?? -1) };
}

describe("a field that shows the core's value", () => {
  test("holds it, whatever its column makes of it", () => {
    expect(seen({ name: "Ada", note: "" }, "name")).toMatchObject({ differs: false, held: hashValue("Ada") });
  });

  test("in another column than the one that is written leaves that one to be written", () => {
    expect(seen({ name: "Old", note: "Ada" }, "note")).toMatchObject({ differs: true, held: hashValue("Old") });
  });
});
