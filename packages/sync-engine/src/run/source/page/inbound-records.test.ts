/** A record of a page with its values in the core's fields: references, conversions, and what they go with. */
import type { SourceRecord } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import { ConversionError, type SourcePlan } from "../../plan/plan.ts";
import { resolvedWith, storedRecord } from "../../protocol/fixtures/stored.ts";
import type { Resolved } from "../../protocol/storage.ts";
import { fingerprintPage } from "./fingerprint-page.ts";
import { ADA, ada, ENV, family, links, out, pageOf, printOf, source } from "./page.fixtures.ts";
import { startPage } from "./process-page.ts";

describe("a record's values on their way", () => {
  const departed = (record: SourceRecord, resolved: Partial<Resolved> = {}, at = family) =>
    startPage(at, fingerprintPage(at, pageOf(record)), resolvedWith(resolved), ENV).inboundRecords[0];

  test("name records of the core where those are known; the others stay open", () => {
    const named = ada({ values: { ...ADA, boss: "7" } });
    const references = new Map([["A/contact", new Map([["7", "r7"]])]]);
    expect(departed(named, { references })).toMatchObject({ mapped: { boss: "r7" }, pending: [], renamed: [] });
    expect(departed(named, { references, renamed: new Set(["7"]) })).toMatchObject({ renamed: ["boss"] });
    expect(departed(named, { renamed: new Set(["8"]) })).toMatchObject({
      mapped: { boss: null },
      pending: [{ field: "boss", externalId: "7", connectorId: "A", entity: "contact" }],
      renamed: [],
    });
    for (const boss of ["", null])
      expect(departed(ada({ values: { ...ADA, boss } }))).toMatchObject({ mapped: { boss: null }, pending: [] });
  });

  test("leave out what can't be read or converted, and say so; what only nodes need is left out in silence", () => {
    const bad = ada({
      badFields: [
        { field: "name", message: "not text", excerpt: "\u0001" },
        { field: "phone", message: "?" },
      ],
    });
    const inbound = departed(bad, {}, source);
    expect(inbound?.refusedFields).toEqual([
      { field: "name", value: "\u0001" },
      { field: "phone", value: "?" },
    ]);
    expect(Object.keys(inbound?.mapped ?? {})).toEqual(["email", "note"]);
    const failing = (isProvisional: boolean): SourcePlan => ({
      ...source,
      mappings: source.mappings.map((mapping) => ({
        ...mapping,
        isProvisional,
        convert: () => new ConversionError("no"),
      })),
    });
    expect(departed(ada(), {}, failing(false))?.refusedFields).toHaveLength(source.mappings.length);
    expect(departed(ada(), {}, failing(true))).toMatchObject({ refusedFields: [], mapped: {} });
    expect(departed(bad, {}, failing(true))?.refusedFields).toEqual([]);
    const named = source.mappings.map((mapping) => ({ ...mapping, coreField: `${mapping.coreField}Here` }));
    expect(departed(bad, {}, { ...source, mappings: named })?.refusedFields).toEqual([
      { field: "nameHere", value: "\u0001", connectorField: "name" },
      { field: "phoneHere", value: "?", connectorField: "phone" },
    ]);
  });

  test("belong to the record that stands for theirs, as a second one of it where theirs was merged away", () => {
    const both = new Map([
      ["r1", storedRecord()],
      ["r9", storedRecord({ recordId: "r9" })],
    ]);
    const resolved = { ...links(), records: both };
    expect(out(ada(), { ...resolved, merged: new Map([["r1", "r9"]]) }).inboundRecords[0]).toMatchObject({
      stored: { recordId: "r9" },
      isAlias: true,
    });
    expect(out(ada(), { ...resolved, merged: new Map() }).inboundRecords[0]).toMatchObject({
      stored: { recordId: "r1" },
      isAlias: false,
    });
  });

  test("go with what the core holds of them, and with what came", () => {
    const { execution } = out(ada(), links());
    const [flow] = execution.state === "completed" ? execution.completed : [];
    expect(flow).toMatchObject({
      change: "update",
      recordId: "r1",
      before: { name: "Ada" },
      source: { externalId: "A1", values: ADA },
      occurrenceKey: printOf(),
      rowIndex: 0,
    });
    const fresh = out(ada(), {}).execution;
    expect(fresh.state === "completed" && fresh.completed[0]).toMatchObject({
      change: "insert",
      recordId: null,
      before: null,
    });
  });
});
