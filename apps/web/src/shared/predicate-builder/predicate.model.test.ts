/** Editing conditions keeps what still makes sense and nothing else. */
import type { Condition, PredicateGroup } from "@accord/contracts/data/predicate";
import { expect, test } from "vitest";
import { describe } from "./describe.ts";
import {
  added,
  asGroup,
  changed,
  completeOnly,
  countConditions,
  EMPTY_GROUP,
  literalFrom,
  neighbourOf,
  newCondition,
  offeredOperators,
  withLeft,
  withOperator,
  withRight,
  type BuilderField,
  type BuilderScope,
} from "./predicate.model.ts";

const fields: BuilderField[] = [
  { apiName: "Name", displayName: "Name", dataType: "string" },
  { apiName: "City", displayName: "City", dataType: "string" },
  { apiName: "Amount", displayName: "Amount", dataType: "decimal" },
  { apiName: "Since", displayName: "Since", dataType: "date" },
  {
    apiName: "Stage",
    displayName: "Stage",
    dataType: "picklist",
    picklist: [
      { id: "won", label: "Won" },
      { id: "lost", label: "Lost" },
    ],
  },
];
const scope: BuilderScope = { fields };
const literal = (value: string | number) => ({ kind: "literal", value }) as const;
const condition = (field: string, operator: Condition["operator"], ...values: (string | number)[]): Condition => ({
  type: "condition",
  left: { kind: "field", field },
  operator,
  right: values.map(literal),
});

test("a new condition compares the first field", () => {
  expect(newCondition(scope)).toEqual(condition("Name", "equals"));
});

test("another field of the same kind keeps operator and value; of another kind only what fits", () => {
  const starts = condition("Name", "startsWith", "A");
  expect(withLeft(starts, { kind: "field", field: "City" }, scope)).toEqual(condition("City", "startsWith", "A"));
  expect(withLeft(starts, { kind: "field", field: "Amount" }, scope)).toEqual(condition("Amount", "equals"));
  expect(withLeft(condition("Name", "equals", "A"), { kind: "field", field: "Stage" }, scope).right).toEqual([]);
});

test("another operator keeps as many values as it takes", () => {
  expect(withOperator(condition("Amount", "between", 1, 2), "greater")).toEqual(condition("Amount", "greater", 1));
  expect(withOperator(condition("Amount", "equals", 1), "isBlank").right).toEqual([]);
  expect(withOperator(condition("Since", "equals", "2026-01-01"), "lastDays").right).toEqual([]);
});

test("operators fit the field's type, those about changes only inside a pipeline", () => {
  expect(offeredOperators(condition("Amount", "equals"), scope)).not.toContain("contains");
  expect(offeredOperators(condition("Amount", "equals"), scope)).not.toContain("hasChanged");
  expect(offeredOperators(condition("Amount", "equals"), { ...scope, pipeline: true })).toContain("hasChanged");
  expect(offeredOperators(condition("Amount", "contains"), scope)).toContain("contains");
});

test("groups nest: children are added, changed and removed by their position", () => {
  const inner: PredicateGroup = { type: "group", combinator: "or", children: [condition("Name", "equals", "a")] };
  let tree = added(EMPTY_GROUP, [], condition("City", "equals", "x"));
  tree = added(tree, [], inner);
  tree = added(tree, [1], condition("Name", "equals", "b"));
  expect(countConditions(tree)).toBe(3);
  tree = changed(tree, [1, 0], () => undefined);
  expect(tree.children[1]).toEqual({ ...inner, children: [condition("Name", "equals", "b")] });
  expect(neighbourOf([1, 1])).toEqual([1, 0]);
  expect(neighbourOf([1, 0])).toEqual([1]);
});

test("a single condition is edited as a group of one", () => {
  expect(asGroup(condition("Name", "isBlank")).children).toHaveLength(1);
  expect(asGroup(null)).toEqual(EMPTY_GROUP);
});

test("conditions still being written are left out of what is applied", () => {
  const tree: PredicateGroup = {
    type: "group",
    combinator: "and",
    children: [
      condition("Name", "equals"),
      condition("City", "isBlank"),
      condition("Amount", "between", 1),
      { type: "group", combinator: "or", children: [condition("Name", "contains")] },
    ],
  };
  expect(completeOnly(tree).children).toEqual([condition("City", "isBlank")]);
});

test("typed numbers keep every digit", () => {
  const amount = fields[2];
  expect(literalFrom("12.5", amount)).toBe(12.5);
  expect(literalFrom("12.50", amount)).toBe("12.50");
  expect(literalFrom("12345678901234567890", amount)).toBe("12345678901234567890");
  expect(literalFrom("", amount)).toBe(null);
  expect(literalFrom("12", fields[0])).toBe("12");
});

test("the second value of a range can be given first", () => {
  expect(withRight(condition("Amount", "between"), 1, literal(9)).right).toEqual([
    { kind: "literal", value: null },
    literal(9),
  ]);
});

test("a tree reads as a sentence", () => {
  const tree: PredicateGroup = {
    type: "group",
    combinator: "and",
    children: [
      condition("Stage", "inList", "won", "lost"),
      {
        type: "group",
        combinator: "or",
        children: [condition("Since", "lastDays", 7), condition("Since", "less", "2026-01-01")],
      },
      condition("Amount", "between", 1, 2),
    ],
  };
  expect(describe(tree, scope)).toBe(
    "Stage is one of Won, Lost and (Since is in the last 7 days or Since is before 2026-01-01) and Amount is between 1 and 2",
  );
});
