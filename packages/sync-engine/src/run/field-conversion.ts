/** From a field of one side to the field it is mapped to on the other. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import { convertValue } from "@accord/expressions";
import { optionMapping } from "./option-mapping.ts";
import { type Convert, Inconvertible } from "./plan.ts";

const TEXT_LIKE = new Set(["string", "password"]);

/** Conversion for one mapping; plain text to plain text costs nothing. */
export function converter(from: FieldSchema, to: FieldSchema, timeZone: string): Convert {
  const options = { timeZone };
  const toOption = optionMapping(from, to);
  const general = (value: Value): Value | Inconvertible => {
    const converted = convertValue(toOption ? toOption(value) : value, to, options);
    return converted.ok ? converted.value : new Inconvertible(converted.code);
  };
  const isPlainText =
    TEXT_LIKE.has(to.dataType) && TEXT_LIKE.has(from.dataType) && !to.isMultiValueField && to.length === undefined;
  if (!isPlainText) return general;
  return (value) => (typeof value === "string" || value === null ? value : general(value));
}
