/** Sharing with people outside: who gets in, what they may see, and when it ends. */
import type { Id } from "@accord/contracts";
import { listDashboards, updateDashboard, createDashboardDraft } from "@accord/contracts/insights/dashboards";
import {
  closeSharedDashboard,
  deleteShare,
  encodeEmail,
  decodeEmail,
  getSharedCardData,
  getSharedDashboard,
  listShares,
  openSharedDashboard,
  requestShareCode,
  reshareDashboard,
  shareDashboard,
  SHARING,
  updateShareExpiry,
} from "@accord/contracts/insights/sharing";
import { getMail, listMails } from "@accord/contracts/operations/mails";
import { beforeAll, expect, test } from "vitest";
import { makeCaller } from "../../../../test-kit/caller.ts";
import {
  makeCard,
  makeDashboard,
  makeDataset,
  makeDeals,
  makePublished,
  makeShare,
} from "../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import type { sharingModule } from "./index.ts";
import { shareCookieName } from "../../../platform/http/request/session-cookie.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
}, 60_000);
const editor = () => t.as("SYNC_MANAGER");

/** Lets time pass while the staff keep working, so that only what is tested here ends. */
async function pass(minutes: number): Promise<void> {
  for (let left = minutes; left > 0; left -= 5) {
    t.clock.advance(Math.min(left, 5) * 60_000);
    for (const who of [editor(), t.as("SUPER_ADMIN")]) await who.call(listDashboards);
  }
}

const inDays = (days: number) => new Date(t.clock.now().getTime() + days * 86_400_000).toISOString();
const open = (email: string, dashboardId: string, secret: string) =>
  t.anonymous.send(openSharedDashboard, { body: { email: encodeEmail(email), dashboardId, secret } });

/** A browser that opened the dashboard. */
async function enter(email: string, dashboardId: string, secret: string) {
  const reply = await open(email, dashboardId, secret);
  expect(reply.status).toBe(200);
  const cookie = reply.cookies.get(shareCookieName(t.deps.config.baseUrl))!;
  return makeCaller({
    http: t.app.http,
    cookies: { [shareCookieName(t.deps.config.baseUrl)]: cookie },
    token: t.forgery.token(null),
  });
}

async function shared() {
  const { dashboardId, share, password } = await makeShare(t, t);
  return { dashboardId, share, email: share.email, password: password! };
}

test("[INS-021] an address in a link is its encoded form and comes back whole", () => {
  expect(decodeEmail(encodeEmail("A+b@X.io"))).toBe("a+b@x.io");
  expect(encodeEmail("a+b@x.io")).toMatch(/^[A-Za-z0-9_-]+$/);
});

test("[INS-014][INS-018][INS-019] the invited person gets in with the password and sees the same numbers", async () => {
  const card = await makeCard(t, t);
  const id = await makePublished(t, t, [card]);
  const { shares } = await editor().call(shareDashboard, {
    params: { id },
    body: { emails: ["Ada@Example.com"], expiryDate: inDays(30) },
  });
  const [{ share, password }] = shares as [(typeof shares)[number]];
  expect(share).toMatchObject({ email: "ada@example.com", status: "INVITED" });
  expect(await open("ada@example.com", id, "wrong")).toMatchObject({
    status: 401,
    body: { code: "invalid_credentials" },
  });
  const ada = await enter("ada@example.com", id, password!);
  const dashboard = await ada.call(getSharedDashboard, { params: { dashboardId: id } });
  expect(dashboard).toMatchObject({ displayName: "Sales", email: "ada@example.com", cards: [{ id: card }] });
  const { data } = await ada.call(getSharedCardData, { params: { dashboardId: id, cardId: card }, body: {} });
  expect(data.rows[0]).toMatchObject({ x: "paid", y0: "25.25" });
  const details = await editor().call(listShares, { params: { id } });
  expect(details.shares).toMatchObject([{ email: "ada@example.com", status: "VIEWED" }]);
});

