/** Tests of how values read and how entries are taken. */
import type { CoreField } from "@accord/contracts/data/entities";
import { FieldSchema } from "@accord/contracts/data/schema";
import { expect, test } from "vitest";
import { editText, groupDigits, groupFields, readEntry, textOf, toLocalInput } from "./value.model.ts";

const field = (dataType: CoreField["dataType"], more: Partial<CoreField> = {}): CoreField => ({
  ...FieldSchema.parse({ apiName: "f", displayName: "F", dataType }),
  id: "000000000000000000000001" as CoreField["id"],
  ...more,
});

test("an exact number keeps every digit when it is grouped", () => {
  expect(groupDigits("12345678901234567890.10")).toBe("12,345,678,901,234,567,890.10");
  expect(groupDigits("-1000")).toBe("-1,000");
  expect(groupDigits("999")).toBe("999");
});

test("values read as people write them", () => {
  expect(textOf(field("boolean"), false)).toBe("No");
  expect(textOf(field("date"), "2026-03-31")).toBe("Mar 31, 2026");
  expect(textOf(field("picklist", { picklist: [{ id: "on_hold", label: "On hold" }] }), "on_hold")).toBe("On hold");
  expect(textOf(field("picklist"), "gone")).toBe("gone");
  expect(textOf(field("string", { isMultiValueField: true }), ["a", "b"])).toBe("a, b");
  expect(textOf(field("string"), null)).toBe("");
});

test("an entry is taken as the field means it", () => {
  expect(readEntry(field("string"), "")).toEqual({ ok: true, value: null });
  expect(readEntry(field("object"), "{")).toEqual({ ok: false, problem: "json" });
  expect(readEntry(field("object"), '{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
  const exact = readEntry(field("object"), '{"id":12345678901234567890}');
  expect(exact.ok && editText(field("object"), exact.value)).toContain("12345678901234567890");
  const moment = readEntry(field("datetime"), toLocalInput("2026-03-31T10:30:00.000Z"));
  expect(moment).toEqual({ ok: true, value: "2026-03-31T10:30:00.000Z" });
  expect(editText(field("integer"), 0)).toBe("0");
});

test("the record page keeps plain fields, related records and structures apart", () => {
  const groups = groupFields([field("object"), field("reference"), field("string"), field("decimal")]);
  expect(groups.map(({ id, fields }) => [id, fields.length])).toEqual([
    ["main", 2],
    ["references", 1],
    ["other", 1],
  ]);
});
