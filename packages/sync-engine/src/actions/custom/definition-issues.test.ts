/** Definitions of custom actions: each fault is found at its field. */
import { CustomActionInput } from "@accord/contracts/sync/actions";
import { expect, test } from "vitest";
import { customActionIssues } from "./definition-issues.ts";
import { customRequest, fixedOrigin } from "./request.ts";

const definition = (more: object = {}) =>
  CustomActionInput.parse({
    displayName: "Rate",
    apiName: "rate",
    endpoint: "https://example.com/{{who}}",
    variables: [{ name: "who" }],
    ...more,
  });
const paths = (more: object): string[] => customActionIssues(definition(more)).map(({ path }) => path);

test("a definition whose variables all exist has no issues", () => {
  expect(customActionIssues(definition({ body: '{"who": "{{who}}"}' }))).toEqual([]);
});

test.each([
  ["an unknown variable in the address", { endpoint: "https://example.com/{{x}}" }, ["endpoint"]],
  ["a variable as the host", { endpoint: "https://{{who}}/" }, ["endpoint"]],
  ["user and password in the address", { endpoint: "https://me:pw@example.com/" }, ["endpoint"]],
  ["an unknown variable in the body", { body: "{{x}}" }, ["body"]],
  ["the list of records without batches", { body: "{{records}}" }, ["body"]],
  ["an unknown variable in a header", { headers: [{ name: "A", value: "{{x}}" }] }, ["headers.0.value"]],
  ["a header that Accord sets", { headers: [{ name: "Host", value: "x" }] }, ["headers.0.name"]],
  [
    "the same header twice",
    {
      headers: [
        { name: "A", value: "" },
        { name: "a", value: "" },
      ],
    },
    ["headers.1.name"],
  ],
  [
    "the credential's header again",
    { authentication: { type: "apiKey", headerName: "X-Key" }, headers: [{ name: "x-key", value: "" }] },
    ["headers.0.name"],
  ],
  ["a variable twice", { variables: [{ name: "who" }, { name: "Who" }] }, ["variables.1.name"]],
  [
    "a variable named as the list",
    { isBatch: true, variables: [{ name: "who" }, { name: "records" }] },
    ["variables.1.name"],
  ],
  [
    "a default of another type",
    { variables: [{ name: "who", type: "number", defaultValue: "x" }] },
    ["variables.0.defaultValue"],
  ],
])("%s is found at its field", (_, more, wanted) => {
  expect(paths(more)).toEqual(wanted);
});

test("the request has no body for GET, its own time limit, and the credential over a header of that name", () => {
  const input = definition({ method: "GET", body: "x", timeoutSeconds: 5, headers: [{ name: "A", value: "{{who}}" }] });
  expect(customRequest(input, [{ who: "a/b" }], { authorization: "Bearer ••••" })).toMatchObject({
    method: "GET",
    url: "https://example.com/a%2Fb",
    headers: { a: "a/b", authorization: "Bearer ••••" },
    secretHeaders: ["authorization"],
    body: null,
    timeoutMs: 5_000,
  });
});

test.each([
  ["https://Example.com:443/x", "https://example.com"],
  ["http://a.example?q={{x}}", "http://a.example"],
  ["https://a{{x}}.example/", null],
  ["https://a.example\\@evil.example/", null],
  ["ftp://a.example/", null],
])("the origin of %s is %s", (endpoint, origin) => {
  expect(fixedOrigin(endpoint)).toBe(origin);
});
