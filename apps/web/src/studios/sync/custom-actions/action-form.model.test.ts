/** The form of a custom action: what is wrong with it, what it would send, and how a record fills its test. */
import { ActionVariable } from "@accord/contracts/sync/actions";
import { expect, test } from "vitest";
import {
  apiNameFrom,
  differingFields,
  draftProblems,
  MASK,
  matchFields,
  NEW_ACTION,
  NO_SECRET,
  previewOf,
  renameVariable,
  toInput,
  withFields,
} from "./action-form.model.ts";
import { insertVariable, openedName } from "./parts/variable-text.model.ts";

const WORDS = { required: "is required", otherHost: "was entered for another host" };
const variable = (name: string, more: object = {}) => ActionVariable.parse({ name, ...more });
const DRAFT = {
  ...NEW_ACTION,
  displayName: "Rate",
  apiName: "rate",
  endpoint: "https://api.example.com/{{who}}",
  variables: [variable("who", { required: true })],
  variableValues: { who: "Ann" },
};

test("an empty form says which fields are required", () => {
  expect(Object.keys(draftProblems(NEW_ACTION, NO_SECRET, WORDS)).toSorted()).toEqual([
    "apiName",
    "displayName",
    "endpoint",
  ]);
});

test("[T15] a credential has to be entered once, and again where the host changes", () => {
  const bearer = { ...DRAFT, authentication: { type: "bearer" as const } };
  const stored = { hasSecret: true, origin: "https://api.example.com" };
  expect(draftProblems(bearer, NO_SECRET, WORDS)).toEqual({ secret: WORDS.required });
  expect(draftProblems(bearer, stored, WORDS)).toEqual({});
  const elsewhere = { ...bearer, endpoint: "https://else.example/{{who}}" };
  expect(draftProblems(elsewhere, stored, WORDS)).toEqual({ secret: WORDS.otherHost });
  expect(draftProblems({ ...elsewhere, secret: "s" }, stored, WORDS)).toEqual({});
});

test("the preview is the request that is sent, with the credential masked whether it is typed or stored", () => {
  const bearer = { ...DRAFT, authentication: { type: "bearer" as const }, secret: "top-secret" };
  const { request, problems } = previewOf(bearer, NO_SECRET);
  expect(request).toMatchObject({ url: "https://api.example.com/Ann", headers: { authorization: `Bearer ${MASK}` } });
  expect(problems.size).toBe(0);
  expect(previewOf(DRAFT, NO_SECRET).request.headers).toEqual({});
  expect([...previewOf({ ...DRAFT, variableValues: {} }, NO_SECRET).problems]).toEqual([["who", "needs a value"]]);
});

test("a secret that was not typed, or is of no use, is not sent", () => {
  expect(toInput({ ...DRAFT, secret: undefined })).not.toHaveProperty("secret");
  expect(toInput({ ...DRAFT, secret: "s" })).not.toHaveProperty("secret");
});

test("what differs from the version of somebody else is named by field", () => {
  expect(differingFields({ ...DRAFT, method: "PUT", secret: "s" }, DRAFT)).toEqual(["method", "secret"]);
});

test("fields of a record fill the variables of their names", () => {
  const fields = [
    { apiName: "companyName", displayName: "Name" },
    { apiName: "size", displayName: "Employee count" },
  ];
  const matched = matchFields([variable("company_name"), variable("employeeCount"), variable("other")], fields);
  expect([...matched]).toEqual([
    ["company_name", "companyName"],
    ["employeeCount", "size"],
  ]);
  expect(withFields({ other: "x" }, matched, { companyName: "Ann", size: 3 })).toEqual({
    other: "x",
    company_name: "Ann",
    employeeCount: 3,
  });
});

test("a renamed variable keeps its test value", () => {
  expect(renameVariable(DRAFT, 0, "name")).toMatchObject({
    variables: [{ name: "name", required: true }],
    variableValues: { name: "Ann" },
  });
});

test("names for the API come from the name", () => {
  expect(apiNameFrom("  Größe: notify 2 ")).toBe("gro_e_notify_2");
  expect(apiNameFrom("1st try")).toBe("st_try");
});

test("open braces before the caret ask for a variable, which takes their place", () => {
  expect(openedName("a {{na", 6)).toBe("na");
  expect(openedName("a {{na}} b", 10)).toBeNull();
  expect(insertVariable("a {{na b", 6, "name")).toEqual({ text: "a {{name}} b", caret: 10 });
  expect(insertVariable("a {{na}} b", 6, "name")).toEqual({ text: "a {{name}} b", caret: 10 });
  expect(insertVariable("ab", 1, "x")).toEqual({ text: "a{{x}}b", caret: 6 });
});
