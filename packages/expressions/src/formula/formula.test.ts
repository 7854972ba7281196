/** Formulas: reading, checking and computing them. */
import type { Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { column, printSql } from "../sql/fragment.ts";
import type { FieldShape } from "../values/kind.ts";
import { checkFormula } from "./check.ts";
import { FORMULA_FUNCTIONS } from "./functions/index.ts";
import { compileFormula } from "./memory.ts";
import { parseFormula } from "./parse.ts";
import { formulaSql } from "./sql.ts";

const FIELDS: Record<string, FieldShape> = {
  name: { dataType: "string" },
  amount: { dataType: "decimal" },
  size: { dataType: "integer" },
  due: { dataType: "date" },
  tags: { dataType: "string", isMultiValueField: true },
};
const ENV = { now: Date.parse("2026-11-21T10:00:00Z"), timeZone: "UTC", maxTextLength: 100 };

function checked(text: string, aggregates = false) {
  const parsed = parseFormula(text);
  if (!parsed.ok) throw new Error(parsed.problems[0]!.code);
  return checkFormula(parsed.formula, { field: (name) => FIELDS[name], tokenType: () => "decimal", aggregates });
}
function compute(text: string, row: Values = {}) {
  const formula = checked(text);
  if (!formula.ok) throw new Error(formula.problems[0]!.code);
  return compileFormula<Values>(formula, { field: (name) => (one) => one[name], token: () => () => 7 })(row, ENV);
}
const fault = (text: string, aggregates = false) => {
  const parsed = parseFormula(text);
  const problems = parsed.ok
    ? (checked(text, aggregates) as { problems?: { code: string; at: number }[] }).problems
    : parsed.problems;
  return problems?.map(({ code, at }) => [code, at])[0];
};

describe("computing", () => {
  test("binds as arithmetic does", () => {
    expect(compute("1 + 2 * 3 - -4 % 3")).toBe(8);
    expect(compute("(1 + 2) * 3 / 2")).toBe(4.5);
    expect(compute("not true or 1 < 2 and 2 >= 2")).toBe(true);
    expect(compute("0.1 + 0.2")).toBe(0.3);
  });
  test("null propagates; division by zero is null", () => {
    expect(compute("[amount] + 1", { amount: null })).toBeNull();
    expect(compute("1 / 0")).toBeNull();
    expect(compute("null = null")).toBeNull();
    expect(compute("coalesce(null, [size], 3)", { size: 2 })).toBe(2);
  });
  test("text compares without regard to case", () => {
    expect(compute("[name] = 'ACME'", { name: "acme" })).toBe(true);
    expect(compute("[name] in ('x', 'it''s')", { name: "IT'S" })).toBe(true);
  });
  test("words, patterns, remainders and forms of dates", () => {
    expect(compute("initcap('ANN o''neill-élan 2nd')")).toBe("Ann O'Neill-Élan 2nd");
    expect(compute("regex_extract('abc-123', '[0-9]+')")).toBe("123");
    expect(compute("regex_extract('abc', '[0-9]+')")).toBeNull();
    expect(compute("mod(-7, 3)")).toBe(-1);
    expect(compute("between([size], 1, 3) and equals('A', 'a')", { size: 3 })).toBe(true);
    expect(compute("format_date([due], 'd MMM yyyy')", { due: "2024-02-09" })).toBe("9 Feb 2024");
    expect(compute("parse_date('29.02.2023', 'dd.MM.yyyy')")).toBeNull();
    expect(compute("hour(to_timezone(now(), 'Asia/Tokyo'))")).toBe(19);
  });
  test("cases, tokens and dates", () => {
    const text = "case when [size] > 100 then 'large' when [size] > 10 then 'middle' else 'small' end";
    expect([500, 50, 5, null].map((size) => compute(text, { size }))).toEqual(["large", "middle", "small", "small"]);
    expect(compute("{{factor}} * 2")).toBe(14);
    expect(compute("date_add([due], 1, 'month')", { due: "2024-01-31" })).toBe("2024-02-29");
    expect(compute("date_diff('year', [due], today())", { due: "2024-12-31" })).toBe(2);
    expect(compute("[due] <= now()", { due: "2026-11-21" })).toBe(true);
  });
});

describe("faults have a code and a place", () => {
  test("in the text", () => {
    expect(fault("1 +")).toEqual(["unfinished", 3]);
    expect(fault("1 ; drop")).toEqual(["unexpected", 2]);
    expect(fault("(1, 2)")).toEqual(["unexpected", 2]);
    expect(fault("case 1 end")).toEqual(["unexpected", 5]);
    expect(fault(`${"(".repeat(100)}1`)?.[0]).toBe("too_deep");
  });
  test("in the types", () => {
    expect(fault("[name] + 1")).toEqual(["operand_types", 7]);
    expect(fault("[name] < 'a'")).toEqual(["text_order", 7]);
    expect(fault("[nope]")).toEqual(["unknown_field", 0]);
    expect(fault("[tags]")).toEqual(["multi_value_field", 0]);
    expect(fault("if([size], 1, 2)")?.[0]).toBe("argument_type");
    expect(fault("if(true, 1, 'a')")?.[0]).toBe("branches_differ");
    expect(fault("round()")?.[0]).toBe("argument_count");
    expect(fault("eval('1')")?.[0]).toBe("unknown_function");
    expect(fault("date_trunc([name], [due])")?.[0]).toBe("argument_fixed");
  });
  test("in zones, forms and order", () => {
    expect(fault("to_timezone(now(), 'Moon/Base')")?.[0]).toBe("argument_fixed");
    expect(fault("format_date([due], 'bogus')")?.[0]).toBe("argument_fixed");
    expect(fault("parse_date([name], 'yyyy-MM-dd HH:mm')")?.[0]).toBe("argument_fixed");
    expect(fault("between([name], 'a', 'b')")?.[0]).toBe("text_order");
  });
  test("of functions over rows", () => {
    expect(fault("rank([size])", true)?.[0]).toBe("window_not_here");
  });
  test("of aggregates", () => {
    expect(fault("sum([size])")?.[0]).toBe("aggregate_not_here");
    expect(fault("sum([size]) / count([name])", true)).toBeUndefined();
    expect(fault("sum(max([size]))", true)?.[0]).toBe("aggregate_nested");
    expect(fault("sum([size]) + [size]", true)?.[0]).toBe("field_outside_aggregate");
    expect(fault("percentile([size], [amount])", true)?.[0]).toBe("argument_fixed");
    expect(fault("percentile([size], 0.5 + {{share}})", true)).toBeUndefined();
  });
});

test("SQL binds every literal and quotes every name", () => {
  const formula = checked("concat([name], '; DROP TABLE r; --')");
  if (!formula.ok) throw new Error("not ok");
  const printed = printSql(
    formulaSql(formula, { ...ENV, column: (name) => ({ ...FIELDS[name]!, sql: column("r", name) }) }),
  );
  expect(printed).toEqual({
    text: '(left(concat(left("r"."name", 100), $1::text), 100))',
    params: ["; DROP TABLE r; --"],
  });
});

test("every function has words and a signature that begins with its name", () => {
  for (const one of FORMULA_FUNCTIONS) {
    expect(one.signature.startsWith(`${one.name}(`), one.name).toBe(true);
    expect(one.help.endsWith("."), one.name).toBe(true);
    expect(one.memory !== undefined || one.category === "aggregate", one.name).toBe(true);
  }
  expect(new Set(FORMULA_FUNCTIONS.map((one) => one.name)).size).toBe(FORMULA_FUNCTIONS.length);
});
