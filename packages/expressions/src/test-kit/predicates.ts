/** Random predicate trees and random rows for the tests that hold memory and SQL together. */
import type { Condition, Operand, Predicate, PredicateOperator } from "@accord/contracts/data/predicate";
import type { Value, Values } from "@accord/contracts/data/values";
import fc from "fast-check";
import { type FieldShape, kindOf } from "../values/kind.ts";
import { operatorsFor, OPERATORS } from "../predicate/operators.ts";

/** Two columns of most kinds, with names that need quoting. */
export const FIELDS: Readonly<Record<string, FieldShape>> = {
  Name: { dataType: "string" },
  'we"ird': { dataType: "string" },
  stage: { dataType: "picklist" },
  owner: { dataType: "reference" },
  select: { dataType: "reference" },
  size: { dataType: "integer" },
  Size2: { dataType: "integer" },
  ratio: { dataType: "double" },
  amount: { dataType: "decimal" },
  active: { dataType: "boolean" },
  born: { dataType: "date" },
  due: { dataType: "date" },
  seen: { dataType: "datetime" },
  saved: { dataType: "timestamp" },
  tags: { dataType: "picklist", isMultiValueField: true },
  codes: { dataType: "string", isMultiValueField: true },
  extra: { dataType: "object" },
  /** A field of the record that `owner` refers to. */
  "owner.Name": { dataType: "string" },
  "owner.born": { dataType: "date" },
};

/** Fields that lie in the row itself. */
export const OWN_FIELDS: Readonly<Record<string, FieldShape>> = Object.fromEntries(
  Object.entries(FIELDS).filter(([name]) => !name.includes(".")),
);

/** What the records have that `owner` refers to; one reference leads nowhere. */
export const OWNERS: Readonly<Record<string, Values>> = {
  "0123456789abcdef01234567": { Name: "Ann", born: "2024-02-29" },
  "0123456789abcdef01234568": { Name: null, born: null },
};

/** The row as a reader of dotted names sees it. */
export const valueIn =
  (name: string) =>
  (one: Values): Value | undefined => {
    if (!name.startsWith("owner.")) return one[name];
    return OWNERS[String(one["owner"])]?.[name.slice("owner.".length)] ?? null;
  };

/** Texts of a column of reference data, in small letters. */
export const REFERENCE_TEXTS: readonly string[] = ["a", "ab c", "é", "12", "'; drop table r; --"];

/** Few and similar texts, so that they meet; with folding, wildcards, quotes and wide characters among them. */
const text = fc.constantFrom(
  "a",
  "A",
  "ab",
  "Ab c",
  "B",
  "é",
  "É",
  "ß",
  "İ",
  "ΑΣ",
  "ας",
  "%",
  "_",
  "a_b",
  "axb",
  "\\",
  "'; drop table r; --",
  "{{x}}",
  "$1",
  "😀",
  "😀a",
  "ann@example.org",
  "http://a.b/c",
  "+49 30 123456",
  "12",
  "2024-02-29",
  "\n",
  "a\nb",
  " ",
  // Folding: dotless and dotted i, ligatures, titlecase, letters beyond the first plane; composed and in pieces.
  "ı",
  "I",
  "i",
  "i\u0307",
  "ﬁ",
  "ǅ",
  "ǆ",
  "ẞ",
  "K",
  "k",
  "𐐀",
  "𐐨",
  "Ω",
  "Ω",
  "e\u0301",
  "E\u0301",
  "👩‍👩‍👧",
  "\u200b",
  "\u00a0",
  "\t",
  "%%",
  "%_\\",
  "a%b",
  "\\%",
  "NaN",
  "Infinity",
  "-0",
  "1e308",
  "00",
  "null",
  "[",
  "(",
  "a*",
  '"',
);
const reference = fc.constantFrom("0123456789abcdef01234567", "0123456789abcdef01234568", "00000000000000000000000a");
const integer = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom<Value>(Number.MAX_SAFE_INTEGER, "9223372036854775807", "-9223372036854775808"),
);
const double = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    0.1,
    0.30000000000000004,
    -0.5,
    1,
    1e-7,
    5e-324,
    1e21,
    1e308,
    -1.7976931348623157e308,
    123456789.25,
  ),
  fc.integer({ min: -3, max: 3 }),
);
const decimal = fc.constantFrom(
  "0",
  "0.1",
  "-0.5",
  "1",
  "1.25",
  "12345678901234567890.123456789",
  "-3",
  `-${"9".repeat(60)}.${"1".repeat(60)}`,
  `0.${"0".repeat(100)}1`,
  `1${"0".repeat(300)}`,
);
const date = fc.constantFrom(
  "2024-02-28",
  "2024-02-29",
  "2024-03-01",
  "2024-03-31",
  "2026-11-21",
  "0001-01-01",
  "9999-12-31",
  "1883-11-18",
  "2026-01-01",
  "2026-11-15",
  "2026-11-16",
  "2026-12-31",
);
const moment = fc.constantFrom(
  "2024-02-28T23:00:00.000Z",
  "2024-02-29T00:00:00.000Z",
  "2024-03-31T00:59:59.999Z",
  "2024-03-31T01:00:00.000Z",
  "2024-10-27T00:30:00.000Z",
  "2026-11-21T10:00:00.000Z",
  "2026-11-20T23:30:00.000Z",
  "1969-12-31T23:59:59.999Z",
  "0001-01-01T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
  "2026-03-08T07:00:00.000Z",
  "2026-11-01T05:30:00.000Z",
  "1900-01-01T00:00:00.000Z",
);

