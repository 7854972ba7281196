/** From a field of one side to the field it is mapped to on the other. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import { asJson, type Conversion, convertValue, readDecimal } from "@accord/expressions";
import { optionMapping } from "./option-mapping.ts";
import { type Convert, ConversionError } from "../plan/plan.ts";

const TEXT_LIKE = new Set(["string", "password"]);
const JSON_LIKE = new Set(["object", "child", "complex"]);
/** Types whose values are numbers, told as texts where JavaScript's own would lose digits. */
const NUMERIC = new Set(["integer", "double", "decimal"]);

/** Conversion for one mapping; plain text to plain text costs nothing, and JSON stays the JSON that it is. */
export function converter(from: FieldSchema, to: FieldSchema, timeZone: string): Convert {
  const options = { timeZone };
  const toOption = optionMapping(from, to);
  const isJson = JSON_LIKE.has(from.dataType) && JSON_LIKE.has(to.dataType);
  const json = (value: Value): Value =>
    to.isMultiValueField && value !== null && !Array.isArray(value) ? [value] : value;
  const isNumber = to.dataType === "integer" && NUMERIC.has(from.dataType);
  const prepared = (value: Value): Value => (toOption ? toOption(value) : isNumber ? plainNumber(value) : value);
  const convert = (value: Value): Conversion =>
    isJson ? asJson(json(value), to.dataType) : convertValue(prepared(value), to, options);
  const general = (value: Value): Value | ConversionError => {
    const converted = convert(value);
    if (!converted.ok) return new ConversionError(converted.code);
    // Nobody looks for the record later: as a blank the value would be lost without a word.
    return converted.warning === "reference_pending" ? new ConversionError("not_a_reference") : converted.value;
  };
  const isPlainText =
    TEXT_LIKE.has(to.dataType) && TEXT_LIKE.has(from.dataType) && !to.isMultiValueField && to.length === undefined;
  if (!isPlainText) return general;
  return (value) => (typeof value === "string" || value === null ? value : general(value));
}

/** A number without the zeros behind its point: a column of two decimals shows the whole number 1 as `1.00`. */
function plainNumber(value: Value): Value {
  if (Array.isArray(value)) return value.map(plainNumber);
  return typeof value === "string" ? (readDecimal(value.trim()) ?? value) : value;
}

/** Ids are texts and numbers; a blank one is none. */
export const asForeignId =
  (convert: Convert): Convert =>
  (value) => {
    if (typeof value === "boolean" || (typeof value === "object" && value !== null && !Array.isArray(value)))
      return new ConversionError("not_a_reference");
    const id = convert(value);
    return typeof id === "string" && id.trim() === "" ? null : id;
  };
