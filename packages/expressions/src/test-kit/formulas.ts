/** Random well-typed formulas for the test that holds memory and SQL together. */
import type { Value, Values } from "@accord/contracts/data/values";
import fc from "fast-check";
import type { FieldShape } from "../values/kind.ts";
import type { BinaryOperator, Formula } from "../formula/parse.ts";

export const FORMULA_FIELDS: Readonly<Record<string, FieldShape>> = {
  name: { dataType: "string" },
  'od"d': { dataType: "picklist" },
  size: { dataType: "integer" },
  amount: { dataType: "decimal" },
  ratio: { dataType: "double" },
  active: { dataType: "boolean" },
  due: { dataType: "date" },
  seen: { dataType: "datetime" },
};

const nullable = (values: fc.Arbitrary<Value>) => fc.option(values, { nil: null, freq: 6 });
export const formulaRow: fc.Arbitrary<Values> = fc.record({
  name: nullable(
    fc.constantFrom(
      "Acme",
      "acme",
      "",
      " x ",
      "é",
      "É-1",
      "12",
      "-1.50",
      "😀a",
      "yes",
      "a,b,c",
      "İı",
      "ßẞ",
      "ΑΣ ας",
      "e\u0301x",
      "ǆ",
      "%_\\",
      "NaN",
      "1e400",
      "9".repeat(60),
      "\u00a0x\t",
    ),
  ),
  'od"d': nullable(fc.constantFrom("new", "NEW", "old", "'; --")),
  size: nullable(fc.oneof(fc.integer({ min: -5, max: 400 }), fc.constant<Value>("9007199254740993"))),
  amount: nullable(
    fc.constantFrom("0", "0.1", "-2.5", "2.5", "1234567.891", "100", `-${"9".repeat(40)}.5`, `0.${"0".repeat(40)}1`),
  ),
  ratio: nullable(fc.constantFrom(0, -0, 0.5, -1.25, 3, 1024, 1e15, -1e-9)),
  active: nullable(fc.boolean()),
  due: nullable(fc.constantFrom("2024-02-29", "2023-12-31", "2024-03-31", "1999-01-01")),
  seen: nullable(
    fc.constantFrom(
      "2024-03-31T00:59:59.999Z",
      "2024-03-31T01:00:00.000Z",
      "2024-10-27T00:30:00.000Z",
      "2024-12-31T23:30:00.000Z",
      "1969-07-20T20:17:40.500Z",
    ),
  ),
});

const at = 0;
const leaf = {
  number: (value: string): Formula => ({ type: "number", value, at }),
  text: (value: string): Formula => ({ type: "text", value, at }),
  boolean: (value: boolean): Formula => ({ type: "boolean", value, at }),
  field: (name: string): Formula => ({ type: "field", name, at }),
};
const call = (name: string, ...args: Formula[]): Formula => ({ type: "call", name, args, at });
const both = (operators: readonly BinaryOperator[], side: fc.Arbitrary<Formula>) =>
  fc
    .tuple(fc.constantFrom(...operators), side, side)
    .map(([operator, left, right]): Formula => ({ type: "binary", operator, left, right, at }));
const negative = (value: Formula): Formula => ({ type: "unary", operator: "-", value, at });

interface Kinds {
  integer: Formula;
  number: Formula;
  text: Formula;
  boolean: Formula;
  date: Formula;
  moment: Formula;
  any: Formula;
}

const UNITS = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];
const unit = fc.constantFrom(...UNITS).map(leaf.text);
const dayUnit = fc.constantFrom("day", "week", "month", "quarter", "year").map(leaf.text);
const smallInteger = fc.oneof(
  fc.integer({ min: 0, max: 5 }).map((value) => leaf.number(String(value))),
  fc.integer({ min: 1, max: 4 }).map((value) => negative(leaf.number(String(value)))),
);

