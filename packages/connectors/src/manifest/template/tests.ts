/** The tests after `is` in templates. */
import { isDictionary, isList, type Item } from "./values.ts";

const isWhole = (item: Item): item is number => typeof item === "number" && Number.isInteger(item);

export const TESTS: Readonly<Record<string, (item: Item) => boolean>> = {
  defined: (item) => item !== undefined,
  undefined: (item) => item === undefined,
  none: (item) => item === null,
  None: (item) => item === null,
  string: (item) => typeof item === "string",
  number: (item) => typeof item === "number",
  integer: isWhole,
  float: (item) => typeof item === "number" && !Number.isInteger(item),
  boolean: (item) => typeof item === "boolean",
  true: (item) => item === true,
  false: (item) => item === false,
  mapping: (item) => isDictionary(item),
  iterable: (item) => isList(item) || typeof item === "string" || isDictionary(item),
  sequence: (item) => isList(item) || typeof item === "string",
  odd: (item) => isWhole(item) && item % 2 !== 0,
  even: (item) => isWhole(item) && item % 2 === 0,
};
