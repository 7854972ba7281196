/** Values on their way from one field to another: texts and JSON stay what they are, all else takes the other's form. */
import { FieldSchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { converter } from "./field-conversion.ts";
import { ConversionError } from "../plan/plan.ts";

const field = (dataType: string, more: object = {}): FieldSchema =>
  FieldSchema.parse({ apiName: "f", displayName: "F", dataType, ...more });
const convert = (from: FieldSchema, to: FieldSchema, value: Value): Value | string => {
  const converted = converter(from, to, "UTC")(value);
  return converted instanceof ConversionError ? `refused: ${converted.code}` : converted;
};

describe("a converted value", () => {
  test("of JSON stays the JSON that it is between fields of JSON; in others it takes their form", () => {
    const [json, text] = [field("object"), field("string")];
    const address = { city: "Bern", "zip code": 3000 };
    expect(convert(json, field("complex"), address)).toEqual(address);
    expect(convert(json, json, "a text")).toBe("a text");
    expect(convert(json, text, address)).toBe(JSON.stringify(address));
    expect(convert(text, json, '{"city":"Bern"}'), "a text that holds JSON is read").toEqual({ city: "Bern" });
    const list = field("object", { isMultiValueField: true });
    expect([convert(json, list, address), convert(json, list, [address]), convert(json, list, null)]).toEqual([
      [address],
      [address],
      null,
    ]);
  });

  test("of a number is the whole number it is, whatever zeros a column of decimals shows", () => {
    const whole = field("integer");
    for (const type of ["decimal", "double", "integer"]) {
      expect(convert(field(type), whole, "101.00")).toBe(101);
      expect(convert(field(type), whole, "-9007199254740993.0")).toBe("-9007199254740993");
      expect(convert(field(type), whole, "1.50")).toBe("refused: fraction_in_integer");
      expect(convert(field(type), whole, "Infinity")).toBe("refused: not_an_integer");
    }
    const list = field("integer", { isMultiValueField: true });
    expect(convert(field("decimal", { isMultiValueField: true }), list, ["1.00", "2.00"])).toEqual([1, 2]);
    expect(convert(field("string"), whole, "4.0"), "a text is told as it is").toBe("refused: fraction_in_integer");
  });

  test("of text stays as it is where nothing limits it", () => {
    const text = field("string");
    expect([convert(text, text, " Ada "), convert(text, field("password"), "x"), convert(text, text, null)]).toEqual([
      " Ada ",
      "x",
      null,
    ]);
    expect(convert(text, text, 5), "a system may show something else than it says").toBe("5");
    expect(convert(text, field("string", { length: 3 }), "Ada King")).toBe("refused: too_long");
    expect(convert(text, field("string", { isMultiValueField: true }), "Ada")).toEqual(["Ada"]);
    expect(convert(text, field("integer"), "7")).toBe(7);
    expect(convert(text, field("integer"), "x")).toBe("refused: not_an_integer");
  });
});
