/** Marks add up, replace each other and are taken away; what an address can't hold is refused. */
import { id } from "@accord/contracts";
import type { FilterMark } from "@accord/contracts/insights/cross-filter";
import { expect, test } from "vitest";
import { chosenAs, filtersOf, filtersOn, withMark, withoutMark } from "./choose-marks.ts";

const cardId = id("dataCard");
const [ONE, TWO] = [cardId.parse("1".repeat(24)), cardId.parse("2".repeat(24))];
const group = (column: string, value: string | null, isOthers = false) => ({ column, values: [value], isOthers });
const NO: FilterMark = [group("x", "NO")];
const SE: FilterMark = [group("x", "SE")];
const BOTH: FilterMark = [group("x", "NO"), group("series", "won")];

test("a mark takes the place of the card's others, or adds up with those about the same columns", () => {
  const first = withMark([], ONE, NO, false)!;
  expect(withMark(first, ONE, SE, false)).toEqual([{ cardId: ONE, marks: [SE] }]);
  expect(withMark(first, ONE, SE, true)).toEqual([{ cardId: ONE, marks: [NO, SE] }]);
  expect(withMark(first, ONE, BOTH, true)).toEqual([{ cardId: ONE, marks: [BOTH] }]);
  expect(withMark(first, TWO, SE, false)!.map((one) => one.cardId)).toEqual([ONE, TWO]);
  // What was chosen before its card was changed is about another column.
  const [old, now] = ["country", "region"].map((field): FilterMark => [{ ...group("x", "NO"), field }]);
  expect(withMark(withMark([], ONE, old!, false)!, ONE, now!, true)).toEqual([{ cardId: ONE, marks: [now] }]);
  // The newest is the last one, which Escape takes away first.
  expect(withMark(withMark(first, TWO, SE, false)!, ONE, SE, true)!.map((one) => one.cardId)).toEqual([TWO, ONE]);
});

test("a filter ends with its last mark", () => {
  const two = [{ cardId: ONE, marks: [NO, SE] }];
  expect(withoutMark(two, ONE, NO)).toEqual([{ cardId: ONE, marks: [SE] }]);
  expect(withoutMark(withoutMark(two, ONE, NO), ONE, SE)).toEqual([]);
});

test("a card is asked without its own filter, unless later ones were chosen under it", () => {
  const [one, two] = [ONE, TWO].map((card) => ({ cardId: card, marks: [NO] }));
  expect(filtersOn([one!, two!], TWO)).toEqual([one]);
  expect(filtersOn([one!, two!], ONE)).toEqual([one, two]);
  expect(filtersOn([one!], ONE)).toEqual([]);
  expect(filtersOn([one!], TWO)).toEqual([one]);
});

test("more than an address can hold is not chosen", () => {
  const long: FilterMark = [
    { column: "x", values: Array.from({ length: 900 }, (_, at) => `a long name ${at}`), isOthers: true },
  ];
  expect(withMark([], ONE, long, false)).toBeNull();
  // A Cyrillic letter takes six characters of an address.
  const named = (name: string): FilterMark => [
    { column: "x", values: Array.from({ length: 60 }, (_, at) => `${name} ${at}`), isOthers: true },
  ];
  expect(withMark([], ONE, named("Catherine the Great"), false)).not.toBeNull();
  expect(withMark([], ONE, named("Екатерина Великая"), false)).toBeNull();
});

test("a mark filters by all its columns or by one of them; a list or a cut text can't be chosen", () => {
  expect(filtersOf(NO)).toEqual([NO]);
  expect(filtersOf(BOTH)).toEqual([BOTH, [BOTH[0]], [BOTH[1]]]);
  expect(filtersOf([])).toEqual([]);
  expect(filtersOf([{ column: "x", values: [["a"]], isOthers: false }])).toEqual([]);
  expect(filtersOf([group("x", "a".repeat(1_001))])).toEqual([]);
});

test("a mark stands out where it is what was chosen, or a part of it", () => {
  expect(chosenAs([[group("x", "NO")]], BOTH)).toEqual([group("x", "NO")]);
  expect(chosenAs([BOTH], NO)).toBeUndefined();
  expect(chosenAs([[group("x", null)]], [group("x", "")])).toBeUndefined();
  expect(chosenAs([[group("x", "NO", true)]], [group("x", "SE", true)])).toBeDefined();
});
