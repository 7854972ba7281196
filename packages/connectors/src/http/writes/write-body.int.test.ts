/** Records that are written to a real HTTP server in an envelope, beside members of a body of their own, or as a form. */
import { hashValue, type WriteOperation } from "@accord/connector-sdk";
import { connectTo, entityNamed, fieldNames } from "@accord/connector-sdk/test-kit";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import type { Values } from "@accord/contracts/data/values";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { companies, configFor } from "../../../test-systems/json-api-entities.ts";
import { API_KEY, startJsonApi, type JsonApi } from "../../../test-systems/json-api.ts";
import { httpConnector } from "../index.ts";

let api: JsonApi;
beforeEach(async () => {
  api = await startJsonApi(5);
});
afterEach(() => api.stop());

const plain = companies("all", { kind: "none" });
const create = { method: "POST" as const, path: "/all/companies" };
const update = { method: "PATCH" as const, path: "/all/companies/{{id}}" };

async function write(entity: HttpEntityInput, operation: WriteOperation) {
  const config = configFor(api.url, [entity]);
  const connection = connectTo(httpConnector, { config, authType: "apiKey", credentials: { apiKey: API_KEY } });
  const schema = await entityNamed(connection, "companies");
  return connection.write?.({ entity: schema, operations: [operation], fields: fieldNames(schema) });
}

const creation = (values: Values): WriteOperation => ({ kind: "create", values, idempotencyKey: "create" });
const change = (values: Values, expected?: Values): WriteOperation => ({
  kind: "update",
  id: "3",
  values,
  idempotencyKey: "update",
  ...(expected && {
    expected: Object.fromEntries(Object.entries(expected).map(([field, value]) => [field, hashValue(value)])),
  }),
});
const sentLast = (): unknown => JSON.parse(api.bodies.findLast((body) => body !== "") ?? "");

describe("a record in its place in the body", () => {
  test("goes into an envelope", async () => {
    api.habits.envelope = "company";
    const inEnvelope = { ...plain, create: { ...create, recordPath: "company" } };
    expect(await write(inEnvelope, creation({ name: "New", city: "Kiel" }))).toMatchObject([{ status: "done" }]);
    expect(sentLast()).toEqual({ company: { name: "New", address: { city: "Kiel" } } });
    expect([...api.companies.values()].at(-1)).toMatchObject({ name: "New", address: { city: "Kiel" } });
  });

  test("stands beside what the body says itself, which is filled first, and before the version", async () => {
    api.habits.envelope = "company";
    api.habits.versions = true;
    const version = { apiName: "version", displayName: "Version", dataType: "integer" as const, updateable: false };
    const entity: HttpEntityInput = {
      ...plain,
      fields: [...(plain.fields ?? []), version],
      update: {
        ...update,
        recordPath: "company",
        body: JSON.stringify({ by: "{{record.name}}", company: { safe_update: true, name: "gives way" } }),
      },
      concurrency: { kind: "versionField", field: "version", name: "company.version" },
    };
    expect(await write(entity, change({ name: "{{id}}" }))).toMatchObject([{ status: "done" }]);
    expect(sentLast()).toEqual({ by: "{{id}}", company: { safe_update: true, name: "{{id}}", version: 1 } });
    api.habits.beforeCall = (call) => {
      if (call.startsWith("PATCH")) api.touch(3, { name: "Edited there" });
    };
    expect(await write(entity, change({ name: "Ours" }, { name: "{{id}}" }))).toMatchObject([
      { status: "conflict", record: { values: { name: "Edited there" } } },
    ]);
  });

  describe("with a version of its own", () => {
    const version = { apiName: "version", displayName: "Version", dataType: "integer" as const, updateable: false };
    const versioned = (
      more: Partial<HttpEntityInput>,
      sentAt: Partial<typeof version & { writePath: string }> = {},
    ) => ({
      ...plain,
      fields: [...(plain.fields ?? []), { ...version, ...sentAt }],
      concurrency: { kind: "versionField" as const, field: "version" },
      ...more,
    });

    test("it stands among the record's values, where the version is written", async () => {
      api.habits.envelope = "company";
      const inEnvelope = { ...update, recordPath: "company" };
      api.habits.versions = true;
      expect(await write(versioned({ update: inEnvelope }), change({ name: "Ours" }))).toMatchObject([
        { status: "done" },
      ]);
      expect(sentLast()).toEqual({ company: { name: "Ours", version: 1 } });
      api.habits.versions = false;
      const elsewhere = versioned({ update: inEnvelope }, { writePath: "lock.version" });
      expect(await write(elsewhere, change({ name: "Ours again" }))).toMatchObject([{ status: "done" }]);
      expect(sentLast()).toEqual({ company: { name: "Ours again", lock: { version: 2 } } });
    });

    test("it goes along where the body names the whole record", async () => {
      api.habits.envelope = "company";
      api.habits.versions = true;
      const entity = versioned({ update: { ...update, body: JSON.stringify({ company: "{{json}}" }) } });
      expect(await write(entity, change({ name: "Ours" }))).toMatchObject([{ status: "done" }]);
      expect(sentLast()).toEqual({ company: { name: "Ours", version: 1 } });
    });

    test("deletions carry it too", async () => {
      api.habits.versions = true;
      const deletion: WriteOperation = { kind: "delete", id: "3", idempotencyKey: "delete" };
      expect(await write(versioned({}), deletion)).toMatchObject([{ status: "done" }]);
      expect(sentLast()).toEqual({ version: 1 });
    });

    test("a body that leaves no place for it is a problem", () => {
      const body = JSON.stringify({ name: "{{record.name}}" });
      const problemsOf = (more: Partial<HttpEntityInput>) =>
        httpConnector.editProblems(configFor(api.url, [versioned(more)]), null).map(({ path }) => path);
      expect(problemsOf({ update: { ...update, body } })).toEqual(["entities.0.update.body"]);
      // One that was stored before goes on, and stays as it is while others are edited.
      const stored = configFor(api.url, [versioned({ update: { ...update, body } })]);
      expect(httpConnector.problems(stored)).toEqual([]);
      expect(httpConnector.editProblems(stored, stored)).toEqual([]);
      expect(problemsOf({ delete: { method: "DELETE", path: "/all/companies/{{id}}", body } })).toEqual([
        "entities.0.delete.body",
      ]);
      expect(problemsOf({ update: { ...update, body, path: "/all/companies/{{id}}?version={{version}}" } })).toEqual(
        [],
      );
      expect(problemsOf({ update: { ...update, body, recordPath: "company" } })).toEqual([]);
      expect(problemsOf({ update: { ...update, body: '{"version":"{{ version }}"}' } })).toEqual([]);
    });
  });

  test("a body that has no such place is a fault of the description, and nothing is sent", async () => {
    const entity = { ...plain, update: { ...update, recordPath: "items[0]", body: "{}" } };
    await expect(write(entity, change({ name: "Ours" }))).rejects.toMatchObject({ kind: "configuration" });
    expect(api.calls.filter((call) => call.startsWith("PATCH"))).toEqual([]);
  });
});

