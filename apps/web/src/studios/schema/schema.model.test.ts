/** Tests of proposed names and of what a draft changes. */
import type { CoreEntity, CoreField } from "@accord/contracts/data/entities";
import { API_NAME_PATTERN, FieldSchema } from "@accord/contracts/data/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { apiNameFor, draftChanges, entityApiNameFor, tagsOf } from "./schema.model.ts";

const field = (id: string, more: Partial<CoreField> = {}): CoreField => ({
  ...FieldSchema.parse({ apiName: id, displayName: id }),
  id: id as CoreField["id"],
  ...more,
});

test("an api name follows the label", () => {
  expect(apiNameFor("Invoice no.")).toBe("invoiceNo");
  expect(apiNameFor("Größe")).toBe("groe");
  expect(apiNameFor("2nd phone")).toBe("x2ndPhone");
  expect(entityApiNameFor("Sales order")).toBe("SalesOrder");
});

test("whatever the label, the proposed api name is legal or empty", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (label) => {
      const name = apiNameFor(label);
      expect(name === "" || API_NAME_PATTERN.test(name)).toBe(true);
    }),
  );
});

test("publishing says what it adds, changes and removes", () => {
  const entity = (fields: CoreField[]) => ({ fields }) as CoreEntity;
  const changes = draftChanges(
    entity([field("a"), field("b"), field("c")]),
    entity([field("a"), field("b", { unique: true }), field("d")]),
  );
  expect(Object.values(changes).map((list: CoreField[]) => list.map(({ id }) => id))).toEqual([["d"], ["b"], ["c"]]);
});

test("a field's properties are named once each", () => {
  expect(tagsOf(field("a", { isIdField: true, unique: true, nillable: false }))).toEqual(["id", "required"]);
  expect(tagsOf(field("a", { calculated: true, updateable: false }))).toEqual(["calculated"]);
});
