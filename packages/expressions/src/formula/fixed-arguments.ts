/** Arguments that must be written out, since they decide what is computed: units, patterns, zones and forms. */
import { compileRegex, RegexError, toPostgresRegex } from "../regex/portable.ts";
import { DATE_UNITS } from "../values/calendar.ts";
import { readPattern } from "../values/date-pattern.ts";
import { isTimeZone } from "../values/time.ts";
import { isSupportedFormat } from "./date-forms.ts";
import { type Formula, FormulaError } from "./parse.ts";
import type { FormulaFunction, Parameter } from "./types.ts";

const isFixed = (parameter: Parameter): boolean =>
  parameter === "unit" ||
  parameter === "pattern" ||
  parameter === "zone" ||
  parameter === "format" ||
  parameter === "dayForm";

function readsFixed(parameter: Parameter, value: string): boolean {
  switch (parameter) {
    case "zone":
      return isTimeZone(value);
    case "format":
      return readPattern(value) !== null;
    case "dayForm":
      return isSupportedFormat(value);
    default:
      return true;
  }
}

/** The text that stands there; empty for an argument that may be computed. Throws `FormulaError`. */
export function fixedText(arg: Formula, parameter: Parameter, definition: FormulaFunction): string {
  if (!isFixed(parameter)) return "";
  const value = arg.type === "text" ? (parameter === "unit" ? arg.value.toLowerCase() : arg.value) : null;
  const isKnownUnit = DATE_UNITS.some((unit) => unit === value);
  if (value === null || (parameter === "unit" && !isKnownUnit))
    throw new FormulaError("argument_fixed", arg.at, { signature: definition.signature });
  if (parameter === "pattern") checkPattern(value, arg.at, definition);
  const reads = readsFixed(parameter, value);
  if (!reads) throw new FormulaError("argument_fixed", arg.at, { signature: definition.signature, reason: value });
  return value;
}

function checkPattern(pattern: string, at: number, definition: FormulaFunction): void {
  try {
    compileRegex(pattern);
    toPostgresRegex(pattern);
  } catch (problem) {
    if (!(problem instanceof RegexError)) throw problem;
    throw new FormulaError("argument_fixed", at, { signature: definition.signature, reason: problem.message });
  }
}
