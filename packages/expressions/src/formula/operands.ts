/** Values while a formula is computed: reading them from records, comparing them, and giving them back. */
import type { Value } from "@accord/contracts/data/values";
import { numberOrText } from "../values/arithmetic.ts";
import { foldText, isBlank, numberText, textOf } from "../values/compare.ts";
import { compareDecimals, decimalOfNumber } from "../values/decimal.ts";
import { DAY_MS, instantText, readDay, readTime } from "../values/time.ts";
import type { FormulaType, Operand } from "./types.ts";

/** A stored value as an operand of its field's type; what doesn't fit the type counts as null. */
export function operandOf(value: Value | undefined, type: FormulaType): Operand {
  if (value === null || value === undefined) return null;
  switch (type) {
    case "integer":
    case "decimal":
      return numberText(value);
    case "double": {
      const number = numberText(value);
      return number === null ? null : Number(number);
    }
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? readDay(value) : null;
    case "datetime": {
      const read = typeof value === "string" ? readTime(value) : null;
      return read?.kind === "moment" ? read.ms : null;
    }
    case "text":
      return textOf(value);
    case "null":
      return null;
  }
}

/** The result as a stored value. */
export function valueOfOperand(operand: Operand, type: FormulaType): Value {
  if (operand === null) return null;
  switch (type) {
    case "integer":
    case "decimal":
      return numberOrText(String(operand));
    case "date":
      return instantText(Number(operand) * DAY_MS)?.slice(0, 10) ?? null;
    case "datetime":
      return instantText(Number(operand));
    case "double":
      // Too large for a number: no value can be kept.
      return Number.isFinite(operand) ? operand : null;
    default:
      return operand;
  }
}

/** The type of a token's value, when nobody declared one. */
export function typeOfValue(value: Value | undefined): FormulaType {
  if (isBlank(value)) return "null";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "double";
  if (typeof value === "boolean") return "boolean";
  return "text";
}

/** Negative, zero or positive; both of the same type. */
export function compareOperands(left: Operand, right: Operand, type: FormulaType): number {
  switch (type) {
    case "integer":
    case "decimal":
      return compareDecimals(String(left), String(right));
    case "text":
      return foldText(String(left)) === foldText(String(right))
        ? 0
        : foldText(String(left)) < foldText(String(right))
          ? -1
          : 1;
    default:
      return Number(left) - Number(right);
  }
}

export const sameOperand = (left: Operand, right: Operand, type: FormulaType): boolean =>
  compareOperands(left, right, type) === 0;

/** An operand of one type as another that holds it. */
export function convertOperand(
  value: Operand,
  from: FormulaType,
  to: FormulaType,
  startOfDay: (day: number) => number,
): Operand {
  if (value === null || from === to) return value;
  if (to === "double") return Number(value);
  if (from === "double") return decimalOfNumber(Number(value));
  if (from === "date" && to === "datetime") return startOfDay(Number(value));
  return value;
}
