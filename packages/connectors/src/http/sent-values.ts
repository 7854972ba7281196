/** Values that an API has in a form of its own: put in JSON around them, or as a text in parts. */
import { compileSelector, parseSelector, select } from "@accord/connector-sdk";
import type { HttpField } from "@accord/contracts/connections/http-entity";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { Value } from "@accord/contracts/data/values";
import { fillBody } from "./template.ts";

type Reader = (record: Value) => Value | undefined;

/** A text that is read in parts, as one; a list without parts is no text. */
export function joined({ partLength }: HttpField, get: Reader): Reader {
  if (!partLength) return get;
  return (record) => {
    const parts = get(record);
    if (!Array.isArray(parts)) return parts;
    return parts.length === 0 ? null : parts.map((part) => (typeof part === "string" ? part : "")).join("");
  };
}

/** Where an object is null, there is nothing in the places inside it either; where it is left out, the record says nothing of them. */
export function withinNothing(path: string, get: Reader): Reader {
  const steps = parseSelector(path);
  if (steps.length < 2) return get;
  return (record) => {
    const found = get(record);
    if (found !== undefined) return found;
    let outer: Value | undefined = record;
    for (const step of steps.slice(0, -1)) {
      outer = select(outer, [step]);
      if (outer === null) return null;
      if (outer === undefined || step.kind === "all") return undefined;
    }
    return undefined;
  };
}

/** Whether a record says that it shows only a part of a field's value. */
export function hasMore({ moreSelector }: HttpField): (record: Value) => boolean {
  if (moreSelector === "") return () => false;
  const more = compileSelector(moreSelector);
  return (record) => {
    const found = more(record);
    return found !== undefined && found !== null && found !== false && found !== "";
  };
}

/** A field's value as it goes into what is sent. */
export function sentValue(field: HttpField | undefined, value: Value): Value {
  if (!field) return value;
  const { sentAs, partLength, isMultiValueField } = field;
  const plain = field.dataType === "integer" ? wholeNumber(value) : value;
  const wrapped = (item: Value): Value => (sentAs === "" ? item : parseExactJson(fillBody(sentAs, { value: item })));
  if (partLength) return plain === null ? [] : partsOf(textOf(plain), partLength).map(wrapped);
  if (sentAs === "") return plain;
  // A list that is cleared has no items; nothing of any other kind is nothing.
  if (isMultiValueField) return plain === null ? [] : (Array.isArray(plain) ? plain : [plain]).map(wrapped);
  return plain === null ? null : wrapped(plain);
}

/** Whole numbers are numbers in JSON, those too that are digits here. */
function wholeNumber(value: Value): Value {
  if (Array.isArray(value)) return value.map(wholeNumber);
  return typeof value === "string" && /^-?\d+$/.test(value) ? JSON.rawJSON(value) : value;
}

const textOf = (value: Value): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** Parts of so many characters at most; none ends within a character of two code units. An empty text has none. */
function partsOf(text: string, length: number): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + length;
    const splits = length > 1 && /^[\uD800-\uDBFF]$/.test(text.charAt(end - 1)) && end < text.length;
    parts.push(text.slice(at, splits ? end - 1 : end));
    at = splits ? end - 1 : end;
  }
  return parts;
}
