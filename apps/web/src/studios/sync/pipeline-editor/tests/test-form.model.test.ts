/** The form of a test sends what the test holds, and what was typed, and nothing else. */
import { Values } from "@accord/contracts/data/values";
import { PipelineTest } from "@accord/contracts/sync/tests/pipeline-tests";
import { expect, test } from "vitest";
import { parseReply } from "../../../../app/exact-replies.ts";
import { bodyOf, formOf, isOrphan, sentIndex, type TestForm, withRecord } from "./test-form.model.ts";

const saved = (records: { id: string; values: Values }[], expectedResult: object[]): PipelineTest =>
  PipelineTest.parse({
    id: "a".repeat(24),
    testIds: [],
    name: "Totals",
    records: records.map((record) => ({ nodeId: "crm", ...record })),
    expectedResult,
    revision: 1,
    updatedAt: "2026-01-01T00:00:00.000Z",
    ...{ changedSince: false, testedAt: null, testedVersion: null },
    status: null,
    actualResult: null,
    recordsProcessed: 0,
    resultDetails: null,
  });
const typed = (form: TestForm, index: number, text: string): TestForm => ({
  ...form,
  expected: form.expected.map((row, at) => (at === index ? { ...row, text } : row)),
});
const valuesSent = (form: TestForm) => bodyOf(form)?.expectedResult.map(({ value }) => value);

test("opening and saving a test changes none of its expected values", () => {
  const values = [5, 1.5, true, false, null, "", "5", "true", '["a"]', { a: [1] }, ["a", 2, null], "  "];
  const expected = values.map((value, index) => ({ apiName: `f${index}`, value }));
  const body = bodyOf(formOf(saved([{ id: "1", values: {} }], expected)));
  expect(body?.expectedResult).toEqual(expected);
});

test("a changed value keeps its type where that fits, and is a text elsewhere", () => {
  const form = formOf(
    saved(
      [{ id: "1", values: {} }],
      [
        { apiName: "count", value: 5 },
        { apiName: "active", value: true },
        { apiName: "code", value: "5" },
        { apiName: "object", value: { a: 1 } },
      ],
    ),
  );
  const changed = ["6", "false", "6", '{"a":2}'].reduce((now, text, index) => typed(now, index, text), form);
  expect(valuesSent(changed)).toEqual([6, false, "6", { a: 2 }]);
  expect(valuesSent(typed(form, 0, "six"))?.[0]).toBe("six");
});

test("numbers that JavaScript would round keep their digits", () => {
  const text = '{"big":12345678901234567890,"price":1.10}';
  const values = Values.parse(parseReply(text));
  const form = formOf(saved([{ id: "1", values }], [{ apiName: "big", value: values["big"] ?? null }]));
  const body = bodyOf({ ...form, records: form.records.map((record) => ({ ...record, text: ` ${record.text}` })) });
  expect(JSON.stringify(body?.records[0]?.values)).toBe(text);
  expect(JSON.stringify(body?.expectedResult[0]?.value)).toBe("12345678901234567890");
});

test("an expected value stays with its record when the id of the record is changed", () => {
  const form = formOf(
    saved(
      [
        { id: "one", values: {} },
        { id: "two", values: {} },
      ],
      [{ apiName: "name", value: "Acme", recordId: "two" }],
    ),
  );
  const renamed = form.records.map((record) => (record.id === "two" ? { ...record, id: "second" } : record));
  expect(bodyOf({ ...form, records: renamed })?.expectedResult).toEqual([
    { apiName: "name", value: "Acme", recordId: "second" },
  ]);
});

test("an expected value whose record was removed is sent for no other record, and kept", () => {
  const form = formOf(
    saved(
      [
        { id: "1", values: {} },
        { id: "2", values: {} },
      ],
      [{ apiName: "name", value: "Acme" }],
    ),
  );
  const removed = { ...form, records: form.records.slice(1) };
  expect(bodyOf(removed)).toBeNull();
  const added = withRecord(removed, "crm");
  expect(added.records.map(({ id }) => id)).toEqual(["2", "1"]);
  const [row] = added.expected;
  expect(row && isOrphan(row, added.records)).toBe(true);
  expect(bodyOf({ ...added, expected: added.expected.map((one) => ({ ...one, record: "2" })) })).toMatchObject({
    expectedResult: [{ apiName: "name", value: "Acme" }],
  });
});

test("a problem of an expected value is shown at its row, also below one that is not filled in", () => {
  const form = formOf(saved([{ id: "1", values: {} }], [{ apiName: "name", value: "Acme" }]));
  const rows = [{ apiName: "", text: "", record: "1" }, ...form.expected];
  expect(rows.map((_, index) => sentIndex(rows, index))).toEqual([undefined, 0]);
});