function single(field: FieldShape): fc.Arbitrary<Value> {
  switch (kindOf({ ...field, isMultiValueField: false })) {
    case "text":
      return text;
    case "id":
      return reference;
    case "integer":
      return integer;
    case "double":
      return double;
    case "decimal":
      return decimal;
    case "boolean":
      return fc.boolean();
    case "date":
      return date;
    case "moment":
      return moment;
    default:
      return fc.constantFrom<Value>({}, { a: 1 }, []);
  }
}

/** A stored value of the field, blank now and then. */
export function storedValue(field: FieldShape): fc.Arbitrary<Value> {
  if (field.isMultiValueField) return fc.option(fc.array(single(field), { maxLength: 3 }), { nil: null });
  const value = kindOf(field) === "text" ? fc.oneof(single(field), fc.constant("")) : single(field);
  return fc.option(value, { nil: null, freq: 5 });
}

export const row: fc.Arbitrary<Values> = fc.record(
  Object.fromEntries(Object.entries(OWN_FIELDS).map(([name, field]) => [name, storedValue(field)])),
) as fc.Arbitrary<Values>;

const asText = (value: Value): Value => (typeof value === "number" ? String(value) : value);
const PATTERNS = [
  "a",
  "^a.b$",
  "[a-c]+",
  "\\d{1,2}",
  "^\\s*$",
  "(a|b)c?",
  "[^a]",
  "\\w@\\w",
  "x*",
  "a\\.b|%",
  "[-_]",
  "\\S\\D",
];

function right(operator: PredicateOperator, field: FieldShape): fc.Arbitrary<Operand[]> {
  const literal = (value: Value): Operand => ({ kind: "literal", value });
  const one = fc.oneof(single(field), single(field).map(asText)).map(literal);
  const other = fc
    .constantFrom(...Object.keys(FIELDS).filter((name) => comparable(field, FIELDS[name]!)))
    .map((name): Operand => ({ kind: "field", field: name }));
  const dayOrMoment = fc.oneof(date, moment).map(literal);
  const value = ["date", "moment"].includes(kindOf(field)) ? dayOrMoment : one;
  const either = fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: other });
  switch (OPERATORS[operator].right) {
    case "none":
      return fc.constant([]);
    case "two":
      return fc.tuple(either, either);
    case "list":
      return fc.array(kindOf(field) === "list" ? one : either, { minLength: 1, maxLength: 3 });
    case "amount":
      return fc.constantFrom(0, 1, 7, "30", 1200, 24_500, 100_000, 400_000).map((amount) => [literal(amount)]);
    case "length":
      return fc.constantFrom(0, 1, 2, "3").map((amount) => [literal(amount)]);
    case "dataset":
      return fc.constant([literal("words"), literal("word")]);
    case "pattern":
      return fc.constantFrom(...PATTERNS).map((pattern) => [literal(pattern)]);
    default:
      if (operator === "equals" || operator === "notEquals")
        return fc.oneof(either, fc.constant(literal(null)), fc.constant(literal(""))).map((operand) => [operand]);
      return either.map((operand) => [operand]);
  }
}

function comparable(a: FieldShape, b: FieldShape): boolean {
  const [left, right] = [kindOf(a), kindOf(b)];
  const isNumber = (kind: string) => ["integer", "double", "decimal"].includes(kind);
  const isTime = (kind: string) => ["date", "moment"].includes(kind);
  return left === right || (isNumber(left) && isNumber(right)) || (isTime(left) && isTime(right));
}

const condition: fc.Arbitrary<Condition> = fc
  .constantFrom(
    ...Object.entries(FIELDS).flatMap(([name, field]) =>
      operatorsFor(field, { referenceData: true }).map((operator) => ({ name, field, operator })),
    ),
  )
  .chain(({ name, field, operator }) =>
    right(operator, field).map((operands) => ({
      type: "condition" as const,
      left: { kind: "field" as const, field: name },
      operator,
      right: operands,
    })),
  );

export const predicate: fc.Arbitrary<Predicate> = fc.letrec<{ tree: Predicate }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    condition,
    fc.record({
      type: fc.constant("group" as const),
      combinator: fc.constantFrom("and" as const, "or" as const),
      children: fc.array(tie("tree"), { maxLength: 3 }),
    }),
  ),
})).tree;
