/**
 * Values of other types than text in simulated histories. People enter short texts, which tell edits apart; systems show
 * readers a value of the field's type for each, in a spelling of their own, and take back what they are written. What
 * comes back bent in the slightest is no value that anybody entered.
 */
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import { readDecimal, sameValue } from "@accord/expressions";
import type { Rng } from "../rng.ts";

/** The field whose values are of another type. */
export const TYPED_FIELD = "phone";
/** A list that nobody edits: empty, null, blank items and none of these, each contact has its own. */
export const LIST_FIELD = "tags";

interface ValueType {
  schema: Partial<FieldSchema>;
  /** Spellings of the value that stands for the edit with this number; the first one is the core's. */
  spellings: (number: number) => readonly Value[];
  /** The core compares them otherwise than letter by letter. */
  normal?: (value: Value) => Value;
}

const DIGITS = "1234567890123456789012345670";

const VALUE_TYPES = {
  decimal: {
    schema: { dataType: "decimal" },
    spellings: (number) => [`${number}.0${DIGITS}5`, `${number}.0${DIGITS}500`, `00${number}.0${DIGITS}5`],
    normal: (value) => (typeof value === "string" ? readDecimal(value) : value),
  },
  list: {
    schema: { dataType: "string", isMultiValueField: true },
    spellings: (number) => [["", `e${number}`, null, ["x", null, ""]]],
  },
  object: {
    schema: { dataType: "object" },
    spellings: (number) =>
      [
        `{"id": ${number}${DIGITS}, "price": 1.10, "none": null, "list": [], "text": ""}`,
        `{"text": "", "list": [], "price": 1.100, "none": null, "id": ${number}${DIGITS}.0}`,
        `{"id": ${number}${DIGITS}, "price": 11e-1, "none": null, "list": [], "text": ""}`,
      ].map(parseExactJson),
  },
  moment: {
    schema: { dataType: "datetime" },
    spellings: (number) => [
      `2020-01-01T${new Date(number * 1000).toISOString().slice(11, 19)}.${number % 2 === 0 ? "123456" : "120"}Z`,
    ],
  },
  date: {
    schema: { dataType: "date" },
    spellings: (number) => [
      number % 2 === 0 ? `-${String(number).padStart(6, "0")}-03-15` : `+01${1000 + number}-02-28`,
    ],
  },
} as const satisfies Record<string, ValueType>;

export interface TypedValues {
  type: keyof typeof VALUE_TYPES;
  /** Nobody edits anything before all is at rest, and whoever has a contact has it alike. */
  isFirstLoad: boolean;
}

export const generateTypedValues = (rng: Rng): TypedValues => ({
  type: rng.pick(["decimal", "list", "object", "moment", "date"] as const),
  isFirstLoad: rng.bool(0.4),
});

/** The fields that a history's contacts have, with their types. */
export function typedFields({ type }: TypedValues): (Partial<FieldSchema> & { apiName: string })[] {
  return [
    { apiName: TYPED_FIELD, ...VALUE_TYPES[type].schema },
    { apiName: LIST_FIELD, dataType: "string", isMultiValueField: true },
  ];
}

const LISTS: readonly Value[] = [[], null, [""], [null], ["a", null], [["a"], [""]], ["a"]];

/** What a contact's list holds for ever. */
export function listOf(email: string): Value {
  const [number = "0"] = /\d+/.exec(email) ?? [];
  return LISTS[Number(number) % LISTS.length] ?? null;
}

/** A contact's values as they are entered, as readers are shown them; `style`: which of its spellings a system has. */
export function typedValues(types: TypedValues | null, entered: Values, style = 0): Values {
  const number = /^e(\d+)$/.exec(String(entered[TYPED_FIELD]))?.[1];
  if (!types || number === undefined) return entered;
  const spellings: readonly Value[] = VALUE_TYPES[types.type].spellings(Number(number));
  return { ...entered, [TYPED_FIELD]: spellings[style % spellings.length] ?? null };
}

/** The other way round. */
export function enteredValues(types: TypedValues | null, values: Values): Values {
  if (!types || !(TYPED_FIELD in values)) return values;
  return { ...values, [TYPED_FIELD]: enteredValue(types, TYPED_FIELD, values[TYPED_FIELD] ?? null) };
}

/** What somebody entered, of a value of this field; a text that nobody enters when it is none of those. */
export function enteredValue(types: TypedValues | null, field: string, value: Value): Value {
  if (!types || field !== TYPED_FIELD || value === null) return value;
  const { spellings, normal = (same: Value) => same }: ValueType = VALUE_TYPES[types.type];
  for (const number of numbersIn(JSON.stringify(value))) {
    if (spellings(number).some((spelling) => sameValue(normal(spelling), normal(value)))) return `e${number}`;
  }
  return `bent: ${JSON.stringify(value)}`;
}

/** Numbers of edits that a value may stand for. */
function numbersIn(text: string): number[] {
  const found = [...text.matchAll(/\d+/g)].flatMap(([digits]) => {
    const [own = digits] = digits.split(DIGITS);
    return [Number(own), Number(own) - 11_000];
  });
  const clock = /T(\d\d):(\d\d):(\d\d)/.exec(text);
  if (clock) found.push(Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]));
  return found;
}
