/** Which domains dashboards may be shared with: the list, what it refuses, and what people outside it keep. */
import type { Id } from "@accord/contracts";
import {
  createAllowedDomains,
  deleteAllowedDomain,
  listAllowedDomains,
  listDomainsInUse,
  listSharedItems,
} from "@accord/contracts/insights/allowed-domains";
import { listShares, reshareDashboard, shareDashboard, updateShareExpiry } from "@accord/contracts/insights/sharing";
import { listAuditEntries } from "@accord/contracts/operations/audit";
import { beforeEach, expect, test } from "vitest";
import { makePublished } from "../../../../test-kit/fixtures/insights.ts";
import { testApp, type Place, type TestApp } from "../../../../test-kit/index.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import * as store from "./allowed-domains.store.ts";

let t: TestApp;
let at: Place;
beforeEach(async () => {
  t ??= await testApp();
  at = { organisationId: t.organisationId, instanceId: await t.build.instance() };
}, 60_000);

const admin = () => t.as("INSTANCE_ADMIN", at);
const editor = () => t.as("SYNC_MANAGER", at);
const inDays = (days: number) => new Date(t.clock.now().getTime() + days * 86_400_000).toISOString();
const allow = (...domains: string[]) => admin().call(createAllowedDomains, { body: { domains } });
const forbid = (domain: string) => admin().call(deleteAllowedDomain, { params: { domain } });
const names = async () => (await admin().call(listAllowedDomains)).domains.map(({ domain }) => domain);
const published = () => makePublished(t, at);
const share = (id: Id<"dashboard">, emails: string[], expiryDate: string | null = null) =>
  editor().send(shareDashboard, { params: { id }, body: { emails, expiryDate } });
const invited = async (id: Id<"dashboard">) =>
  (await editor().call(listShares, { params: { id } })).shares.map(({ email }) => email).toSorted();

test("[INS-077][INS-133] an allowed domain is created and read back, in the one way in which it is compared", async () => {
  expect(await names()).toEqual([]);
  const { domains } = await allow(" @Acme.COM ", "bücher.example", "acme.com", "почта.рф");
  expect(domains.map(({ domain }) => domain)).toEqual(["acme.com", "xn--80a1acny.xn--p1ai", "xn--bcher-kva.example"]);
  expect(domains[0]).toMatchObject({ createdBy: expect.any(String), createdAt: t.clock.now().toISOString() });
  await forbid("bücher.example");
  expect(await names()).toEqual(["acme.com", "xn--80a1acny.xn--p1ai"]);
  const again = await admin().send(deleteAllowedDomain, { params: { domain: "bücher.example" } });
  expect(again).toMatchObject({ status: 404, body: { code: "not_found" } });
});

test.each([
  ["x", "“x” is no domain of e-mail addresses; enter one such as example.com"],
  ["ada@acme.com", "“ada@acme.com” is an address; only what follows the @ is allowed here: enter acme.com"],
  ["*.acme.com", "“*.acme.com” holds a wildcard; name each domain, and each of its subdomains, in full"],
  ["https://acme.com", "“https://acme.com” is no domain of e-mail addresses; enter one such as example.com"],
  ["10.0.0.1", "“10.0.0.1” is no domain of e-mail addresses; enter one such as example.com"],
  ["acme.com:25", "“acme.com:25” is no domain of e-mail addresses; enter one such as example.com"],
  ["-acme.com", "“-acme.com” is no domain of e-mail addresses; enter one such as example.com"],
])("%s is refused, and the refusal names the entry and the fix", async (typed, message) => {
  const reply = await admin().send(createAllowedDomains, { body: { domains: ["good.example", typed] } });
  expect(reply).toMatchObject({ status: 400, body: { errors: [{ path: "domains.1", message }] } });
  expect(await names()).toEqual([]);
});

