/** The order of test files follows the list of their seconds, which names files that are there. */
import { expect, test } from "vitest";
import { goneFiles, inOrder } from "./test-order.ts";

const file = (name: string, seconds: number) => ({ name, seconds });
const names = (files: readonly { name: string }[]): string => files.map(({ name }) => name).join(" ");

test("the longest file comes first, the shortest last", () => {
  expect(names(inOrder([file("short", 1), file("long", 90), file("middle", 20)]))).toBe("long middle short");
});

test("every file whose seconds are listed is there", () => {
  expect(goneFiles()).toEqual([]);
});
