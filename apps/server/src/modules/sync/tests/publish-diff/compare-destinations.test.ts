/** How it is said what becomes of a record at a destination, for each pair of what either version would do there. */
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import type { Value } from "@accord/contracts/data/values";
import { SecretFields } from "@accord/expressions";
import type { FieldVerdict } from "@accord/sync-engine/run";
import { expect, test } from "vitest";
import type { SimulatedDestination } from "../test-run/simulate.ts";
import { compareDestinations } from "./compare-destinations.ts";

type Outcome = Pick<SimulatedDestination, "outcome" | "fields" | "failure">;

const field = (
  connectorField: string,
  value: Value,
  verdict: FieldVerdict = "held_there",
  coreField = connectorField,
) => ({
  connectorField,
  coreField,
  value,
  verdict,
});
const at = (outcome: Outcome["outcome"], fields: Outcome["fields"] = [], failure: string | null = null): Outcome => ({
  outcome,
  fields,
  failure,
});
const compared = (before: Outcome | undefined, after: Outcome | undefined, secret: string[] = []) =>
  compareDestinations(before, after, SecretFields.named(secret));

const HELD = at("up_to_date", [field("city", "Rome")]);
const FILTERED = at("filtered", [field("city", "Rome")]);
const CREATE = at("create", [field("city", "Rome", "differs")]);
const UPDATE = at("update", [field("city", "Oslo", "differs")]);
const FAILED = at("failed", [], "It failed.");

test.each<[string, Outcome | undefined, Outcome | undefined, string | null]>([
  ["held under both", HELD, HELD, null],
  ["filtered under both", FILTERED, FILTERED, null],
  ["created under both", CREATE, CREATE, null],
  ["updated alike under both", UPDATE, UPDATE, null],
  ["failing alike under both", FAILED, FAILED, null],
  ["without the destination under both", undefined, undefined, null],
  ["filtered by the draft", HELD, FILTERED, "noLongerSent"],
  ["of a removed destination", HELD, undefined, "noLongerSent"],
  ["filtered before the destination was removed", FILTERED, undefined, null],
  ["let through by the draft, and held", FILTERED, HELD, "newlySent"],
  ["let through by the draft, and new", FILTERED, CREATE, "created"],
  ["of a new destination", undefined, CREATE, "created"],
  ["with another value", HELD, UPDATE, "updated"],
  ["that the published version would update", UPDATE, HELD, "left"],
  ["that fails", HELD, FAILED, "refused"],
  ["that no longer fails", FAILED, HELD, "newlySent"],
  ["that fails for another reason", FAILED, at("failed", [], "It failed otherwise."), "refused"],
  ["deleted", HELD, at("delete"), "deleted"],
  ["with a field less", HELD, at("up_to_date"), "noLongerSent"],
  ["with a value that does not fit", HELD, at("up_to_date", [field("city", "?", "not_convertible")]), "refused"],
])("a record %s", (_, before, after, change) => {
  expect(compared(before, after)?.change ?? null).toBe(change);
});

test("only fields that differ are listed, with what is held there", () => {
  const before = at("up_to_date", [field("name", "Ada"), field("city", "Rome"), field("old", 1)]);
  const after = at("update", [
    field("name", "Ada", "goes_along"),
    field("city", "Oslo", "differs"),
    field("new", 2, "differs"),
  ]);
  expect(compared(before, after)?.fields).toEqual([
    { field: "city", before: "Rome", after: "Oslo", isHeld: true, mapped: "both" },
    { field: "new", before: null, after: 2, isHeld: false, mapped: "draft" },
    { field: "old", before: 1, after: null, isHeld: true, mapped: "published" },
  ]);
});

test("a field that is only sent on creation makes no difference to a record that is there", () => {
  expect(compared(HELD, at("up_to_date", [field("city", "Oslo", "create_only")]))).toBeNull();
});

test("two secrets differ where their fields do, and neither is shown", () => {
  const before = at("up_to_date", [field("note", PASSWORD_MASK, "held_there", "city")]);
  const after = at("up_to_date", [field("note", PASSWORD_MASK, "held_there", "pin")]);
  expect(compared(before, after)).toMatchObject({
    change: "updated",
    fields: [{ field: "note", before: PASSWORD_MASK, after: PASSWORD_MASK }],
  });
  const plain = at("update", [field("note", "4711", "differs", "pin")]);
  expect(JSON.stringify(compared(HELD, plain, ["pin"]))).not.toContain("4711");
});
