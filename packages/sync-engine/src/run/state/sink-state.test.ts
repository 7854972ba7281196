/** What a place that we write to is known to hold, from what was just read there. */
import type { Values } from "@accord/contracts/data/values";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { describe, expect, test } from "vitest";
import { ConversionError } from "../plan/plan.ts";
import { inboundRecordOf, storedLink, twoSystems } from "../protocol/fixtures/stored.ts";
import { fieldOf, replaceFields, writtenFingerprint } from "./fingerprint.ts";
import { type SinkState, sinkStateAfter } from "./sink-state.ts";

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
  return { differs: state.differs, held: nameIn(state) };
}

/** What the place holds as a name. */
function nameIn(state: SinkState): string {
  const [mapping] = sink.mappings.filter(({ coreField }) => coreField === "name");
  return fieldOf(state.lastWritten, mapping?.writeIndex ?? -1);
}

describe("a field that shows the core's value", () => {
  test("holds it, whatever its column makes of it", () => {
    expect(seen({ name: "Ada", note: "" }, "name")).toMatchObject({ differs: false, held: hashValue("Ada") });
  });

  test("in another column than the one that is written leaves that one to be written", () => {
    expect(seen({ name: "Old", note: "Ada" }, "note")).toMatchObject({ differs: true, held: hashValue("Old") });
  });
});

describe("a core value that its field can't take", () => {
  const convert = () => new ConversionError("too_long");
  const named = sink.mappings.filter(({ coreField }) => coreField === "name");
  const tight = { ...sink, mappings: named.map((mapping) => ({ ...mapping, convert })) };

  /** A's row shows `name`, which is `mapped` to the core's, and showed `before`. */
  function shown(name: string, mapped = name, before: string | null = null) {
    const { readFields, writeFields } = sink.place;
    const parts = readFields.map((field, index): [number, string] => [
      index,
      hashValue(field === "name" ? name : null),
    ]);
    const inbound = inboundRecordOf({
      record: { id: "A1", values: { name } },
      seen: replaceFields(null, readFields.length, new Map(parts)),
      mapped: { name: mapped },
      link: before === null ? null : storedLink({ lastWritten: writtenFingerprint(writeFields, { name: before }) }),
    });
    const state = sinkStateAfter(tight, source, inbound, { name: "Augusta" }, null);
    return { differs: state.differs, unfit: state.unfit, arrived: state.arrived, held: nameIn(state) };
  }

  test("is lacking where something else stands, and is to be written where it stood itself before", () => {
    expect(shown("Ada")).toEqual({ differs: false, unfit: true, arrived: false, held: hashValue("Ada") });
    expect(shown("Ada", "Ada", "Eve")).toEqual({ differs: false, unfit: true, arrived: false, held: hashValue("Ada") });
    expect(shown("Ada", "Ada", "Augusta")).toEqual({
      differs: true,
      unfit: true,
      arrived: false,
      held: hashValue("Ada"),
    });
  });

  test("is there where it stands as it is, or in the place's own way of writing it", () => {
    const there = { differs: false, unfit: false, arrived: true, held: hashValue("Augusta") };
    expect(shown("Augusta")).toEqual(there);
    expect(shown("AUGUSTA ", "Augusta")).toEqual(there);
    expect(shown("AUGUSTA ", "Augusta", "Augusta"), "and was").toEqual({ ...there, arrived: false });
  });
});
