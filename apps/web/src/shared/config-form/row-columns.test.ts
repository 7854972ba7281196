/** Which columns rows have, and where tokens may stand in them. */
import { expect, test } from "vitest";
import { takesTokens } from "./config-form.model.ts";
import { rowColumns } from "./row-columns.ts";

const WORDS = { from: "When", to: "Becomes", name: "Name", value: "Value", field: "Field" };
const FIELDS = [{ apiName: "size", displayName: "Size", dataType: "integer" as const, isMultiValueField: false }];
const columns = (renderType: string) =>
  rowColumns({ renderType }, WORDS, FIELDS).map((column) => [column.name, column.label, takesTokens(column)]);

test("headers have names and values, values for fields may be tokens, translations are fixed texts", () => {
  expect(columns("headers")).toEqual([
    ["name", "Name", false],
    ["value", "Value", true],
  ]);
  expect(columns("placeValues")).toEqual([
    ["from", "Value", true],
    ["to", "Field", false],
  ]);
  expect(columns("pairs")).toEqual([
    ["from", "When", false],
    ["to", "Becomes", false],
  ]);
});

test("fields that are known are offered, others can be typed", () => {
  const [, field] = rowColumns({ renderType: "fieldValues" }, WORDS, FIELDS);
  expect(field).toMatchObject({ datatype: "picklistCombo", values: [{ id: "size", label: "Size" }] });
});
