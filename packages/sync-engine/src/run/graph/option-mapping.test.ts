/** Options of two systems: matched by what they are called. */
import { FieldSchema } from "@accord/contracts/data/schema";
import { expect, test } from "vitest";
import { optionMapping } from "./option-mapping.ts";

const field = (options: Record<string, string>): FieldSchema =>
  FieldSchema.parse({
    apiName: "status",
    displayName: "Status",
    dataType: "picklist",
    picklist: Object.entries(options).map(([id, label]) => ({ id, label })),
  });

test("an option becomes the one with the same label, even where ids are the same and mean something else", () => {
  const map = optionMapping(
    field({ "1": "Open", "2": "Closed", "3": "On hold" }),
    field({ "1": "closed", "2": "OPEN" }),
  );
  expect(map?.("1")).toBe("2");
  expect(map?.("2")).toBe("1");
  expect(map?.(["1", "2"])).toEqual(["2", "1"]);
});

test("what the other system does not offer, and what is no option, stays as it is", () => {
  const map = optionMapping(field({ "1": "Open", "3": "On hold" }), field({ o: "Open" }));
  expect([map?.("3"), map?.("free text"), map?.(null)]).toEqual(["3", "free text", null]);
});

test("fields without options, or with the same ones, cost nothing", () => {
  expect(optionMapping(field({}), field({ a: "A" }))).toBeNull();
  expect(optionMapping(field({ a: "A" }), field({ a: "A" }))).toBeNull();
});
