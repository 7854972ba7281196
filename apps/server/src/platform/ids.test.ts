/** Ids: 24 characters, in the order of birth, never twice. */
import { isId } from "@accord/contracts";
import { expect, test } from "vitest";
import { makeNewId } from "./ids.ts";

const at = (time: number) => makeNewId({ now: () => new Date(time), monotonicMs: () => 0 });

test("a later id sorts after an earlier one", () => {
  const ids = [0, 1, 1_700_000_000_000, 1_700_000_000_001, 17_000_000_000_000].map((time) => at(time)());
  expect(ids.every(isId)).toBe(true);
  expect(ids.toSorted()).toEqual(ids);
});

test("ids of the same millisecond differ and stay in order", () => {
  const newId = at(1_700_000_000_000);
  const ids = Array.from({ length: 50_000 }, () => newId());
  expect(new Set(ids).size).toBe(50_000);
  expect(ids.every(isId)).toBe(true);
  expect(ids.toSorted()).toEqual(ids);
});
