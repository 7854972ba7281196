/** How long renewals that failed wait. */
import { expect, test } from "vitest";
import { backOffMs } from "./back-off.ts";

test("waits grow with each failure up to a quarter of an hour, with up to a quarter taken off at random", () => {
  const waits = (random: number) => [1, 2, 3, 8, 9, 5000].map((failures) => backOffMs(failures, 0, () => random));
  expect(waits(0)).toEqual([5_000, 10_000, 20_000, 640_000, 900_000, 900_000]);
  expect(waits(1)).toEqual([3_750, 7_500, 15_000, 480_000, 675_000, 675_000]);
});

test("what the system asks for is waited, an hour at most", () => {
  expect([backOffMs(1, 120_000), backOffMs(1, 86_400_000)]).toEqual([120_000, 3_600_000]);
  expect(backOffMs(9, 1_000, () => 0)).toBe(900_000);
});
