/**
 * T2: a role of one permission, for each permission there is, against every endpoint with ids of objects that exist. Only
 * the permission that the endpoint names opens it; with any other, with none, and for guests the call changes nothing.
 */
import { isPermission, PERMISSIONS, type AnyEndpoint, type ErrorBody, type Permission } from "@accord/contracts";
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { encodeEmail } from "@accord/contracts/insights/sharing";
import { getCurrentUser, type CurrentUser } from "@accord/contracts/identity/users";
import { beforeAll, describe, expect, test } from "vitest";
import { hashPassword } from "../src/platform/access/password-hash.ts";
import { makeExport } from "../test-kit/fixtures/exports.ts";
import { configureExternalView } from "../test-kit/fixtures/external-view.ts";
import type { CallParts } from "../test-kit/fixtures/index.ts";
import { makeShare } from "../test-kit/fixtures/insights.ts";
import { databaseHash } from "../test-kit/generated/database-hash.ts";
import { accessOf } from "../test-kit/generated/may-call.ts";
import { validInput, type Made } from "../test-kit/generated/inputs.ts";
import { outsider } from "../test-kit/generated/outsider.ts";
import { testApp, type Answer, type Place, type TestApp } from "../test-kit/index.ts";

/** What a call answers because of who made it. */
const REFUSALS = new Set([401, 403, 404]);
const PASSWORD = "a long walk by the river";

let t: TestApp;
let guest: Awaited<ReturnType<typeof outsider>>;
/** Refused calls change nothing, so that the same objects serve them all. */
const inputs = new Map<AnyEndpoint, CallParts>();
let before: string;

const byAccess = (isWanted: (endpoint: AnyEndpoint) => boolean) =>
  ENDPOINTS.filter(isWanted).map((endpoint) => [endpoint.name, endpoint] as const);
const GUARDED = byAccess(({ access }) => isPermission(access));

beforeAll(async () => {
  t = await testApp();
  guest = await outsider(t, t);
  for (const permission of PERMISSIONS) await t.as([permission]).call(getCurrentUser);
  await t.as([]).call(getCurrentUser);
  const made: Made = new Map();
  for (const [, endpoint] of GUARDED) inputs.set(endpoint, await validInput(t, endpoint, t, { made }));
  before = await databaseHash(t);
}, 120_000);

describe("[T2] refused", () => {
  test.each(GUARDED)("%s by every other permission, by none, and to guests and strangers", async (_, endpoint) => {
    const input = inputs.get(endpoint);
    const others = PERMISSIONS.filter((permission) => permission !== endpoint.access);
    const answers = await Promise.all(
      others.map(async (permission) => `${permission}: ${refusalOf(await t.as([permission]).send(endpoint, input))}`),
    );
    expect(answers).toEqual(others.map((permission) => `${permission}: 403 forbidden ${endpoint.access}`));
    expect(refusalOf(await t.as([]).send(endpoint, input))).toBe(`403 forbidden ${endpoint.access}`);
    expect((await guest.caller.send(endpoint, input)).status).toBe(401);
    expect((await t.anonymous.send(endpoint, input)).status).toBe(401);
  });

  test("calls changed nothing", async () => {
    expect(await databaseHash(t)).toBe(before);
  });
});

describe.each(GUARDED)("[T2] %s", (_, endpoint) => {
  const needed = accessOf(endpoint).filter(isPermission);

  test(`answers whoever holds ${needed.join(" and ")} and nothing else`, async () => {
    const place = await placeFor(endpoint);
    const caller = t.as(needed, place);
    const input = await reachable(endpoint, place, await caller.call(getCurrentUser));
    expectAnswer(endpoint, await caller.send(endpoint, input));
  });
});

test.each(byAccess(({ alsoNeeds }) => alsoNeeds !== undefined))(
  "[T2] %s refuses whoever holds only the first of the permissions that it needs",
  async (_, endpoint) => {
    const answer = await t.as([endpoint.access as Permission]).send(endpoint, inputs.get(endpoint));
    expect(refusalOf(answer)).toBe(`403 forbidden ${endpoint.alsoNeeds}`);
  },
);

describe.each(byAccess(({ access }) => access === "signedIn" || access === "passwordExpired"))(
  "[T2] %s",
  (_, endpoint) => {
    test("answers whoever is signed in, without any permission, and nobody else", async () => {
      const isFull = endpoint.access === "signedIn";
      const caller = isFull ? t.as([]) : await t.asUser(await t.build.user(), { purpose: "passwordChange" });
      const input = await reachable(endpoint, t, await caller.call(getCurrentUser));
      expect((await guest.caller.send(endpoint, input)).status).toBe(401);
      expect((await t.anonymous.send(endpoint, input)).status).toBe(401);
      expectAnswer(endpoint, await caller.send(endpoint, input));
    });
  },
);

describe.each(byAccess(({ access }) => access === "shareViewer"))("[T2] %s", (_, endpoint) => {
  test("answers the guest of the dashboard, and no permission of the staff", async () => {
    const { caller, input } = await outsider(t, t);
    const parts = { ...input, body: endpoint.body?.safeParse(input.body).success ? input.body : {} };
    for (const permission of PERMISSIONS)
      expect([permission, (await t.as([permission]).send(endpoint, parts)).status]).toEqual([permission, 401]);
    expect((await caller.send(endpoint, parts)).status).toBe(200);
  });
});

