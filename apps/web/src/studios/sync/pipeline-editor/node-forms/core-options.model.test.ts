/** Duplicate rules as a form and back. */
import { expect, test } from "vitest";
import { duplicatesForm, duplicatesProblems, knownIn, withDuplicatesForm } from "./core-options.model.ts";

const match = {
  type: "condition",
  left: { kind: "field", field: "email" },
  operator: "equals",
  right: [{ kind: "field", field: "email" }],
};
const words = { range: "range", match: "needed" };

test("duplicates are off at first, and only reported once they are on", () => {
  expect(duplicatesForm({})).toMatchObject({ deduplicate: false, reportOnly: true, maxDuplicates: 5, match: null });
});

test("what is set comes back, in its order; rows begun and not finished are left out", () => {
  const form = {
    ...duplicatesForm({}),
    deduplicate: true,
    reportOnly: false,
    match,
    winner: [{ rule: knownIn("crm") }, { rule: "newest" }, {}],
    fields: [{ field: "tags", policy: "concatenate" }, { field: "name" }],
  };
  const saved = withDuplicatesForm({ connectorId: "kept" }, form);
  expect(saved).toMatchObject({
    connectorId: "kept",
    deduplicate: true,
    merge: {
      reportOnly: false,
      match,
      winner: [{ rule: "hasExternalId", connectorId: "crm" }, { rule: "newest" }],
      fields: [{ field: "tags", policy: "concatenate" }],
    },
  });
  expect(duplicatesForm(saved)).toEqual({
    ...form,
    skipWhen: null,
    winner: form.winner.slice(0, 2),
    fields: form.fields.slice(0, 1),
  });
});

test("a number that can't be is said and not saved; without duplicates nothing is asked", () => {
  const form = { ...duplicatesForm({}), deduplicate: true, maxDuplicates: 0 };
  expect(duplicatesProblems(form, words)).toEqual({ maxDuplicates: "range", match: "needed" });
  expect(duplicatesProblems({ ...form, deduplicate: false }, words)).toEqual({});
  expect(withDuplicatesForm({ merge: { kept: true } }, form)["merge"]).toEqual({ kept: true });
});

test("code of merge rules comes back; what is written for the way that is not chosen stays", () => {
  const form = {
    ...duplicatesForm({}),
    ...{ deduplicate: true, match, winnerBy: "code", winnerCode: "function chooseWinner() {}" },
    ...{ valuesBy: "conditions", valuesCode: "function mergeValues() {}" },
  };
  const saved = withDuplicatesForm({}, form);
  expect(saved["merge"]).toMatchObject({ winnerBy: "code", winnerCode: form.winnerCode, valuesCode: form.valuesCode });
  expect(saved["merge"]).not.toHaveProperty("valuesBy");
  expect(duplicatesForm(saved)).toEqual({ ...form, skipWhen: null });
  expect(
    withDuplicatesForm({}, duplicatesForm({}))["merge"],
    "without code nothing of it is stored",
  ).not.toHaveProperty("winnerCode");
});
