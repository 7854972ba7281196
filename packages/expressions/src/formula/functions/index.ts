/** All functions of formulas. */
import type { FormulaFunction } from "../types.ts";
import { AGGREGATES } from "./aggregate.ts";
import { DATE_FUNCTIONS } from "./date.ts";
import { CAST_FUNCTIONS, LOGIC_FUNCTIONS } from "./logic.ts";
import { NUMBER_FUNCTIONS } from "./number.ts";
import { TEXT_FUNCTIONS } from "./text.ts";
import { WINDOW_FUNCTIONS } from "./window.ts";

export const FORMULA_FUNCTIONS: readonly FormulaFunction[] = [
  ...NUMBER_FUNCTIONS,
  ...TEXT_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...LOGIC_FUNCTIONS,
  ...CAST_FUNCTIONS,
  ...AGGREGATES,
];

/** Those over rows are found too, but offered only where they are turned on. */
const byName: ReadonlyMap<string, FormulaFunction> = new Map(
  [...FORMULA_FUNCTIONS, ...WINDOW_FUNCTIONS].map((one) => [one.name, one]),
);
export const formulaFunction = (name: string): FormulaFunction | undefined => byName.get(name);
