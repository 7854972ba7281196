/** Handler rules of instances, sign-in and guests. */
import { type Id, type Permission } from "@accord/contracts";
import { deleteInstance, updateInstance } from "@accord/contracts/identity/instances";
import { resetPassword, signIn } from "@accord/contracts/identity/sign-in";
import { changeUserRoles, getCurrentUser } from "@accord/contracts/identity/users";
import {
  encodeEmail,
  getSharedDashboard,
  openSharedDashboard,
  shareDashboard,
} from "@accord/contracts/insights/sharing";
import { getMail, listMails } from "@accord/contracts/operations/mails";
import { expect } from "vitest";
import { hashPassword } from "../src/platform/access/password-hash.ts";
import { sessionCookieName, shareCookieName } from "../src/platform/http/request/session-cookie.ts";
import { makeCaller } from "./caller.ts";
import { makePublished } from "./fixtures/insights.ts";
import type { Place, TestApp } from "./test-app.ts";
import { type HandlerRule, refused, insertNode, elsewhere } from "./handler-rule.ts";

const PASSWORD = "a long walk by the river";

export const instances: HandlerRule[] = [
  {
    name: "an instance is changed by those who may there, not by those who may elsewhere",
    async check(t) {
      const other = await elsewhere(t);
      const userId = await t.build.user({ roles: ["INSTANCE_ADMIN"] });
      await t.as("ORG_ADMIN").call(changeUserRoles, {
        params: { userId },
        body: { userRoles: { [other.instanceId]: ["VIEWER"] } },
      });
      const change = { params: { instanceId: other.instanceId }, body: { displayName: "Other", version: 1 } };
      await refused((await t.asUser(userId)).send(updateInstance, change), "forbidden");
    },
  },
  {
    name: "the type of an instance is the operator's",
    async check(t) {
      const place = await elsewhere(t);
      const change = { params: { instanceId: place.instanceId }, body: { type: "partner", version: 1 } };
      await refused(t.as("INSTANCE_ADMIN", place).send(updateInstance, change), "forbidden");
      expect((await t.as("SUPER_ADMIN", place).send(updateInstance, change)).status).toBe(200);
    },
  },
  {
    name: "nobody deletes the instance they work in",
    async check(t) {
      const name = `i${t.deps.newId()}`;
      const place = insertNode(t, await t.build.instance({ name }));
      const named = { params: { instanceId: place.instanceId }, query: { name } };
      await refused(t.as("ORG_ADMIN", place).send(deleteInstance, named), "invalid_state");
    },
  },
  {
    name: "an instance is deleted by its name",
    async check(t) {
      const { instanceId } = await elsewhere(t);
      const wrong = { params: { instanceId }, query: { name: "another" } };
      await refused(t.as("ORG_ADMIN").send(deleteInstance, wrong), "invalid_state");
    },
  },
  {
    name: "an instance that is purged takes no rows of others with it",
    isDestructive: true,
    async check(t) {
      const { instanceId } = await elsewhere(t);
      const { id } = await t.as("SUPER_ADMIN").call(getCurrentUser);
      await t.app.identity.instances.service.purge(instanceId);
      const { rows } = await t.deps.appPool.query("SELECT FROM user_role WHERE user_id = $1", [id]);
      expect(rows).toHaveLength(1);
    },
  },
];

/** The instance that somebody works in after they signed in. */
async function startOf(t: TestApp, email: string): Promise<string | null> {
  const answer = await t.anonymous.send(signIn, { body: { username: email, password: PASSWORD } });
  expect(answer.status).toBe(200);
  const cookieName = sessionCookieName(t.deps.config.baseUrl);
  const cookies = { [cookieName]: answer.cookies.get(cookieName) ?? "" };
  const person = makeCaller({ http: t.app.http, cookies, token: t.forgery.token(null) });
  return (await person.call(getCurrentUser)).currentInstanceAccordId;
}

export const signingIn: HandlerRule[] = [
  {
    name: "administrators start in an instance of their own organisation",
    async check(t) {
      const organisation = await t.build.organisation(`o${t.deps.newId()}`);
      const instanceId = await t.build.instance(organisation);
      const email = `${t.deps.newId()}@example.com`;
      await t.build.user({
        ...organisation,
        instanceId,
        email,
        orgAdmin: true,
        passwordHash: await hashPassword(PASSWORD),
      });
      expect(await startOf(t, email)).toBe(instanceId);
    },
  },
  {
    name: "people start in an instance that they have a role in",
    async check(t) {
      const place = await elsewhere(t);
      const email = `${t.deps.newId()}@example.com`;
      await t.build.user({ ...place, email, roles: ["VIEWER"], passwordHash: await hashPassword(PASSWORD) });
      expect(await startOf(t, email)).toBe(place.instanceId);
    },
  },
  {
    name: "a full session sets no password without the current one",
    async check(t) {
      const userId = await t.build.user({ roles: ["VIEWER"] });
      const call = { params: { userId }, body: { newPwd: PASSWORD } };
      await refused((await t.asUser(userId)).send(resetPassword, call), "forbidden");
    },
  },
];

/** A dashboard shared with an address, and how to open it with a browser's cookies. */
async function sharedWith(t: TestApp, place: Place, email: string) {
  const dashboardId = await makePublished(t, place);
  const body = { emails: [email], expiryDate: null };
  const { shares } = await t.as("SUPER_ADMIN", place).call(shareDashboard, { params: { id: dashboardId }, body });
  const secret = shares[0]?.password ?? "";
  const name = shareCookieName(t.deps.config.baseUrl);
  const browser = (cookie: string | undefined) =>
    makeCaller({
      http: t.app.http,
      cookies: cookie === undefined ? {} : { [name]: cookie },
      token: t.forgery.token(null),
    });
  return {
    /** @returns the cookie of a new session; undefined when the one that was carried goes on. */
    async open(cookie?: string): Promise<string | undefined> {
      const opening = { email: encodeEmail(email), dashboardId, secret };
      const answer = await browser(cookie).send(openSharedDashboard, { body: opening });
      expect(answer.status).toBe(200);
      return answer.cookies.get(name);
    },
    read: async (cookie: string | undefined) =>
      (await browser(cookie).send(getSharedDashboard, { params: { dashboardId } })).status,
  };
}

export const guests: HandlerRule[] = [
  {
    name: "a guest's session of one instance is not one of another",
    async check(t) {
      const email = `${t.deps.newId()}@example.com`;
      const here = await sharedWith(t, t, email);
      const there = await sharedWith(t, await elsewhere(t), email);
      const first = await here.open();
      const second = await there.open(first);
      expect([await here.read(first), await there.read(first), await there.read(second)]).toEqual([200, 401, 200]);
    },
  },
  {
    name: "a guest's code shows in the outbox to those who may share",
    async check(t) {
      const code = t.deps.newId();
      const subject = `code ${t.deps.newId()}`;
      const { organisationId, instanceId } = t;
      const text = "{{code}}";
      await t.deps.mail.send({
        to: "a@example.com",
        subject,
        text,
        code,
        kind: "shareCode",
        organisationId,
        instanceId,
      });
      const seenBy = async (who: Permission[]) => {
        const { mails } = await t.as(who).call(listMails, { query: { count: 200 } });
        const mailId = mails.find((mail) => mail.subject === subject)?.id as Id<"mail">;
        return (await t.as(who).call(getMail, { params: { mailId } })).text.includes(code);
      };
      expect(await seenBy(["READ_OUTBOX", "SHARE_DASHBOARD"])).toBe(true);
      expect(await seenBy(["READ_OUTBOX"])).toBe(false);
    },
  },
];