test("the mail carries the link and not the password", async () => {
  const { email, password, share } = await shared();
  const [mail] = await mailsTo(email);
  expect(mail).toContain(share.link);
  expect(mail).not.toContain(password);
});

test("an unknown address and a wrong password get the same answer", async () => {
  const { dashboardId, email } = await shared();
  const wrong = await open(email, dashboardId, "wrong");
  const unknown = await open("nobody@example.com", dashboardId, "wrong");
  const nowhere = await open(email, "0123456789abcdef01234567", "wrong");
  const facts = ({ status, body }: typeof wrong) => ({ status, ...(body as object), requestId: "" });
  expect(facts(unknown)).toEqual(facts(wrong));
  expect(facts(nowhere)).toEqual(facts(wrong));
});

test("ten wrong tries lock for a while, invited or not, even for the right password", async () => {
  const { dashboardId, email, password } = await shared();
  for (const address of [email, "stranger@example.com"]) {
    for (let tries = 0; tries < SHARING.tries; tries++)
      expect((await open(address, dashboardId, "wrong")).status).toBe(401);
    expect((await open(address, dashboardId, "wrong")).status).toBe(429);
  }
  expect((await open(email, dashboardId, password)).status).toBe(429);
  const { shares } = await editor().call(listShares, { params: { id: dashboardId } });
  expect(shares[0]!.locked).toBe(true);
  await pass(SHARING.lockMinutes + 1);
  expect((await open(email, dashboardId, password)).status).toBe(200);
});

test("a code is mailed on request, works once and for minutes only", async () => {
  const { dashboardId, email } = await shared();
  const body = { email: encodeEmail(email), dashboardId };
  const codeOf = async () => {
    expect(await t.anonymous.call(requestShareCode, { body })).toEqual({});
    await t.module<ReturnType<typeof sharingModule>>("insights/sharing").settle();
    const codes = (await mailsTo(email)).flatMap((mail) => /code is (\d{6})/.exec(mail)?.[1] ?? []);
    return codes[0]!;
  };
  const code = await codeOf();
  expect((await open(email, dashboardId, code)).status).toBe(200);
  expect((await open(email, dashboardId, code)).status).toBe(401);
  const late = await codeOf();
  await pass(SHARING.codeMinutes + 1);
  expect((await open(email, dashboardId, late)).status).toBe(401);
  expect(
    await t.anonymous.call(requestShareCode, { body: { ...body, email: encodeEmail("nobody@example.com") } }),
  ).toEqual({});
});

/** The texts of mails to an address, newest first. */
async function mailsTo(email: string): Promise<string[]> {
  const admin = t.as("SUPER_ADMIN");
  const { mails } = await admin.call(listMails);
  const own = mails.filter(({ to }) => to === email);
  return Promise.all(own.map(async ({ id }) => JSON.stringify(await admin.call(getMail, { params: { mailId: id } }))));
}

test("[INS-020] expiry is checked on every call: it ends an open view, and nothing is returned", async () => {
  const { dashboardId, share, email, password } = await shared();
  const viewer = await enter(email, dashboardId, password);
  const cardId = (await viewer.call(getSharedDashboard, { params: { dashboardId } })).cards[0]!.id;
  await editor().call(updateShareExpiry, {
    params: { id: dashboardId, sharedItemId: share.sharedItemId },
    body: { expiryDate: inDays(10 / 1_440) },
  });
  await pass(5);
  expect((await viewer.send(getSharedDashboard, { params: { dashboardId } })).status).toBe(200);
  await pass(5);
  for (const refused of [
    await viewer.send(getSharedDashboard, { params: { dashboardId } }),
    await viewer.send(getSharedCardData, { params: { dashboardId, cardId }, body: {} }),
    await open(email, dashboardId, password),
  ])
    expect(refused).toMatchObject({ status: 403, body: { code: "share_expired" } });
  expect((await open(email, dashboardId, "wrong")).status).toBe(401);
});

