/** What is dragged snaps to beginnings, middles and ends of what is near, and to nothing else. */
import { expect, test } from "vitest";
import { align, NO_ALIGNMENT } from "./alignment.ts";

const box = (x: number, y: number, width = 196, height = 52) => ({ x, y, width, height });

test("near the beginning of another card it snaps there, with a line that reaches both", () => {
  const found = align(box(104, 200), [box(100, 0, 300)], 6);
  expect(found.by).toEqual({ x: -4, y: 0 });
  expect(found.guides).toEqual([{ axis: "x", at: 100, from: 0, to: 252 }]);
});

test("middles and ends snap as well, on both axes at once; of equal cards the middle is shown alone", () => {
  const ends = align(box(203, 0), [box(100, 500, 300)], 6);
  expect(ends.by.x).toBe(1);
  const both = align(box(3, 96), [box(0, 300), box(600, 100)], 6);
  expect(both.by).toEqual({ x: -3, y: 4 });
  expect(both.guides.map(({ axis, at }) => [axis, at])).toEqual([
    ["x", 98],
    ["y", 126],
  ]);
});

test("the nearest of several is taken; beyond the distance nothing is", () => {
  expect(align(box(5, 0), [box(0, 300), box(8, 600)], 6).by.x).toBe(3);
  expect(align(box(7, 7), [box(0, 0)], 6)).toBe(NO_ALIGNMENT);
});
