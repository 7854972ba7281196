/** A merge policy while it is edited. */
import { expect, test } from "vitest";
import { fieldOptions, isIncomplete, isSamePolicy } from "./merge-policy.model.ts";

const pair = (controlling: string, dependent: string) => ({ controlling, dependent });

test("[SYN-145] fields that a stored policy names can be taken out of it, also those that are gone", () => {
  const fields = [{ apiName: "country", displayName: "Country" }];
  const policy = { retainFields: ["country", "old"], dependentPicklists: [pair("old", ""), pair("older", "country")] };
  expect(fieldOptions(fields, policy, (field) => `${field} (deleted)`)).toEqual([
    { value: "country", label: "Country" },
    { value: "old", label: "old (deleted)" },
    { value: "older", label: "older (deleted)" },
  ]);
});

test("[SYN-145] a policy is stored once each pair has both fields, and only where something differs", () => {
  const policy = { retainFields: ["a"], dependentPicklists: [pair("b", "c")] };
  expect([isIncomplete(policy), isIncomplete({ ...policy, dependentPicklists: [pair("b", "")] })]).toEqual([
    false,
    true,
  ]);
  expect(
    isSamePolicy(policy, { retainFields: ["a"], dependentPicklists: [{ dependent: "c", controlling: "b" }] }),
  ).toBe(true);
  expect(isSamePolicy(policy, { ...policy, retainFields: ["a", "d"] })).toBe(false);
  expect(isSamePolicy(policy, { ...policy, dependentPicklists: [] })).toBe(false);
});