test("taking a share back, and sharing anew, end open views at once", async () => {
  const first = await shared();
  const viewer = await enter(first.email, first.dashboardId, first.password);
  const params = { id: first.dashboardId, sharedItemId: first.share.sharedItemId };
  const again = await editor().call(reshareDashboard, { params, body: { expiryDate: null } });
  expect((await viewer.send(getSharedDashboard, { params: { dashboardId: first.dashboardId } })).status).toBe(401);
  expect((await open(first.email, first.dashboardId, first.password)).status).toBe(401);
  const back = await enter(first.email, first.dashboardId, again.password!);
  await editor().call(deleteShare, { params });
  expect((await back.send(getSharedDashboard, { params: { dashboardId: first.dashboardId } })).status).toBe(401);
  expect((await open(first.email, first.dashboardId, again.password!)).status).toBe(401);
});

test("a session sees only what it was let into, and nothing of the staff's", async () => {
  const [one, other] = [await shared(), await shared()];
  const viewer = await enter(one.email, one.dashboardId, one.password);
  expect((await viewer.send(getSharedDashboard, { params: { dashboardId: other.dashboardId } })).status).toBe(401);
  const foreignCard = await makeCard(t, t);
  expect(
    (await viewer.send(getSharedCardData, { params: { dashboardId: one.dashboardId, cardId: foreignCard }, body: {} }))
      .status,
  ).toBe(404);
  expect((await viewer.send(listDashboards)).status).toBe(401);
  expect((await editor().send(getSharedDashboard, { params: { dashboardId: one.dashboardId } })).status).toBe(401);
});

test("a viewer changes updatable variables and no others", async () => {
  const variable = (apiName: string, updatable: boolean) => ({
    apiName,
    displayName: apiName,
    datatype: "integer" as const,
    updatable,
    variableDefaultValue: { datatype: "integer" as const, defaultValue: apiName === "top" ? 2 : 1 },
  });
  const variables = [variable("top", true), variable("least", false)];
  const condition = {
    type: "condition" as const,
    left: { kind: "field" as const, field: "pieces" },
    operator: "greaterOrEqual" as const,
    right: [{ kind: "variable" as const, apiName: "least" }],
  };
  const datasetId = await makeDataset(t, t, { variables, limit: "{{top}}", filter: condition }, await makeDeals(t, t));
  const card = await makeCard(t, t, datasetId, {
    vizType: "TABLE",
    columns: [{ column: "pieces", name: "pieces", displayFormat: "number" }],
  });
  const dashboardId = await makePublished(t, t, [card]);
  const { share, password } = await makeShare(t, t, dashboardId);
  const viewer = await enter(share.email, dashboardId, password!);
  const dashboard = await viewer.call(getSharedDashboard, { params: { dashboardId } });
  expect(dashboard.cards[0]!.variables.map(({ apiName }) => apiName)).toEqual(["top"]);
  const pieces = async (variablesMap: Record<string, number>) =>
    (await viewer.call(getSharedCardData, { params: { dashboardId, cardId: card }, body: { variablesMap } })).data.rows
      .length;
  expect([await pieces({}), await pieces({ top: 4 }), await pieces({ top: 4, least: 4 })]).toEqual([2, 4, 4]);
});

test("a viewer sees the published version while the draft changes", async () => {
  const { dashboardId, email, password } = await shared();
  const draft = await editor().call(createDashboardDraft, { params: { id: dashboardId }, body: {} });
  await editor().call(updateDashboard, {
    params: { id: draft.id as Id<"dashboard"> },
    body: { displayName: "Changed", dataCards: [], version: 1 },
  });
  const viewer = await enter(email, dashboardId, password);
  expect(await viewer.call(getSharedDashboard, { params: { dashboardId } })).toMatchObject({
    displayName: "Sales",
    cards: [{}],
  });
});