export const formula: fc.Arbitrary<Formula> = fc.letrec<Kinds>((tie: fc.LetrecTypedTie<Kinds>) => {
  const options = { maxDepth: 3, depthIdentifier: "formula" };
  const choice = (kind: keyof Kinds) =>
    fc.tuple(tie("boolean"), tie(kind), tie(kind)).map((args) => call("if", ...args));
  const coalesced = (kind: keyof Kinds) => fc.tuple(tie(kind), tie(kind)).map((args) => call("coalesce", ...args));
  const time = fc.oneof(tie("date"), tie("moment"));
  return {
    integer: fc.oneof(
      options,
      fc.oneof(smallInteger, fc.constant(leaf.field("size"))),
      tie("text").map((text) => call("length", text)),
      fc.tuple(tie("text"), tie("text")).map((args) => call("position", ...args)),
      fc
        .tuple(fc.constantFrom("year", "quarter", "month", "week", "day", "day_of_week", "hour"), time)
        .map(([name, date]) => call(name, date)),
      fc.tuple(unit, time, time).map((args) => call("date_diff", ...args)),
      fc.oneof(tie("number"), tie("text")).map((value) => call("to_integer", value)),
      both(["+", "-", "*"], smallInteger),
    ),
    number: fc.oneof(
      options,
      fc.constantFrom(
        leaf.number("0.1"),
        leaf.number("12"),
        leaf.field("size"),
        leaf.field("amount"),
        leaf.field("ratio"),
      ),
      tie("integer"),
      both(["+", "-", "*", "/"], tie("number")),
      // Remainders of exact numbers alone: the last digit of a quotient may differ, and with it the whole remainder.
      both(["%"], fc.constantFrom(leaf.number("0.1"), leaf.number("7"), leaf.field("size"), leaf.field("amount"))),
      tie("number").map(negative),
      fc
        .tuple(fc.constantFrom("abs", "ceil", "floor", "sign", "sqrt", "ln", "log10"), tie("number"))
        .map(([name, value]) => call(name, value)),
      fc.tuple(tie("number"), smallInteger).map((args) => call("round", ...args)),
      tie("number").map((value) => call("power", value, leaf.number("2"))),
      fc
        .tuple(
          fc.constantFrom(leaf.field("size"), leaf.field("amount"), leaf.number("7.5")),
          fc.constantFrom(leaf.number("0"), leaf.number("3"), leaf.field("size")),
        )
        .map((args) => call("mod", ...args)),
      fc
        .tuple(fc.constantFrom("greatest", "least"), tie("number"), tie("number"))
        .map(([name, ...args]) => call(name, ...args)),
      fc.tuple(tie("number"), tie("number"), tie("number")).map((args) => call("safe_divide", ...args)),
      fc.oneof(tie("text"), tie("boolean"), tie("number")).map((value) => call("to_number", value)),
      choice("number"),
      coalesced("number"),
    ),
    text: fc.oneof(
      options,
      fc.constantFrom(
        leaf.field("name"),
        leaf.field('od"d'),
        leaf.text("a"),
        leaf.text("É"),
        leaf.text(""),
        leaf.text("'quoted'"),
      ),
      fc
        .tuple(tie("text"), fc.constantFrom("[a-z]+", "a|ab|a,b", "[0-9.]+", "\\w,\\w|x?").map(leaf.text))
        .map((args) => call("regex_extract", ...args)),
      fc
        .tuple(
          time,
          fc
            .constantFrom("yyyy-MM-dd", "d MMM yy, HH:mm:ss.SSS", "EEEE 'the' dd. MMMM", "h 'o\"clock' a", "M/d H:m:s")
            .map(leaf.text),
        )
        .map((args) => call("format_date", ...args)),
      fc
        .tuple(fc.constantFrom("upper", "lower", "trim", "initcap"), tie("text"))
        .map(([name, text]) => call(name, text)),
      fc.array(tie("text"), { minLength: 1, maxLength: 3 }).map((args) => call("concat", ...args)),
      fc
        .tuple(fc.constantFrom("left", "right"), tie("text"), tie("integer"))
        .map(([name, ...args]) => call(name, ...args)),
      fc.tuple(tie("text"), tie("integer"), smallInteger).map((args) => call("substring", ...args)),
      fc.tuple(tie("text"), tie("text"), tie("text")).map((args) => call("replace", ...args)),
      fc.tuple(tie("text"), fc.constant(leaf.text(",")), smallInteger).map((args) => call("split_part", ...args)),
      fc.tuple(tie("text"), smallInteger, tie("text")).map((args) => call("lpad", ...args)),
      fc
        .oneof(tie("boolean"), tie("date"), tie("moment"), tie("integer"), fc.constant(leaf.field("amount")))
        .map((value) => call("to_text", value)),
      fc.tuple(tie("text"), tie("text")).map((args) => call("nullif", ...args)),
      choice("text"),
    ),
    boolean: fc.oneof(
      options,
      fc.constantFrom(leaf.field("active"), leaf.boolean(true), leaf.boolean(false)),
      both(["=", "!="], tie("text")),
      both(
        ["=", "<", "<=", ">", ">=", "!="],
        fc.oneof(tie("integer"), fc.constantFrom(leaf.field("amount"), leaf.field("ratio"))),
      ),
      both(["=", "<", "<=", ">", ">=", "!="], time),
      both(["and", "or"], tie("boolean")),
      tie("boolean").map((value): Formula => ({ type: "unary", operator: "not", value, at })),
      fc
        .tuple(fc.constantFrom("starts_with", "ends_with", "contains"), tie("text"), tie("text"))
        .map(([name, ...args]) => call(name, ...args)),
      fc
        .tuple(tie("text"), fc.constantFrom("^[a-z]+$", "\\d", "A|é").map(leaf.text))
        .map((args) => call("regex_match", ...args)),
      tie("text").map((text) => call("to_boolean", text)),
      fc.tuple(tie("text"), tie("text")).map((args) => call("equals", ...args)),
      fc.tuple(time, time, time).map((args) => call("between", ...args)),
      fc.tuple(tie("integer"), smallInteger, tie("integer")).map((args) => call("between", ...args)),
      tie("any").map((value) => call("is_null", value)),
      fc
        .tuple(tie("text"), fc.array(tie("text"), { minLength: 1, maxLength: 3 }))
        .map(([value, items]): Formula => ({ type: "in", value, items, at })),
    ),
    date: fc.oneof(
      options,
      fc.constantFrom(leaf.field("due"), call("today")),
      fc.tuple(dayUnit, tie("date")).map((args) => call("date_trunc", ...args)),
      fc.tuple(tie("date"), smallInteger, dayUnit).map((args) => call("date_add", ...args)),
      tie("moment").map((moment) => call("to_date", moment)),
      fc
        .tuple(
          fc.constantFrom("2024-02-29", "29.2.2024", "2023-02-29", "0000-01-01", "12/31/1999", "x").map(leaf.text),
          fc.constantFrom("yyyy-MM-dd", "d.M.yyyy", "MM/dd/yyyy").map(leaf.text),
        )
        .map((args) => call("parse_date", ...args)),
      coalesced("date"),
    ),
    moment: fc.oneof(
      options,
      fc.constantFrom(leaf.field("seen"), call("now")),
      fc.tuple(unit, tie("moment")).map((args) => call("date_trunc", ...args)),
      fc.tuple(tie("moment"), smallInteger, unit).map((args) => call("date_add", ...args)),
      tie("date").map((date) => call("to_datetime", date)),
      fc
        .tuple(time, fc.constantFrom("Asia/Tokyo", "America/New_York").map(leaf.text))
        .map((args) => call("to_timezone", ...args)),
    ),
    any: fc.oneof(
      options,
      tie("number"),
      tie("text"),
      tie("boolean"),
      tie("date"),
      tie("moment"),
      fc
        .tuple(tie("boolean"), tie("number"), tie("integer"))
        .map(([when, value, otherwise]): Formula => ({ type: "case", branches: [{ when, value }], otherwise, at })),
    ),
  };
}).any;
