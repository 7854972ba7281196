/** A core field counts as mapped elsewhere since the version that changed its column, and only then. */
import { expect, test } from "vitest";
import { remappedFields } from "./remapped-fields.ts";

const version = (day: number, columns: { [coreField: string]: string }, connectorId = "crm") => ({
  publishedAt: `2026-01-0${day}T00:00:00.000Z`,
  sources: [
    {
      connectorId,
      entityDefinition: "contact",
      fieldMappings: Object.entries(columns).map(([coreField, connectorField]) => ({ coreField, connectorField })),
    },
  ],
});

test("the latest change of a field's column counts, also over versions that left the field out", () => {
  const versions = [
    version(1, { note: "note", name: "name" }),
    version(2, { note: "memo", name: "name" }),
    version(3, { name: "name" }),
    version(4, { note: "remark", name: "name", phone: "phone" }),
  ];
  expect([...remappedFields(versions.slice(0, 3))]).toEqual([["crm/contact note", "2026-01-02T00:00:00.000Z"]]);
  expect([...remappedFields(versions)]).toEqual([["crm/contact note", "2026-01-04T00:00:00.000Z"]]);
});

test("a field that is new, left out, mapped again as it was, or mapped at another place is not", () => {
  const versions = [version(1, { note: "note" }), version(2, {}), version(3, { note: "note", phone: "phone" })];
  expect([...remappedFields(versions)]).toEqual([]);
  expect([...remappedFields([version(1, { note: "note" }), version(2, { note: "memo" }, "shop")])]).toEqual([]);
});