describe("a record as a form", () => {
  const asForm: HttpEntityInput = { ...plain, bodyFormat: "form", create, update };

  test("is created with what it has inside, and changed; what is cleared is sent as an empty value", async () => {
    const values = { name: "A & B", size: 7, active: false, tags: ["x", "y"], city: "Lübeck" };
    const [made] = (await write(asForm, creation(values))) ?? [];
    expect(made).toMatchObject({ status: "done" });
    expect([...new URLSearchParams(api.bodies.at(-1))]).toEqual([
      ["name", "A & B"],
      ["size", "7"],
      ["active", "false"],
      ["tags[0]", "x"],
      ["tags[1]", "y"],
      ["address[city]", "Lübeck"],
    ]);
    const created = [...api.companies.values()].at(-1);
    expect(created).toMatchObject({
      name: "A & B",
      size: 7,
      active: false,
      tags: ["x", "y"],
      address: { city: "Lübeck" },
    });
    expect(await write(asForm, change({ email: null, size: null }, { name: "Company 3" }))).toMatchObject([
      { status: "done" },
    ]);
    expect(api.companies.get(3)).toMatchObject({ email: null, size: null, name: "Company 3" });
  });

  test("its described body is one too", async () => {
    const described = {
      ...asForm,
      update: { ...update, body: JSON.stringify({ name: "{{record.name}}", tags: ["z"] }) },
    };
    expect(await write(described, change({ name: "Ours" }))).toMatchObject([{ status: "done" }]);
    expect(api.companies.get(3)).toMatchObject({ name: "Ours", tags: ["z"] });
  });
});

test("a field that is cleared where others are sent is a problem, as it would take them along", () => {
  const field = (apiName: string, more: object) => ({ apiName, displayName: apiName, ...more });
  const problemsOf = (...fields: ReturnType<typeof field>[]) => {
    const entity = { ...plain, fields: [...(plain.fields ?? []), ...fields] };
    const at = plain.fields?.length ?? 0;
    return httpConnector
      .editProblems(configFor(api.url, [entity]), null)
      .map(({ path }) => path.replace(`.${at}.`, ".first."));
  };
  const PROBLEM = ["entities.0.fields.first.clearPath"];
  const street = field("street", { path: "home.street", clearPath: "home" });
  expect(problemsOf(street)).toEqual([]);
  expect(problemsOf(street, field("zip", { path: "home.zip" }))).toEqual(PROBLEM);
  expect(problemsOf(street, field("zip", { path: "homes.zip", writePath: 'home["zip"]' }))).toEqual(PROBLEM);
  expect(problemsOf(street, field("zip", { path: "$.home.place.zip" }))).toEqual(PROBLEM);
  expect(problemsOf(street, field("home", {}))).toEqual(PROBLEM);
  expect(problemsOf(street, field("homes", { path: "homes.zip" }))).toEqual([]);
  expect(problemsOf(street, field("zip", { path: "home.zip", writePath: "zip" }))).toEqual([]);
  expect(problemsOf(street, field("zip", { path: "home.zip", initializable: false, updateable: false }))).toEqual([]);
});

test("a refusal that complains by field is shown with the fields' names", async () => {
  const refused = { errors: { email: ["is invalid", "has already been taken"], phone: "is too long" } };
  api.habits.beforeCall = (call) =>
    call.startsWith("PATCH") ? { status: 422, text: JSON.stringify(refused) } : undefined;
  expect(await write(plain, change({ name: "Ours" }))).toMatchObject([
    {
      status: "rejected",
      message: expect.stringContaining("email is invalid; email has already been taken; phone is too long"),
    },
  ]);
});
