/** The quick look at a value says what its schema says. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isValue, Value } from "./values.ts";

test("for anything there is", () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true }), (data) => {
      expect(isValue(data)).toBe(Value.safeParse(data).success);
    }),
    { numRuns: 2_000 },
  );
  for (const data of [Number.NaN, Infinity, undefined, [undefined], { a: [{ b: null }] }, [[1]]])
    expect(isValue(data)).toBe(Value.safeParse(data).success);
});