test("only published dashboards are shared, and the expiry lies ahead", async () => {
  const draft = await makeDashboard(t, t);
  const body = { emails: ["a@example.com"], expiryDate: null };
  await expect(editor().call(shareDashboard, { params: { id: draft }, body })).rejects.toMatchObject({
    body: { code: "invalid_state" },
  });
  const id = await makePublished(t, t);
  const past = await editor().send(shareDashboard, { params: { id }, body: { ...body, expiryDate: inDays(-1) } });
  expect(past).toMatchObject({ status: 400, body: { errors: [{ path: "expiryDate" }] } });
});

test("[INS-076][INS-132] sharing details are paged both ways and searched", async () => {
  const id = await makePublished(t, t);
  for (const name of ["ada", "ben", "cas"]) {
    await editor().call(shareDashboard, {
      params: { id },
      body: { emails: [`${name}@example.com`], expiryDate: null },
    });
    t.clock.advance(1_000);
  }
  const page = (query: object) =>
    editor().call(listShares, { params: { id }, query: { pageSize: 2, direction: "next", ...query } });
  const first = await page({});
  expect(first.shares.map(({ email }) => email)).toEqual(["cas@example.com", "ben@example.com"]);
  expect(first).toMatchObject({ total: 3, previousCursor: null });
  expect(first.shares[0]).toHaveProperty("sharedItemId");
  const second = await page({ cursor: first.nextCursor! });
  expect(second.shares.map(({ email }) => email)).toEqual(["ada@example.com"]);
  expect(second.nextCursor).toBeNull();
  const back = await page({ cursor: second.previousCursor!, direction: "previous" });
  expect(back.shares).toEqual(first.shares);
  expect((await page({ predicate: "BEN" })).shares.map(({ email }) => email)).toEqual(["ben@example.com"]);
});

test("leaving ends the session", async () => {
  const { dashboardId, email, password } = await shared();
  const viewer = await enter(email, dashboardId, password);
  await viewer.call(closeSharedDashboard, { body: {} });
  expect((await viewer.send(getSharedDashboard, { params: { dashboardId } })).status).toBe(401);
});

test("[INS-116][INS-117] sharing and its details need their permissions", async () => {
  const { dashboardId } = await shared();
  const viewer = t.as("VIEWER");
  expect(
    (
      await viewer.send(shareDashboard, {
        params: { id: dashboardId },
        body: { emails: ["a@example.com"], expiryDate: null },
      })
    ).status,
  ).toBe(403);
  expect((await viewer.send(listShares, { params: { id: dashboardId } })).status).toBe(403);
});

test("[T25] over https the guest's cookie belongs to this very origin, and what a guest reads names no other object", async () => {
  const secure = await testApp({ config: { baseUrl: "https://accord.example.com" } });
  const cardId = await makeCard(secure, secure);
  const dashboardId = await makePublished(secure, secure, [cardId]);
  const { share, password } = await makeShare(secure, secure, dashboardId);
  const body = { email: encodeEmail(share.email), dashboardId, secret: password ?? "" };
  const opened = await secure.anonymous.send(openSharedDashboard, { body });
  const cookies = [opened.headers["set-cookie"]].flat().map(String);
  const cookie = cookies.find((line) => line.startsWith("__Host-accord_share=")) ?? "";
  expect(cookie).toMatch(/Path=\/;/);
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/Secure/);
  const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
  const guest = makeCaller({
    http: secure.app.http,
    cookies: { [name]: value },
    token: secure.forgery.token(null),
    host: "accord.example.com",
  });
  const answers = [
    await guest.call(getSharedDashboard, { params: { dashboardId } }),
    await guest.call(getSharedCardData, { params: { dashboardId, cardId }, body: {} }),
  ];
  // The person's address is made of an id here.
  const ids = new Set(
    JSON.stringify(answers)
      .replaceAll(share.email, "")
      .match(/\b[0-9a-f]{24}\b/g),
  );
  expect(ids).toEqual(new Set([cardId, dashboardId]));
});
