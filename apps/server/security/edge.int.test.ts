/** What holds for every endpoint at the edge: forgery, sessions, bodies, repeats. Generated from the endpoint objects. */
import { API_PREFIX, CSRF, type AnyEndpoint, type ErrorBody } from "@accord/contracts";
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requestFor } from "../test-kit/caller.ts";
import { databaseHash } from "../test-kit/generated/database-hash.ts";
import { validInput, type Made } from "../test-kit/generated/inputs.ts";
import { defOf } from "../test-kit/generated/schema-walk.ts";
import { testApp, type Caller, type Place, type TestApp } from "../test-kit/index.ts";

let t: TestApp;
let own: Place;
let caller: Caller;
let otherToken: string;
/** What reading and refused calls are made with. */
const made: Made = new Map();

beforeAll(async () => {
  t = await testApp();
  own = { organisationId: t.organisationId, instanceId: t.instanceId };
  caller = await t.asUser(await t.build.user({ roles: ["SUPER_ADMIN"], orgAdmin: true, superAdmin: true }));
  otherToken = t.forgery.token((await t.asUser(await t.build.user({ roles: ["VIEWER"] }))).sessionId);
});

const named = (endpoints: readonly AnyEndpoint[]) => endpoints.map((endpoint) => [endpoint.name, endpoint] as const);
const url = (endpoint: AnyEndpoint) => `${API_PREFIX}${endpoint.path.replace(/:\w+/g, "0".repeat(24))}`;
const method = (endpoint: AnyEndpoint) => endpoint.method;
const forStaff = ENDPOINTS.filter(({ access }) => access !== "shareViewer");
const writes = forStaff.filter((endpoint) => endpoint.method !== "GET");
const reads = forStaff.filter((endpoint) => endpoint.method === "GET");
const withJson = writes.filter((endpoint) => endpoint.body && (endpoint.bodyKind ?? "json") === "json");
/** Bodies that are a value of the caller's own making, or whose shape is checked by what they describe. */
const hasKnownKeys = (endpoint: AnyEndpoint) => endpoint.body !== undefined && defOf(endpoint.body).type === "object";

/** All calls of a group are refused: everything stored is the same after the last as before the first. */
function nothingChanges(): void {
  let before: string;
  beforeAll(async () => {
    before = await databaseHash(t);
  });
  afterAll(async () => {
    expect(await databaseHash(t), "a refused call changed something").toBe(before);
  });
}

describe("[T8] [PLT-107] a write must come from our own page", () => {
  nothingChanges();

  test.each(named(writes))("%s", async (_, endpoint) => {
    const request = { method: method(endpoint), url: url(endpoint), ...requestBody(endpoint) };
    const forged = [
      { [CSRF.header]: "" },
      { [CSRF.header]: otherToken },
      { [CSRF.header]: "0".repeat(64) },
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of forged) {
      const answer = await caller.raw({ ...request, headers: { ...request.headers, ...headers } });
      expect([answer.status, (answer.body as ErrorBody).code], JSON.stringify(headers)).toEqual([
        403,
        "forgery_check_failed",
      ]);
    }
  });
});

describe("reading changes nothing", () => {
  test.each(named(reads))("%s", async (_, endpoint) => {
    const input = await validInput(t, endpoint, own, { made });
    const before = await databaseHash(t);
    const answer = await caller.send(endpoint, input);
    expect(answer.status, JSON.stringify(answer.body)).not.toBe(500);
    expect(await databaseHash(t)).toBe(before);
  });
});

