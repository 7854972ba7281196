/** Short decimals take a quicker way through arithmetic; it gives the same digits. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { addDecimals, multiplyDecimals } from "./arithmetic.ts";
import { readDecimal } from "./decimal.ts";

const decimal = fc
  .tuple(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.integer({ min: 0, max: 9 }))
  .map(([units, scale]) => exact(BigInt(units), scale));

function exact(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return readDecimal(units < 0n ? `-${text}` : text) ?? "";
}

const unitsOf = (plain: string): [bigint, number] => {
  const [whole = "", fraction = ""] = plain.split(".");
  return [BigInt(whole + fraction), fraction.length];
};

test("sums and products are exact for short and long decimals", () => {
  fc.assert(
    fc.property(decimal, decimal, (left, right) => {
      const [[a, aScale], [b, bScale]] = [unitsOf(left), unitsOf(right)];
      expect(multiplyDecimals(left, right)).toBe(exact(a * b, aScale + bScale));
      const scale = Math.max(aScale, bScale);
      const sum = a * 10n ** BigInt(scale - aScale) + b * 10n ** BigInt(scale - bScale);
      expect(addDecimals(left, right)).toBe(exact(sum, scale));
    }),
    { numRuns: 5000, seed: 7 },
  );
});