describe.each(byAccess(({ access }) => access === "public"))("[T2] %s", (_, endpoint) => {
  test("answers strangers, guests and people without any permission alike", async () => {
    const stranger = await t.asUser(await t.build.user());
    for (const caller of [t.anonymous, (await outsider(t, t)).caller, stranger]) {
      const answer = await caller.send(endpoint, await openTo(endpoint));
      // Without workers the server says that it is not well, to everybody.
      if (endpoint.name === "getHealth") expect(answer.status).toBe(503);
      else expectAnswer(endpoint, answer);
    }
  });
});

/** With the permission that is missing: rules further inside refuse as well. */
function refusalOf({ status, body }: Answer): string {
  const { code, details } = body as Partial<ErrorBody>;
  return `${status} ${code} ${String(details?.["permission"])}`;
}

function expectAnswer(endpoint: AnyEndpoint, { status, body }: Answer): void {
  const told = `${endpoint.method} ${endpoint.path} (${endpoint.access}) answered ${status} ${JSON.stringify(body)}`;
  expect([...REFUSALS, 500], told).not.toContain(status);
}

/** Instances that are ended are the caller's own. */
const placeFor = async (endpoint: AnyEndpoint): Promise<Place> => ({
  organisationId: t.organisationId,
  instanceId: endpoint.name === "deleteInstance" ? await t.build.instance() : t.instanceId,
});

/** An input whose objects lie within the caller's reach: nobody acts on those who hold more, or gives what they lack. */
async function reachable(endpoint: AnyEndpoint, place: Place, caller: CurrentUser): Promise<CallParts> {
  const roles = caller.userRoles[place.instanceId] ?? [];
  const peer = (): Promise<string> => t.build.user({ ...place, roles });
  const ownExport = async () => ({ params: { exportId: await makeExport(t, place, { userId: caller.id }) } });
  // Without an address of lists no dataset is known; this one is refused only when it is called.
  const externalDataset = async () => {
    await configureExternalView(t, place, { listAddress: "http://127.0.0.1:9/api" });
    return { params: { key: "orders" } };
  };
  const person = { firstName: "A", lastName: "B" };
  const own: Readonly<Record<string, () => CallParts | Promise<CallParts>>> = {
    updateProfile: () => ({ body: { ...person, id: caller.id, timeZone: "UTC" } }),
    resetPassword: () => ({ params: { userId: caller.id }, body: { newPwd: PASSWORD } }),
    updatePassword: () => ({
      params: { userId: caller.id },
      body: { userId: caller.id, currentPwd: "none", newPwd: PASSWORD },
    }),
    inviteUser: () => ({ body: { ...person, email: `${t.deps.newId()}@example.com`, userRoles: {} } }),
    reinviteUser: async () => ({ params: { userId: await peer() } }),
    createOneTimeLink: async () => ({ params: { userId: await peer() } }),
    activateUser: async () => ({ params: { userId: await peer() } }),
    deactivateUser: async () => ({ params: { userId: await peer() } }),
    removeUser: async () => ({ params: { userId: await peer() } }),
    deleteUser: async () => ({ params: { userId: await peer() } }),
    changeUserRoles: async () => ({
      params: { userId: await peer() },
      body: { userRoles: { [place.instanceId]: roles } },
    }),
    updateRole: () => ({ params: { roleId: roles[0] }, body: { name: "Other", permissions: [], version: 1 } }),
    deleteRole: () => ({ params: { roleId: roles[0] } }),
    updateInstance: () => ({ params: { instanceId: place.instanceId }, body: { displayName: "Other" } }),
    deleteInstance: () => ({ params: { instanceId: place.instanceId } }),
    switchInstance: () => ({ params: { instanceId: place.instanceId } }),
    getDatasetExport: ownExport,
    getExternalDataset: externalDataset,
    previewExternalDataset: externalDataset,
    cancelDatasetExport: ownExport,
    deleteDatasetExport: ownExport,
    downloadDatasetExport: ownExport,
    getInstanceState: () => ({ params: { instanceId: place.instanceId } }),
  };
  return (await own[endpoint.name]?.()) ?? validInput(t, endpoint, place);
}

/** What a public call takes, with real credentials where it asks for one. */
async function openTo(endpoint: AnyEndpoint): Promise<CallParts> {
  const email = `${t.deps.newId()}@example.com`;
  const links = t.app.identity.signIn.service;
  const lastPartOf = (address: string) => address.split(/[/=]/).at(-1) ?? "";
  const real: Readonly<Record<string, () => Promise<CallParts>>> = {
    async signIn() {
      await t.build.user({ email, passwordHash: await hashPassword(PASSWORD), roles: ["VIEWER"] });
      return { body: { username: email, password: PASSWORD } };
    },
    async openPasswordReset() {
      const userId = await t.build.user({ email });
      const { address } = await links.createLink({ kind: "passwordReset", userId });
      return { body: { token: lastPartOf(address) } };
    },
    async setInvitedPassword() {
      const userId = await t.build.user({ email });
      const { address } = await links.createLink({ kind: "invitation", userId });
      return { params: { invitationId: lastPartOf(address) }, body: { password: PASSWORD } };
    },
    async openSharedDashboard() {
      const { dashboardId, share, password } = await makeShare(t, t);
      return { body: { email: encodeEmail(share.email), dashboardId, secret: password ?? "" } };
    },
  };
  return (await real[endpoint.name]?.()) ?? validInput(t, endpoint, t);
}