describe("[T3] nobody sets what is not theirs to set", () => {
  // What the inputs need is made before the first look.
  beforeAll(async () => {
    for (const endpoint of withJson.filter(hasKnownKeys)) await validInput(t, endpoint, own, { made });
  });
  nothingChanges();

  const EXTRAS = {
    orgAdmin: true,
    isSuperAdmin: true,
    superAdmin: true,
    instanceId: "0".repeat(24),
    orgId: "0".repeat(24),
    seeded: true,
    status: "ACTIVE",
    id: "1".repeat(24),
    version: 99,
    createdBy: "x",
  };

  test.each(named(withJson.filter(hasKnownKeys)))("%s refuses fields it does not know", async (_, endpoint) => {
    const input = await validInput(t, endpoint, own, { made });
    const shape = defOf(endpoint.body as never).shape ?? {};
    for (const [key, value] of Object.entries(EXTRAS)) {
      if (key in shape) continue;
      const answer = await caller.send(endpoint, { ...input, body: { ...(input.body as object), [key]: value } });
      expect(answer.status, `${key}: ${JSON.stringify(answer.body)}`).toBe(400);
      expect((answer.body as ErrorBody).errors).toContainEqual({ path: key, message: "is not a known field" });
    }
  });
});

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("[T23] hostile bodies", () => {
  nothingChanges();

  test.each(named(withJson))("%s", async (_, endpoint) => {
    const sendText = (payload: string, type = "application/json") =>
      caller.raw({ method: method(endpoint), url: url(endpoint), payload, headers: { "content-type": type } });
    for (const payload of [
      '{"__proto__":{"polluted":1}}',
      '{"a":{"__proto__":{"polluted":1}}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      '{"\\u005f_proto__":{"polluted":1}}',
      "{",
      '{"a":1,}',
      deep(65),
    ]) {
      const answer = await sendText(payload);
      expect([answer.status, (answer.body as ErrorBody).code], payload.slice(0, 60)).toEqual([400, "malformed_body"]);
    }
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/jsonx",
      "multipart/form-data; boundary=x",
      "application/yaml",
    ]) {
      expect((await sendText("{}", type)).status, type).toBe(415);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("[T23] the limits of a body", () => {
  test("a body of more than 1 MB is refused, one of 64 levels is read", async () => {
    const target = { method: "POST" as const, url: `${API_PREFIX}/user/preference/home` };
    const headers = { "content-type": "application/json" };
    const big = await caller.raw({ ...target, headers, payload: `"${"x".repeat(1024 * 1024)}"` });
    expect([big.status, (big.body as ErrorBody).code]).toEqual([413, "body_too_large"]);
    expect((await caller.raw({ ...target, headers, payload: deep(64) })).status).toBe(200);
  });
});

describe("[T23] a text that no database holds", () => {
  test("is refused by the name of its field, in bodies and in addresses", async () => {
    const message = "holds a character that can't be stored";
    const target = { method: "POST" as const, url: `${API_PREFIX}/user/preference/home` };
    const headers = { "content-type": "application/json" };
    for (const [payload, path] of [
      ['{"a":[{"b":"x\\u0000"}]}', "a.0.b"],
      ['{"a":"half of one: \\ud83d"}', "a"],
      ['{"a":{"\\u0000":1}}', "a"],
    ] as const) {
      const { status, body } = await caller.raw({ ...target, headers, payload });
      expect([status, (body as ErrorBody).errors]).toEqual([400, [{ path, message }]]);
    }
    const { status, body } = await caller.raw({ method: "GET", url: `${API_PREFIX}/pipelines?search=%00` });
    expect([status, (body as ErrorBody).errors]).toEqual([400, [{ path: "search", message }]]);
  });
});

describe("[PLT-088] an id has exactly 24 characters", () => {
  const withIds = ENDPOINTS.filter((endpoint) => /:\w*Id\b/.test(endpoint.path) && endpoint.access !== "shareViewer");
  test.each(named(withIds))("%s", async (_, endpoint) => {
    for (const id of [
      "0".repeat(23),
      "0".repeat(25),
      "G".repeat(24),
      "A".repeat(24),
      "%00".repeat(8),
      "..%2f..%2fetc%2fpasswd-aa",
    ]) {
      const target = `${API_PREFIX}${endpoint.path.replace(/:\w+/g, id)}`;
      const answer = await caller.raw({ method: method(endpoint), url: target, ...requestBody(endpoint) });
      expect([400, 404], `${id}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
      expect(answer.status === 400 || id.includes("%")).toBe(true);
    }
  });
});

describe("[F18] a creating call sent twice at once with one Idempotency-Key has one effect", () => {
  const creating = ENDPOINTS.filter((endpoint) => endpoint.creates);
  test.each(named(creating))("%s", async (_, endpoint) => {
    const input = await validInput(t, endpoint, own);
    const headers = { "idempotency-key": `twice-${endpoint.name}` };
    const answers = await Promise.all([1, 2, 3].map(() => caller.send(endpoint, input, headers)));
    expect(
      answers.map((answer) => answer.status),
      JSON.stringify(answers[0]?.body),
    ).toEqual([200, 200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    const after = await databaseHash(t);
    const again = await caller.send(endpoint, input, headers);
    expect(again.body).toEqual(answers[0]?.body);
    expect(await databaseHash(t)).toBe(after);
  });

  test("the same key with another request is refused; after a failure it is free again; after a day it is forgotten", async () => {
    const create = ENDPOINTS.find((endpoint) => endpoint.name === "createRole") as AnyEndpoint;
    const headers = { "idempotency-key": "one-key-for-all" };
    const role = (name: string) => caller.send(create, { body: { name, permissions: [] } }, headers);
    const first = await role("Painter");
    expect(first.status).toBe(200);
    expect((await role("Plumber")).body).toMatchObject({ code: "idempotency_conflict" });
    const taken = { "idempotency-key": "used-after-failure" };
    expect((await caller.send(create, { body: { name: "Painter", permissions: [] } }, taken)).status).toBe(409);
    expect((await caller.send(create, { body: { name: "Mason", permissions: [] } }, taken)).status).toBe(200);
    t.clock.advance(24 * 3_600_000 + 1);
    const later = await t.asUser(await t.build.user({ roles: ["SUPER_ADMIN"], superAdmin: true }));
    expect((await later.send(create, { body: { name: "Joiner", permissions: [] } }, headers)).status).toBe(200);
  });
});

// Last: from here on the clock has moved, and sessions made before are over.
describe("[T7] an ended session opens nothing", () => {
  test("signed out, idle for 30 minutes, 12 hours old, or of a deactivated person", async () => {
    const person = async () =>
      t.asUser(await t.build.user({ roles: ["SUPER_ADMIN"], superAdmin: true, orgAdmin: true }));
    const [signedOut, idle, gone] = [await person(), await person(), await person()];
    await t.app.identity.signIn.sessions.end(signedOut.sessionId);
    const closed = ENDPOINTS.filter(({ access }) => access !== "public" && access !== "shareViewer");
    const refuses = async (who: Caller) => {
      for (const endpoint of closed) {
        const answer = await who.raw({ method: method(endpoint), url: url(endpoint) });
        expect(answer.status, endpoint.name).toBe(401);
      }
    };
    await refuses(signedOut);

    const { rows } = await t.deps.appPool.query("SELECT user_id FROM session WHERE id = $1", [gone.sessionId]);
    await t.deps.appPool.query("UPDATE app_user SET status = 'INACTIVE' WHERE id = $1", [rows[0].user_id]);
    await refuses(gone);

    t.clock.advance(29 * 60_000);
    expect((await idle.raw({ url: `${API_PREFIX}/user` })).status).toBe(200);
    t.clock.advance(30 * 60_000);
    await refuses(idle);
    const busy = await person();
    for (let hours = 0; hours < 12; hours += 0.25) {
      expect((await busy.raw({ url: `${API_PREFIX}/user` })).status, `after ${hours} hours`).toBe(200);
      t.clock.advance(0.25 * 3_600_000);
    }
    await refuses(busy);
    caller = await person();
  });
});

function requestBody(endpoint: AnyEndpoint) {
  const { payload, headers } = requestFor(endpoint, {
    body: endpoint.body && (endpoint.bodyKind === "text" ? "" : {}),
  });
  return { payload, headers: headers as Record<string, string> };
}