test("[INS-133] with a list, all addresses outside it are refused at once and nobody is invited", async () => {
  const id = await published();
  await allow("acme.com", "beta.example");
  const reply = await share(id, ["ada@acme.com", "eve@other.example", "bob@sub.acme.com"]);
  expect(reply).toMatchObject({
    status: 422,
    body: {
      code: "domain_not_allowed",
      message:
        "Dashboards can't be shared with eve@other.example, bob@sub.acme.com: only addresses at acme.com, beta.example are allowed.",
      errors: [
        { path: "emails.1", message: "eve@other.example is not at an allowed domain (acme.com, beta.example)" },
        { path: "emails.2", message: "bob@sub.acme.com is not at an allowed domain (acme.com, beta.example)" },
      ],
    },
  });
  expect(await invited(id)).toEqual([]);
  expect((await share(id, ["Ada@ACME.com"])).status).toBe(200);
  expect(await invited(id)).toEqual(["ada@acme.com"]);
});

test("an address with a domain in other letters is the one that the list names", async () => {
  const id = await published();
  await allow("bücher.example");
  expect((await share(id, ["ada@Bücher.example"])).status).toBe(200);
  expect(await invited(id)).toEqual(["ada@xn--bcher-kva.example"]);
});

test("without a list, people of any domain are invited, and again once the last domain is off it", async () => {
  const id = await published();
  expect((await share(id, ["eve@other.example"])).status).toBe(200);
  await allow("acme.com");
  expect((await share(id, ["eve@other.example"])).status).toBe(422);
  await forbid("acme.com");
  expect((await share(id, ["eve@other.example"])).status).toBe(200);
});

test("who is outside the list keeps access, and it can be shortened, but not extended or shared again", async () => {
  const id = await published();
  await share(id, ["eve@other.example"], inDays(30));
  await allow("acme.com");
  const [item] = (await editor().call(listShares, { params: { id } })).shares;
  const params = { id, sharedItemId: item!.sharedItemId };
  const setEnd = (expiryDate: string | null) => editor().send(updateShareExpiry, { params, body: { expiryDate } });
  for (const refused of [
    await setEnd(inDays(31)),
    await setEnd(null),
    await editor().send(reshareDashboard, { params, body: { expiryDate: inDays(1) } }),
    await share(id, ["eve@other.example"], inDays(1)),
  ])
    expect(refused).toMatchObject({ status: 422, body: { code: "domain_not_allowed" } });
  expect((await editor().call(listShares, { params: { id } })).shares).toEqual([item]);
  expect((await setEnd(inDays(10))).status).toBe(200);
  await allow("other.example");
  expect((await setEnd(inDays(31))).status).toBe(200);
  await setEnd(null);
  await forbid("other.example");
  expect((await setEnd(inDays(60))).status).toBe(200);
});

test("[INS-133] domains in use are those of who has access now, with the number of people and who is outside", async () => {
  const [one, other] = [await published(), await published()];
  await share(one, ["ada@acme.com", "ben@acme.com", "eve@other.example"]);
  await share(other, ["ada@acme.com"], inDays(1));
  await share(other, ["cas@ended.example"], inDays(1 / 24));
  t.clock.advance(2 * 3_600_000);
  const before = await admin().call(listDomainsInUse);
  expect(before).toEqual({
    domains: [
      { domain: "acme.com", people: 2, isAllowed: true },
      { domain: "other.example", people: 1, isAllowed: true },
    ],
    total: 2,
    peopleOutside: 0,
  });
  await allow("beta.example", "other.example");
  expect(await admin().call(listDomainsInUse)).toMatchObject({
    domains: [{ isAllowed: false }, { isAllowed: true }],
    peopleOutside: 2,
  });
});

