/** Tests of how lag reads. */
import { expect, test } from "vitest";
import { lagText } from "./lag-text.ts";

test("lag is said in the largest unit that has passed whole", () => {
  expect([0.4, 59.9, 60, 3_599, 3_600, 86_399, 86_400, 200_000].map(lagText)).toEqual([
    ...["0 sec", "59 sec", "1 min", "59 min", "1 hr", "23 hr", "1 day", "2 days"],
  ]);
});
