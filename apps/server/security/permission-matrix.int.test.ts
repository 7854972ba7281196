/** T2: every endpoint answers those it names and refuses all others. The list itself: access.golden.txt. */
import { API_PREFIX, BUILT_IN_ROLES, type AnyEndpoint } from "@accord/contracts";
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { beforeAll, describe, expect, test } from "vitest";
import { checkRoutes } from "../src/platform/http/check-routes.ts";
import { mayCall, type CallerName } from "../test-kit/generated/may-call.ts";
import { outsider } from "../test-kit/generated/outsider.ts";
import { testApp, type Answer, type Caller, type TestApp } from "../test-kit/index.ts";

let t: TestApp;
/** Somebody outside with a real session. */
let guest: Awaited<ReturnType<typeof outsider>>;
const callers = new Map<CallerName, Caller>();

beforeAll(async () => {
  t = await testApp();
  for (const role of BUILT_IN_ROLES) callers.set(role, t.as(role));
  const expired = await t.build.user({ roles: ["ORG_ADMIN"], orgAdmin: true });
  callers.set("PASSWORD_EXPIRED", await t.asUser(expired, { purpose: "passwordChange" }));
  callers.set("ANONYMOUS", t.anonymous);
  guest = await outsider(t, t);
});

describe("[T2] permissions", () => {
  describe.each(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint] as const))("%s", (_, endpoint) => {
    test("answers those it names and refuses all others", async () => {
      for (const [name, caller] of callers) {
        const answer = await probe(caller, endpoint);
        const told = `${name} calling ${endpoint.method} ${endpoint.path} (${endpoint.access}) got ${answer.status}`;
        if (mayCall(endpoint, name)) expect(isRefusal(answer), told).toBe(false);
        else expect(answer.status, told).toBe(name === "ANONYMOUS" || endpoint.access === "shareViewer" ? 401 : 403);
      }
      if (endpoint.access === "public") return;
      if (endpoint.access === "shareViewer") {
        const body = endpoint.body?.safeParse(guest.input.body).success ? guest.input.body : {};
        const answer = await guest.caller.send(endpoint, { ...guest.input, body: endpoint.body && body });
        expect(answer.status, `the guest was refused ${endpoint.name}`).toBe(200);
        // One of these calls ends the session.
        guest = await outsider(t, t);
        return;
      }
      const answer = await probe(guest.caller, endpoint);
      expect(answer.status, `a guest's session opened ${endpoint.name}`).toBe(401);
    });
  });

  test("[PLT-095] a permission from any one of several roles is enough", async () => {
    const both = await t.build.user({ roles: ["DASHBOARD_LIGHT_VIEWER", "SYNC_MANAGER"] });
    const answer = await (await t.asUser(both)).raw({ url: `${API_PREFIX}/connectors` });
    expect(answer.status).toBe(200);
    expect((await t.as("DASHBOARD_LIGHT_VIEWER").raw({ url: `${API_PREFIX}/connectors` })).status).toBe(403);
  });

  test("the server refuses to start with a route that nobody registered, that comes twice, or that says nobody", () => {
    const handle = async () => ({});
    const one = ENDPOINTS[0] as AnyEndpoint;
    const foreign = { ...one, name: "foreign" };
    const silent = { ...one, access: "" as never };
    expect(() => checkRoutes([{ endpoint: foreign, handle }], ENDPOINTS)).toThrow(
      /foreign: missing in .*endpoints\.ts/,
    );
    expect(() =>
      checkRoutes(
        [
          { endpoint: one, handle },
          { endpoint: one, handle },
        ],
        ENDPOINTS,
      ),
    ).toThrow(/another route/);
    expect(() => checkRoutes([{ endpoint: silent, handle }], [silent])).toThrow(/who may call it/);
  });
});

/** Ids that are none: whoever may call is told that, and nothing happens. */
const urlOf = (endpoint: AnyEndpoint) => `${API_PREFIX}${endpoint.path.replace(/:\w+/g, "none")}`;

/** Calls with nothing to work on. Public calls and those that take no input are not made: they would take effect. */
async function probe(caller: Caller, endpoint: AnyEndpoint): Promise<Answer> {
  const takesInput = Boolean(endpoint.params ?? endpoint.body);
  const body = endpoint.bodyKind ?? "json";
  const payload = endpoint.method === "GET" || !endpoint.body ? {} : payloads[body];
  if (endpoint.access === "public" && endpoint.method !== "GET") return { ...EMPTY, status: 400 };
  if (endpoint.method !== "GET" && !takesInput && endpoint.access !== "public")
    return { ...EMPTY, status: await statusOnly(caller, endpoint) };
  return caller.raw({ method: endpoint.method, url: urlOf(endpoint), ...payload });
}

const EMPTY: Answer = { status: 0, body: {}, bytes: Buffer.alloc(0), headers: {}, cookies: new Map() };

/** For calls without input a body too many is refused after the access check and before the effect. */
async function statusOnly(caller: Caller, endpoint: AnyEndpoint): Promise<number> {
  const answer = await caller.raw({
    method: endpoint.method,
    url: urlOf(endpoint),
    payload: '{"none":1}',
    headers: { "content-type": "application/json" },
  });
  return answer.status;
}

const payloads = {
  json: { payload: '{"__none":1}', headers: { "content-type": "application/json" } },
  form: { payload: "__none=1", headers: { "content-type": "application/x-www-form-urlencoded" } },
  text: { payload: "{{{", headers: { "content-type": "text/plain" } },
  multipart: {
    payload: '--b\r\ncontent-disposition: form-data; name="__none"\r\n\r\n1\r\n--b--\r\n',
    headers: { "content-type": "multipart/form-data; boundary=b" },
  },
} as const;

/** Refused because of who calls, not because of what was sent. */
function isRefusal({ status, body }: Answer): boolean {
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : "";
  return (
    status === 401 ||
    code === "password_expired" ||
    code === "forgery_check_failed" ||
    (status === 403 && code === "forbidden")
  );
}
