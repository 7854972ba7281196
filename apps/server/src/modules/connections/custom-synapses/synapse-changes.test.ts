/** What of a new version is said before it is published, and what of it has to be confirmed. */
import { HttpSynapseDefinition } from "@accord/contracts/connections/http-synapse-definition";
import { expect, test } from "vitest";
import { synapseChanges } from "./synapse-changes.ts";

const field = (apiName: string, more: object = {}) => ({ apiName, displayName: apiName, dataType: "string", ...more });
const FIRM = {
  apiName: "firm",
  displayName: "Firm",
  fields: [field("id"), field("name")],
  idField: "id",
  list: { path: "/firms" },
};
const SETTINGS = { displayName: "Register", endpoint: "https://register.example", authType: "oauth" };
const TEAMS = { name: "teams", multivalued: true };

const definition = (settings: object = {}, firm: object = {}) =>
  HttpSynapseDefinition.parse({
    settings: { variables: [TEAMS], ...SETTINGS, ...settings },
    entities: [{ entityId: "0".repeat(24), revision: 1, config: { ...FIRM, ...firm } }],
  });

/** Kinds, those that may break connections in capitals. */
const changesTo = (now: HttpSynapseDefinition, before = definition()): string[] =>
  synapseChanges(before, now).map(({ kind, isBreaking }) => (isBreaking ? kind.toUpperCase() : kind));

test("[PLT-128] other addresses and another way of signing in may break connections, scopes do not", () => {
  for (const member of ["authorizationUrl", "tokenUrl"])
    expect(changesTo(definition({ authConfig: { [member]: "https://other.example" } }))).toEqual(["ADDRESSCHANGED"]);
  for (const authConfig of [
    { apiKeyName: "X-Other" },
    { apiKeyPlace: "query" },
    { clientAuthentication: "body" },
    { issuer: "https://other.example" },
    { authorizationParameters: "access_type=offline" },
  ])
    expect(changesTo(definition({ authConfig }))).toEqual(["AUTHENTICATIONCHANGED"]);
  expect(changesTo(definition({ authType: "none" }))).toEqual(["AUTHENTICATIONCHANGED"]);
  expect(changesTo(definition({ authConfig: { scope: "read write" } }))).toEqual(["authenticationChanged"]);
});

test("[PLT-128] a variable of several values that takes one may break connections, the other way round does not", () => {
  const one = definition({ variables: [{ name: "teams" }] });
  expect(changesTo(one)).toEqual(["VARIABLECHANGED"]);
  expect(changesTo(definition(), one)).toEqual(["variableChanged"]);
});

test("[PLT-128] ids from another place in the answer are other ids", () => {
  const moved = { fields: [field("id", { path: "meta.id" }), field("name")] };
  expect(changesTo(definition({}, moved))).toEqual(["IDFIELDCHANGED", "callChanged"]);
  expect(changesTo(definition({}, { fields: [field("id", { path: "id" }), field("name")] }))).toEqual([]);
});

test("[PLT-128] other calls are listed; an operation is listed once", () => {
  for (const firm of [
    { list: { path: "/companies" } },
    { list: { path: "/firms", paging: { kind: "page" } } },
    { fields: [field("id"), field("name", { path: "title" })] },
    { lookup: { path: "/firms?name={{value}}", field: "name" } },
  ])
    expect(changesTo(definition({}, firm))).toEqual(["callChanged"]);
  expect(changesTo(definition({ headers: [{ name: "Accept", value: "application/json" }] }))).toEqual([
    "settingsChanged",
  ]);
  const written = definition({}, { update: { method: "PUT", path: "/firms/{{id}}" } });
  expect(changesTo(written)).toEqual([]);
  expect(changesTo(definition(), written)).toEqual(["OPERATIONREMOVED"]);
  expect(changesTo(definition({}, { displayName: "Company" }))).toEqual([]);
});
