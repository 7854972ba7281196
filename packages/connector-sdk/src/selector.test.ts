/** Paths into JSON: what they find, what they refuse, and that they stay linear. */
import { describe, expect, test } from "vitest";
import { childPath, compileSelector, findRecordLists, parseSelector, select } from "./selector.ts";

const answer = {
  data: {
    items: [
      { id: 1, tags: ["a"] },
      { id: 2, tags: [] },
    ],
    "next cursor": "x",
  },
  ok: true,
};

describe("a path into JSON", () => {
  test.for([
    ["", answer],
    ["$", answer],
    ["data.items[0].id", 1],
    ["$.data.items[-1].id", 2],
    ["data.items[*].id", [1, 2]],
    ["data.items[*].tags[0]", ["a"]],
    ['data["next cursor"]', "x"],
    ["data['next cursor']", "x"],
    ["data.items.id", undefined],
    ["ok.more", undefined],
    ["missing[3].deep", undefined],
  ] as const)("%s", ([path, expected]) => {
    expect(compileSelector(path)(answer)).toEqual(expected);
  });

  test.for(["a..b", "a[", "a[x]", "a]b", ".a", 'a["b', "a[1", "a.__proto__.b", `a${".b".repeat(40)}`, "x".repeat(600)])(
    "refuses %s and says why",
    (path) => {
      expect(() => parseSelector(path)).toThrow(/\w{4}/);
    },
  );

  test("names of inherited members are not found", () => {
    expect(select({}, parseSelector("constructor"))).toBeUndefined();
    expect(compileSelector("toString")({})).toBeUndefined();
  });

  test("a path built from a name leads back to its value", () => {
    for (const key of ["plain", "with space", "a.b", "a[0]", "$x", "ü"])
      expect(compileSelector(childPath("data", key))({ data: { [key]: 7 } })).toBe(7);
  });

  test("finds the lists of records in an answer, longest first", () => {
    expect(findRecordLists({ meta: [1, 2], a: { few: [{}] }, items: [{}, {}] })).toEqual([
      { path: "items", length: 2 },
      { path: "a.few", length: 1 },
    ]);
    expect(findRecordLists([{ id: 1 }])).toEqual([{ path: "$", length: 1 }]);
  });
});
