/** Days of the calendar, beside what a `Date` makes of them. */
import { expect, test } from "vitest";
import { isDay } from "./calendar.ts";

test("each day of 800 years is one, and what follows the last of a month is none", () => {
  for (let year = 1800; year < 2600; year += 1)
    for (let month = 1; month <= 12; month += 1)
      for (let day = 28; day <= 32; day += 1) {
        const text = `${year}-${String(month).padStart(2, "0")}-${day}`;
        const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
        if (isDay(text) !== day <= last) expect.fail(`${text}: ${isDay(text)}`);
      }
});

test.each(["0000-01-01", "0000-02-29", "0004-02-29", "9999-12-31"])("%s is a day", (text) => {
  expect(isDay(text)).toBe(true);
});

test.each([
  "",
  "2026-1-1",
  "2026-00-10",
  "2026-13-10",
  "2026-01-00",
  "2026-02-30",
  "2026-01-01T",
  " 2026-01-01",
  "٢٠٢٦-٠١-٠١",
])("%j is none", (text) => {
  expect(isDay(text)).toBe(false);
});
