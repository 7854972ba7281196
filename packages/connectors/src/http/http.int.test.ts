/** The JSON API connector against a real HTTP server: the conformance kit for several kinds of paging, and sign-in, templates, limits. */
import { testConnector } from "@accord/connector-sdk/test-kit";
import type { SystemUnderTest } from "@accord/connector-sdk/test-kit";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { describe } from "vitest";
import { API_KEY, startJsonApi, type Habits } from "../../test-systems/json-api.ts";
import { companies, configFor } from "../../test-systems/json-api-entities.ts";
import { closedPort, silentPort } from "../../test-systems/tcp-faults.ts";
import { httpConnector } from "./index.ts";

const nothing: HttpEntityInput = {
  apiName: "nothing",
  displayName: "Nothing",
  idField: "id",
  fields: [{ apiName: "id", displayName: "Id" }],
  list: { path: "/all/nothing", recordSelector: "items" },
};

async function startSystem(entity: HttpEntityInput, habits: Habits = {}): Promise<SystemUnderTest> {
  const api = await startJsonApi(30);
  Object.assign(api.habits, habits);
  const silent = await silentPort();
  const entities = [entity, nothing];
  let made = 0;
  return {
    config: configFor(api.url, entities),
    authType: "apiKey",
    credentials: { apiKey: API_KEY },
    entity: "companies",
    seeded: 30,
    emptyEntity: "nothing",
    expected: {
      idField: "id",
      types: { name: "string", size: "integer", active: "boolean", city: "string", updated_at: "datetime" },
    },
    outside: {
      create: async () => String(api.create({ name: `Outside ${(made += 1)}` }).id),
      update: async (id) => api.touch(Number(id), { name: `Touched ${(made += 1)}` }),
      remove: async (id) => void api.companies.delete(Number(id)),
    },
    writes: {
      valid: (n) => ({
        name: `Written ${n}`,
        email: `w+${n}@example.com`,
        size: 7,
        active: false,
        tags: ["x"],
        city: "Lübeck",
      }),
      change: { name: "Changed", size: null },
      invalid: { name: "", email: "broken@example.com" },
      missingId: "987654",
      lookupField: "email",
    },
    faults: {
      wrongCredentials: { apiKey: "guess-word-1" },
      unreachable: configFor(`http://127.0.0.1:${await closedPort()}`, entities),
      silent: configFor(`http://127.0.0.1:${silent.port}`, entities),
      untrustedCertificate: configFor(api.secureUrl, entities),
      async loseAnswers() {
        api.loseAnswers(true);
        return () => api.loseAnswers(false);
      },
      rateLimitNext: async (waitMs) => api.refuseNext(429, { "retry-after": String(waitMs / 1000) }),
      failNext: async () => api.refuseNext(503),
    },
    async stop() {
      await silent.stop();
      await api.stop();
    },
  };
}

const KINDS: [string, HttpEntityInput][] = [
  ["page numbers", companies("page", { kind: "page", sizeParam: "size", size: 4 })],
  ["offsets", companies("offset", { kind: "offset", size: 4 })],
  [
    "a cursor in the answer",
    companies("cursor", { kind: "cursor", cursorSelector: "paging.cursor", sizeParam: "size", size: 4 }),
  ],
  [
    "a next link in the answer",
    companies("next", { kind: "nextLink", linkSelector: "next", sizeParam: "size", size: 4 }),
  ],
  [
    "the id of the last record",
    companies("after", { kind: "lastRecord", sizeParam: "size", size: 4 }, { stop: { hasMoreSelector: "has_more" } }),
  ],
  ["a Link header", companies("link", { kind: "linkHeader", sizeParam: "size", size: 4 })],
  [
    "lists sorted by change",
    companies(
      "sorted",
      { kind: "page", sizeParam: "size", size: 4 },
      {
        watermark: { param: "updated_after", sorted: true, overlapSeconds: 2 },
      },
    ),
  ],
];

describe.each(KINDS)("with %s", (_, entity) => {
  testConnector({ definition: httpConnector, start: () => startSystem(entity) });
});

const byOffset = companies("offset", { kind: "offset", size: 8 });

const version = { apiName: "version", displayName: "Version", dataType: "integer" as const, updateable: false };

const withVersions: HttpEntityInput = { ...byOffset, fields: [...(byOffset.fields ?? []), version] };

const WRITING: [string, HttpEntityInput, Habits][] = [
  ["ETags", { ...byOffset, concurrency: { kind: "etag" } }, { etags: true }],
  ["ETags and answers without a record", { ...byOffset, concurrency: { kind: "etag" } }, { etags: true, quiet: true }],
  [
    "a version in the body",
    { ...withVersions, concurrency: { kind: "versionField", field: "version" } },
    { versions: true },
  ],
  [
    "a version in the address",
    { ...withVersions, concurrency: { kind: "versionField", field: "version", sendAs: "query" } },
    { versions: true },
  ],
  ["forms", { ...byOffset, bodyFormat: "form" }, {}],
];

describe.each(WRITING)("with %s", (_, entity, habits) => {
  testConnector({ definition: httpConnector, start: () => startSystem(entity, habits) });
});
