/** Times of the clock, as "since" needs them. */
import { expect, test } from "vitest";
import { clockTime } from "./relative-time.ts";

const at = (iso: string) => Date.parse(iso);

test("a moment is told by the clock alone today, with its date before, with its year in another year", () => {
  const now = at("2026-03-10T15:00:00Z");
  expect(clockTime(at("2026-03-10T14:59:52Z"), now, "UTC")).toBe("14:59");
  expect(clockTime(at("2026-03-10T00:05:00Z"), now, "UTC")).toBe("00:05");
  expect(clockTime(at("2026-03-09T23:59:00Z"), now, "UTC")).toBe("Mar 9, 23:59");
  expect(clockTime(at("2025-12-31T09:00:00Z"), now, "UTC")).toBe("Dec 31, 2025, 09:00");
  expect(clockTime(at("2026-03-09T23:59:00Z"), now, "Europe/Vienna"), "the same day there").toBe("00:59");
});
