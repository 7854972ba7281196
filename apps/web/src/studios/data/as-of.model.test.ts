/** Moments as an input shows them and as the address keeps them. */
import { expect, test } from "vitest";
import { inputOf, momentOf } from "./as-of.model.ts";

test("a moment survives the way through the input, up to the end of its second", () => {
  expect(momentOf(inputOf("2026-05-04T13:30:05.120Z"))).toBe("2026-05-04T13:30:05.999Z");
  expect(momentOf(inputOf("2026-01-31T23:59:00.000Z"))).toBe("2026-01-31T23:59:00.999Z");
});

test("what is no moment yet is none", () => {
  expect(momentOf("")).toBeUndefined();
  expect(momentOf("2026-13-01T00:00")).toBeUndefined();
  expect(inputOf("yesterday")).toBe("");
});