test("what is shared with people outside the list is paged, and read by domain", async () => {
  const [one, other] = [await published(), await published()];
  await share(one, ["ada@acme.com", "ben@acme.com", "eve@other.example"]);
  await share(other, ["ada@acme.com"], inDays(1));
  await allow("other.example");
  const read = (query: object) => editor().call(listSharedItems, { query: { pageSize: 2, ...query } });
  const first = await read({ outside: "true" });
  expect(first.people).toBe(2);
  expect(first.items.map(({ email }) => email)).toEqual(["ada@acme.com", "ada@acme.com"]);
  expect(new Set(first.items.map(({ dashboardId }) => dashboardId))).toEqual(new Set([one, other]));
  const second = await read({ outside: "true", cursor: first.nextCursor! });
  expect(second).toMatchObject({ items: [{ email: "ben@acme.com", isAllowed: false }], nextCursor: null });
  expect(await read({ domain: "other.example" })).toMatchObject({
    items: [{ email: "eve@other.example", dashboardName: "Sales", expiryDate: null, isAllowed: true }],
    people: 1,
  });
  const bad = await editor().send(listSharedItems, { query: { cursor: "nonsense" } });
  expect(bad).toMatchObject({ status: 400, body: { errors: [{ path: "cursor" }] } });
});

test("the list of one instance says nothing of another", async () => {
  await allow("acme.com");
  expect((await t.as("INSTANCE_ADMIN").call(listAllowedDomains)).domains).toEqual([]);
  const id = await makePublished(t, t);
  const body = { emails: ["eve@other.example"], expiryDate: null };
  expect((await t.as("SYNC_MANAGER").send(shareDashboard, { params: { id }, body })).status).toBe(200);
});

test("an invitation waits for a change of the list that is under way, and is judged by the changed one", async () => {
  const id = await published();
  await allow("acme.com");
  let reply: Promise<{ status: number }> | undefined;
  let isAnswered = false;
  await transaction(t.deps.appPool, async ({ db }) => {
    await store.lockList(db, at.instanceId, "change");
    await store.deleteDomain(db, at.instanceId, "acme.com");
    await store.insertDomains(db, at.instanceId, { domains: ["beta.example"], by: "Ada", now: inDays(0) });
    reply = share(id, ["ada@acme.com"]).finally(() => (isAnswered = true));
    await expect.poll(() => waiting(), { timeout: 10_000 }).toBe(1);
    expect(isAnswered).toBe(false);
  });
  expect((await reply)?.status).toBe(422);
  expect(await invited(id)).toEqual([]);
});

/** Sessions of this database that wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await t.deps.appPool.query<{ waiting: number }>(
    "SELECT count(*)::int AS waiting FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
  );
  return rows[0]!.waiting;
}

test("[PLT-102] administrators change the list, who shares dashboards reads it, others see nothing of it", async () => {
  const body = { domains: ["acme.com"] };
  expect((await editor().send(createAllowedDomains, { body })).status).toBe(403);
  expect((await t.as("ORG_ADMIN", at).send(createAllowedDomains, { body })).status).toBe(200);
  expect((await editor().send(deleteAllowedDomain, { params: { domain: "acme.com" } })).status).toBe(403);
  expect((await editor().send(listAllowedDomains)).status).toBe(200);
  const viewer = t.as("VIEWER", at);
  for (const endpoint of [listAllowedDomains, listDomainsInUse, listSharedItems])
    expect((await viewer.send(endpoint)).status).toBe(403);
});

test("the audit log says which domains were allowed and taken off, and nothing of those that were on the list", async () => {
  await allow("acme.com");
  await allow("acme.com", "beta.example");
  await forbid("acme.com");
  const { entries } = await admin().call(listAuditEntries);
  const own = entries.filter(
    ({ instanceId, target }) => instanceId === at.instanceId && target.kind === "allowedDomain",
  );
  expect(own.map(({ action, target, details }) => [action, target.name, details])).toEqual([
    ["deleteAllowedDomain", "acme.com", null],
    ["createAllowedDomains", null, { domains: ["beta.example"] }],
    ["createAllowedDomains", null, { domains: ["acme.com"] }],
  ]);
});

test("a list that would become too long is refused as a whole", async () => {
  const domains = (from: number, count: number) => Array.from({ length: count }, (_, at) => `d${from + at}.example`);
  await allow(...domains(0, 100));
  await allow(...domains(100, 100));
  const reply = await admin().send(createAllowedDomains, { body: { domains: ["one-more.example", "d1.example"] } });
  expect(reply).toMatchObject({ status: 400, body: { errors: [{ path: "domains" }] } });
  expect((await names()).length).toBe(200);
});
