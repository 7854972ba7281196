/** Times without a zone: told apart from others, and read and shown where clocks are put on and back. */
import { expect, test } from "vitest";
import { hasNoZone, momentInZone, timeInZone } from "./local-time.ts";

test.each([
  ["2026-01-31T12:00:00", true],
  ["2026-01-31 12:00", true],
  ["2026-01-31T12:00:00.123", true],
  ["2026-01-31", true],
  ["1/31/2026 12:00", true],
  ["2026-01-31T12:00:00Z", false],
  ["2026-01-31 12:00:00 +02", false],
  ["2026-01-31T12:00:00-0330", false],
  ["2026-01-31T12:00:00+05:30", false],
  ["1767182400", false],
  [1_767_182_400, false],
  [null, false],
  [undefined, false],
])("%s tells no zone: %s", (value, expected) => {
  expect(hasNoZone(value)).toBe(expected);
});

test.each([
  ["2026-01-31T11:00:00.000Z", "Europe/Vienna", "2026-01-31T12:00:00.000"],
  ["2026-07-31T10:00:00.123Z", "Europe/Vienna", "2026-07-31T12:00:00.123"],
  ["2026-01-31T02:00:00.000Z", "America/New_York", "2026-01-30T21:00:00.000"],
  ["2026-01-31T02:00:00.000Z", "Asia/Kolkata", "2026-01-31T07:30:00.000"],
  // Clocks are put on: what they skip is never shown.
  ["2026-03-29T00:59:59.000Z", "Europe/Vienna", "2026-03-29T01:59:59.000"],
  ["2026-03-29T01:00:00.000Z", "Europe/Vienna", "2026-03-29T03:00:00.000"],
])("%s on clocks of %s is %s, whether it begins or ends", (moment, zone, shown) => {
  expect(timeInZone(moment, zone, "start")).toBe(shown);
  expect(timeInZone(moment, zone, "end")).toBe(shown);
  expect(momentInZone(`${shown}Z`, zone)).toBe(moment);
});

test.each([
  ["the first", "2026-10-25T00:30:00.000Z"],
  ["the second", "2026-10-25T01:30:00.000Z"],
])("where clocks are put back neither half past two is left out: %s", (_, moment) => {
  expect(timeInZone(moment, "Europe/Vienna", "start")).toBe("2026-10-25T01:30:00.000");
  expect(timeInZone(moment, "Europe/Vienna", "end")).toBe("2026-10-25T03:30:00.000");
});

test("a zone that is not known here is taken for UTC", () => {
  expect(timeInZone("2026-01-31T12:00:00.000Z", "<-05>+05", "start")).toBe("2026-01-31T12:00:00.000");
});
