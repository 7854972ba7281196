/** Field types guessed from samples. */
import { describe, expect, test } from "vitest";
import { inferFields, detectKeyFields, titleOf } from "./infer.ts";

const typesOf = (samples: Parameters<typeof inferFields>[0], texts = false) =>
  Object.fromEntries(inferFields(samples, { texts }).map((field) => [field.apiName, field.dataType]));

describe("types from samples", () => {
  test("names that can be no field are left out", () => {
    expect(typesOf([{ "": 1, ["x".repeat(201)]: 2, ["y".repeat(200)]: 3 }])).toEqual({ ["y".repeat(200)]: "integer" });
  });

  test("JSON says most itself; mixed types widen", () => {
    expect(
      typesOf([
        {
          id: 1,
          rate: 1,
          at: "2024-01-01T00:00:00Z",
          day: "2024-01-01",
          zip: "01234",
          mixed: 1,
          none: null,
          deep: { a: 1 },
        },
        { id: 2, rate: 1.5, at: null, day: "2024-01-02", zip: "9", mixed: "x", none: null, deep: null },
      ]),
    ).toEqual({
      id: "integer",
      rate: "double",
      at: "datetime",
      day: "date",
      zip: "string",
      mixed: "string",
      none: "string",
      deep: "object",
    });
  });

  test("texts of files are looked into; codes stay text", () => {
    expect(
      typesOf([{ n: "1", f: "1.5", b: "true", zip: "00123", big: "12345678901234567", d: "2/3/2024" }], true),
    ).toEqual({
      n: "integer",
      f: "double",
      b: "boolean",
      zip: "string",
      big: "string",
      d: "date",
    });
  });

  test("id and watermark by name, and only if every sample has another value", () => {
    const samples = [
      { id: 1, customer_id: 5, updated_at: "2024-01-01T00:00:00Z", createdAt: "2024-01-01T00:00:00Z" },
      { id: 2, customer_id: 5, updated_at: "2024-01-01T00:00:00Z", createdAt: "2024-01-01T00:00:00Z" },
    ];
    const fields = new Map(detectKeyFields(inferFields(samples), samples).map((field) => [field.apiName, field]));
    expect(fields.get("id")?.isIdField).toBe(true);
    expect(fields.get("updated_at")?.isWatermarkField).toBe(true);
    expect(fields.get("createdAt")?.isCreatedAtField).toBe(true);
    const twins = [{ id: 1 }, { id: 1 }];
    expect(detectKeyFields(inferFields(twins), twins)[0]?.isIdField).toBe(false);
  });

  test("names become words", () => {
    expect(["billing_city", "billingCity", "customerId", "vat number"].map(titleOf)).toEqual([
      "Billing city",
      "Billing city",
      "Customer ID",
      "VAT number",
    ]);
  });
});
