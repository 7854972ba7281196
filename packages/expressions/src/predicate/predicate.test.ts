/** Conditions: what may be compared, what they mean, and how they become SQL. */
import type { Condition, Operand, Predicate, PredicateOperator } from "@accord/contracts/data/predicate";
import type { Value, Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { column, printSql } from "../sql/fragment.ts";
import type { FieldShape } from "../values/kind.ts";
import { compilePredicate, valuesAccess } from "./memory.ts";
import { operatorsFor } from "./operators.ts";
import { dottedField } from "./references.ts";
import { checkPredicate, PredicateError } from "./plan.ts";
import { addMonths } from "../values/calendar.ts";
import { relativeDays } from "./relative-dates.ts";
import { predicateSql } from "./sql.ts";

const FIELDS: Record<string, FieldShape> = {
  name: { dataType: "string" },
  size: { dataType: "integer" },
  due: { dataType: "date" },
  seen: { dataType: "datetime" },
  active: { dataType: "boolean" },
  tags: { dataType: "picklist", isMultiValueField: true },
};
const NOW = Date.parse("2026-11-21T10:00:00Z");
const scope = { field: (name: string) => FIELDS[name], timeZone: "Europe/Berlin", hasVariable: () => true };

const literal = (value: Value): Operand => ({ kind: "literal", value });
const condition = (field: string, operator: PredicateOperator, ...right: (Value | Operand)[]): Condition => ({
  type: "condition",
  left: { kind: "field", field },
  operator,
  right: right.map((one) =>
    typeof one === "object" && one !== null && "kind" in one ? (one as Operand) : literal(one as Value),
  ),
});
const holds = (predicate: Predicate, row: Values) => compilePredicate(predicate, scope, valuesAccess).at(NOW)(row);
const codes = (predicate: Predicate) => checkPredicate(predicate, scope).map((problem) => problem.code);

describe("meaning", () => {
  test("text ignores case, blanks equal blanks, and a negative is the exact opposite", () => {
    expect(holds(condition("name", "equals", "ACME"), { name: "acme" })).toBe(true);
    expect(holds(condition("name", "equals", null), { name: "" })).toBe(true);
    expect(holds(condition("name", "notEquals", "x"), { name: null })).toBe(true);
    expect(holds(condition("name", "notContains", "x"), {})).toBe(true);
    expect(holds(condition("name", "matchesRegex", "^A"), { name: "acme" })).toBe(false);
  });
  test("a day compared with a moment means the whole day in the instance's zone", () => {
    const row = { seen: "2026-11-20T23:30:00.000Z" };
    expect(holds(condition("seen", "equals", "2026-11-21"), row)).toBe(true);
    expect(holds(condition("seen", "greater", "2026-11-20"), row)).toBe(true);
    expect(holds(condition("seen", "lessOrEqual", "2026-11-21"), row)).toBe(true);
    expect(holds(condition("seen", "today"), row)).toBe(true);
  });
  test("a condition on a variable without a value is left out", () => {
    const predicate = condition("name", "equals", { kind: "variable", apiName: "v" });
    const run = (value: Value) =>
      compilePredicate(predicate, scope, { ...valuesAccess, variable: () => value }).at(NOW)({ name: "a" });
    expect([run(null), run(""), run("b"), run(["b", "a"])]).toEqual([true, true, false, true]);
  });
  const variable: Operand = { kind: "variable", apiName: "v" };
  const group = (combinator: "and" | "or", ...children: Predicate[]): Predicate => ({
    type: "group",
    combinator,
    children,
  });
  test.each([
    ["a negative one", condition("name", "notEquals", variable), [true, true]],
    [
      "one of two, either of which is enough",
      group("or", condition("name", "equals", variable), condition("size", "greater", 5)),
      [false, true],
    ],
    [
      "all of a group",
      group("and", group("or", condition("name", "notInList", variable)), condition("size", "greater", 5)),
      [false, true],
    ],
    ["all there are", group("or", condition("name", "equals", variable)), [true, true]],
  ])("a condition on a variable without a value asks for nothing: %s", (_, predicate, wanted) => {
    const access = { ...valuesAccess, variable: () => null };
    const rows = [
      { name: "a", size: 1 },
      { name: "a", size: 9 },
    ];
    expect(compilePredicate(predicate, scope, access).run(rows, NOW)).toEqual(wanted);
  });
  test("what changed: at all, from a value, to a value", () => {
    const changes = { field: (name: string) => FIELDS[name], timeZone: "UTC", pipeline: true };
    const run = (predicate: Predicate, before: Values | null, now: Values) =>
      compilePredicate<Values>(predicate, changes, { ...valuesAccess, before: () => before }).at(NOW)(now);
    const [from, to] = [condition("name", "changedFrom", "New"), condition("name", "changedTo", "won")];
    expect(run(from, { name: "new" }, { name: "won" })).toBe(true);
    expect(run(to, { name: "new" }, { name: "Won" })).toBe(true);
    expect(run(from, { name: "new" }, { name: "new" }), "the same value has not changed").toBe(false);
    expect(run(to, null, { name: "won" }), "a new record comes from nothing").toBe(true);
    expect(run(from, null, { name: "won" })).toBe(false);
    expect(run(condition("name", "changedFrom", null), null, { name: "won" })).toBe(true);
    expect(run(condition("size", "changedTo", 5), { size: 4 }, { size: "5" })).toBe(true);
  });
  test("reference data is looked into by text; blank is never in it", () => {
    const here = { ...scope, hasReferenceData: (dataset: string, column: string) => dataset === "d" && column === "c" };
    const access = { ...valuesAccess, referenceData: () => (text: string) => text === "gmail.com" };
    const run = (operator: PredicateOperator, name: Value) =>
      compilePredicate(condition("name", operator, "d", "c"), here, access).at(NOW)({ name });
    expect(["Gmail.com", "acme.com", null].map((name) => run("inReferenceData", name))).toEqual([true, false, false]);
    expect(["Gmail.com", "acme.com", null].map((name) => run("notInReferenceData", name))).toEqual([false, true, true]);
    expect(checkPredicate(condition("name", "inReferenceData", "d", "x"), here)[0]?.code).toBe(
      "reference_data_unknown",
    );
    expect(codes(condition("name", "inReferenceData", "d", "c"))).toEqual(["reference_data_unknown"]);
  });
  test("a dotted name leads through references to a field of another record", () => {
    const fields: Record<string, Record<string, FieldShape & { referenceTo?: string }>> = {
      account: { owner: { dataType: "reference", referenceTo: "user" }, name: { dataType: "string" } },
      user: { email: { dataType: "string" }, boss: { dataType: "reference", referenceTo: "user" } },
    };
    const find = (name: string) => dottedField(name, "account", (entity, field) => fields[entity]?.[field]);
    expect(find("owner.boss.email")).toMatchObject({ name: "email", steps: [{ to: "user" }, { to: "user" }] });
    for (const name of ["name", "name.email", "owner.nope", "owner.boss.boss.boss.email", "owner."])
      expect(find(name), name).toBeNull();
  });
  test("an empty group is true", () => {
    expect(holds({ type: "group", combinator: "or", children: [] }, {})).toBe(true);
  });
});

describe("checking", () => {
  test("each fault is told with its place", () => {
    const tree: Predicate = {
      type: "group",
      combinator: "and",
      children: [
        condition("nope", "equals", 1),
        { type: "group", combinator: "or", children: [condition("size", "contains", "a")] },
      ],
    };
    expect(checkPredicate(tree, scope).map(({ path, code }) => [path, code])).toEqual([
      [[0], "unknown_field"],
      [[1, 0], "operator_not_for_type"],
    ]);
  });
  test("what can't match is a fault", () => {
    expect(codes(condition("size", "equals", "many"))).toEqual(["value_not_of_type"]);
    expect(codes(condition("due", "lastDays", "1.5"))).toEqual(["amount_not_whole"]);
    expect(codes(condition("size", "between", 1))).toEqual(["right_missing"]);
    expect(codes(condition("size", "isBlank", 1))).toEqual(["right_not_wanted"]);
    expect(codes(condition("size", "equals", { kind: "field", field: "name" }))).toEqual(["types_differ"]);
    expect(codes(condition("name", "hasChanged"))).toEqual(["change_not_here"]);
  });
  test("very many conditions, and very many values, are refused", () => {
    const group = (length: number): Predicate => ({
      type: "group",
      combinator: "or",
      children: Array.from({ length }, () => condition("name", "contains", "a")),
    });
    expect(codes({ type: "group", combinator: "and", children: [group(200), group(200), group(100)] })).toEqual([]);
    expect(codes({ type: "group", combinator: "and", children: [group(200), group(200), group(101)] })).toEqual([
      "too_many_conditions",
    ]);
    const numbers = Array.from({ length: 1_000 }, (_, index) => index);
    const lists = Array.from({ length: 40 }, () => condition("size", "inList", ...numbers));
    const wide: Predicate = { type: "group", combinator: "or", children: lists };
    const print = () =>
      predicateSql(wide, {
        column: (name) => FIELDS[name] && { ...FIELDS[name], sql: column("r", name) },
        timeZone: "UTC",
        now: NOW,
      });
    expect(print).toThrow(PredicateError);
  });
  test("[T22] regular expressions that don't run in linear time are refused", () => {
    expect(codes(condition("name", "matchesRegex", "(?=a)b"))).toEqual(["regex_invalid"]);
    expect(codes(condition("name", "matchesRegex", "(a)\\1"))).toEqual(["regex_invalid"]);
    expect(codes(condition("name", "matchesRegex", "((a{1,100}){1,100}){1,100}"))).toEqual(["regex_invalid"]);
  });
  test("[T22] a catastrophic pattern is harmless", () => {
    expect(holds(condition("name", "matchesRegex", "(a+)+$"), { name: `${"a".repeat(50_000)}!` })).toBe(false);
  });
  test("operators are offered by the field's type", () => {
    expect(operatorsFor(FIELDS["active"]!)).toEqual([
      "equals",
      "notEquals",
      "isBlank",
      "isNotBlank",
      "isTrue",
      "isFalse",
    ]);
    expect(operatorsFor(FIELDS["tags"]!)).not.toContain("contains");
    expect(operatorsFor(FIELDS["name"]!, { pipeline: true })).toContain("hasChanged");
  });
});

describe("SQL", () => {
  const columns = (name: string) => FIELDS[name] && { ...FIELDS[name], sql: column("r", name) };
  const print = (predicate: Predicate) =>
    printSql(predicateSql(predicate, { column: columns, timeZone: "UTC", now: NOW, variable: () => null }));

  test("values are bound, never written", () => {
    expect(print(condition("name", "equals", "x'; DROP TABLE r; --"))).toEqual({
      text: 'lower("r"."name" COLLATE "und-x-icu") = $1::text',
      params: ["x'; drop table r; --"],
    });
  });
  test("a date-time on a day is a range that an index can serve", () => {
    expect(print(condition("seen", "equals", "2026-11-21"))).toEqual({
      text: '("r"."seen" >= $1::timestamptz AND "r"."seen" < $2::timestamptz)',
      params: ["2026-11-21T00:00:00.000Z", "2026-11-22T00:00:00.000Z"],
    });
  });
  test("an unknown field is refused", () => {
    expect(() => print(condition('name" = 1 OR "1', "equals", 1))).toThrow(PredicateError);
  });
  test("expressions that PostgreSQL would read otherwise are refused", () => {
    expect(() => print(condition("name", "matchesRegex", "\\bword\\b"))).toThrow(PredicateError);
  });
});

describe("relative days", () => {
  const range = (operator: PredicateOperator, amount = 0) => relativeDays(operator, amount, NOW, "UTC");
  const iso = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
  const shown = (operator: PredicateOperator, amount = 0) => {
    const days = range(operator, amount)!;
    return [iso(days.first), iso(days.last)];
  };
  test("last and next include today, weeks begin on Monday", () => {
    expect(shown("lastDays", 7)).toEqual(["2026-11-14", "2026-11-21"]);
    expect(shown("lastWeeks", 2)).toEqual(["2026-11-07", "2026-11-21"]);
    expect(shown("nextWeeks", 1)).toEqual(["2026-11-21", "2026-11-28"]);
    expect(shown("nextMonths", 1)).toEqual(["2026-11-21", "2026-12-21"]);
    expect(shown("thisWeek")).toEqual(["2026-11-16", "2026-11-22"]);
    expect(shown("thisQuarter")).toEqual(["2026-10-01", "2026-12-31"]);
    expect(shown("thisYear")).toEqual(["2026-01-01", "2026-12-31"]);
  });
  test("months keep the day or end with a shorter month", () => {
    const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000;
    expect(iso(addMonths(day("2024-01-31"), 1))).toBe("2024-02-29");
    expect(iso(addMonths(day("2024-03-31"), -13))).toBe("2023-02-28");
  });
});
