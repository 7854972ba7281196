/** Who invites learns nothing of accounts elsewhere; who is invited joins with the account they have. */
import { forgotPassword, setInvitedPassword, signIn, updatePassword } from "@accord/contracts/identity/sign-in";
import { listMyInstances, switchInstance } from "@accord/contracts/identity/instances";
import { getCurrentUser, inviteUser, listUsers, reinviteUser } from "@accord/contracts/identity/users";
import { listMails } from "@accord/contracts/operations/mails";
import { beforeAll, expect, test } from "vitest";
import {
  type Caller,
  mailServer,
  type MailServer,
  type Place,
  testApp,
  type TestApp,
} from "../../../../test-kit/index.ts";
import { hashPassword } from "../sign-in/index.ts";

const PASSWORD = "a long walk by the river";
const OTHER = "vermilion okapi 77";
let t: TestApp;
let mails: MailServer;
let elsewhere: Place;
let passwordHash: string;

beforeAll(async () => {
  mails = await mailServer();
  t = await testApp({ roles: ["worker"], config: { smtpUrl: mails.url } });
  passwordHash = await hashPassword(PASSWORD);
  const { organisationId } = await t.build.organisation("Elsewhere");
  elsewhere = { organisationId, instanceId: await t.build.instance({ organisationId }) };
  return () => mails.close();
});

const invitation = (email: string, instanceId: string = t.instanceId) => ({
  body: { email, firstName: "Ada", lastName: "Lovelace", userRoles: { [instanceId]: ["VIEWER" as const] } },
});
const login = (username: string, password: string) => t.anonymous.send(signIn, { body: { username, password } });
async function accept(email: string, password: string, count = 1) {
  const text = await mails.next(email, count);
  const invitationId = /setpassword\/([0-9a-f]{24})/.exec(text)?.[1] ?? "";
  return t.anonymous.send(setInvitedPassword, { params: { invitationId }, body: { password } });
}

/** What the inviter sees of an invitation, without what differs between any two of them. */
async function seenBy(inviter: Caller, email: string, instanceId = t.instanceId) {
  const blank = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(email, "EMAIL")
        .replaceAll(/"(id|createdAt|sentAt|nextAttemptAt|updatedAt)":"[^"]*"/g, '"$1":"…"'),
    ) as unknown;
  const { status, body } = await inviter.send(inviteUser, invitation(email, instanceId));
  await mails.next(email, 1);
  const { users } = await inviter.call(listUsers, { query: { search: email } });
  const again = await inviter.send(inviteUser, invitation(email, instanceId));
  const [user] = users;
  const reinvited = user ? await inviter.send(reinviteUser, { params: { userId: user.id } }) : null;
  const text = (await mails.next(email, 2)).replaceAll(/setpassword\/\w+/g, "setpassword/…");
  const withoutHeaders = text.slice(text.indexOf("Hello"));
  return blank({
    status,
    body,
    users,
    again: [again.status, again.body],
    reinvited: reinvited?.status,
    withoutHeaders,
  });
}

test("an address that has an account elsewhere is invited as one that nobody knows", async () => {
  const sibling = await t.build.instance();
  await t.build.user({ email: "foreign@example.com", passwordHash, roles: ["INSTANCE_ADMIN"], ...elsewhere });
  await t.build.user({ email: "sibling@example.com", passwordHash, roles: ["VIEWER"], instanceId: sibling });
  const admin = t.as("INSTANCE_ADMIN");
  const requestIds = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll(/"requestId":"[^"]*"/g, '"requestId":"…"'));
  const unknown = requestIds(await seenBy(admin, "unknown@example.com"));
  expect(unknown).toMatchObject({ status: 200, reinvited: 200, again: [409, { code: "name_taken" }] });
  expect(requestIds(await seenBy(admin, "foreign@example.com"))).toEqual(unknown);
  expect(requestIds(await seenBy(admin, "sibling@example.com"))).toEqual(unknown);
  const sent = await t.as("ORG_ADMIN").call(listMails, {});
  expect(new Set(sent.mails.filter(({ kind }) => kind === "invitation").map(({ subject }) => subject)).size).toBe(1);
  // Their accounts are as they were.
  expect((await login("foreign@example.com", PASSWORD)).status).toBe(200);
  expect((await login("sibling@example.com", PASSWORD)).status).toBe(200);
});

test("whoever the inviter sees is taken, in both directions of the organisation", async () => {
  await t.build.user({ email: "seen@example.com", roles: ["VIEWER"] });
  for (const who of ["INSTANCE_ADMIN", "ORG_ADMIN"] as const)
    await expect(t.as(who).call(inviteUser, invitation("seen@example.com"))).rejects.toMatchObject({
      code: "name_taken",
    });
});

test("the password of the account elsewhere joins both: one password, and instances of both to switch between", async () => {
  const email = "joins@example.com";
  await t.build.user({ email, passwordHash, roles: ["INSTANCE_ADMIN"], ...elsewhere });
  await t.as("ORG_ADMIN").call(inviteUser, invitation(email));
  expect(await accept(email, PASSWORD)).toMatchObject({ status: 200, body: { email } });

  const { users } = await t.as("ORG_ADMIN").call(listUsers, { query: { search: email } });
  expect(users).toMatchObject([{ status: "ACTIVE", firstName: "Ada", userRoles: { [t.instanceId]: ["VIEWER"] } }]);
  const me = await t.asUser(users[0]?.id ?? ("" as never));
  const here = await me.call(getCurrentUser);
  expect(here).toMatchObject({ orgName: "Test", effectiveRoles: ["VIEWER"], orgAdmin: false });
  const { instances } = await me.call(listMyInstances, {});
  expect(instances.map(({ accordId }) => accordId)).toEqual([t.instanceId, elsewhere.instanceId]);
  t.clock.advance(1_000);
  await me.call(switchInstance, { params: { instanceId: elsewhere.instanceId } });
  const there = await me.call(getCurrentUser);
  expect(there).toMatchObject({ orgName: "Elsewhere", effectiveRoles: ["INSTANCE_ADMIN"], firstName: "Test" });
  expect(there.id).not.toBe(here.id);
  // Entered last, so it is entered again.
  expect((await login(email, PASSWORD)).body).toMatchObject({ userId: there.id });

  await me.call(updatePassword, {
    params: { userId: there.id },
    body: { userId: there.id, currentPwd: PASSWORD, newPwd: OTHER },
  });
  t.clock.advance(1_000);
  await me.call(switchInstance, { params: { instanceId: t.instanceId } });
  expect((await login(email, OTHER)).body).toMatchObject({ userId: here.id });
  expect((await login(email, PASSWORD)).status).toBe(401);
});

test("another password makes an account of its own: each password enters its own, and neither sees the other", async () => {
  const email = "apart@example.com";
  const first = await t.build.user({ email, passwordHash, roles: ["VIEWER"], ...elsewhere });
  await t.as("ORG_ADMIN").call(inviteUser, invitation(email));
  expect(await accept(email, OTHER)).toMatchObject({ status: 200, body: { email } });
  expect((await login(email, PASSWORD)).body).toMatchObject({ userId: first });
  const own = (await login(email, OTHER)).body as { userId: never };
  expect(own.userId).not.toBe(first);
  const me = await t.asUser(own.userId);
  expect((await me.call(listMyInstances, {})).instances.map(({ accordId }) => accordId)).toEqual([t.instanceId]);
  await expect(me.call(switchInstance, { params: { instanceId: elsewhere.instanceId } })).rejects.toMatchObject({
    status: 404,
  });
  // A forgotten password is set for each by a link of its own.
  await t.anonymous.call(forgotPassword, { body: { email } });
  await mails.next(email, 3);
  const subjects = async (at: Place) =>
    (await t.as("ORG_ADMIN", at).call(listMails, {})).mails.map((one) => one.subject);
  expect(await subjects(t)).toContain("Set a new password for Accord (Test)");
  expect(await subjects(elsewhere)).toContain("Set a new password for Accord (Elsewhere)");
});

test("in the same organisation both become one account, by its password only", async () => {
  const email = "same@example.com";
  const sibling = await t.build.instance();
  const userId = await t.build.user({ email, passwordHash, roles: ["SYNC_MANAGER"], instanceId: sibling });
  await t.as("INSTANCE_ADMIN").call(inviteUser, invitation(email));
  expect(await accept(email, OTHER)).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  expect(await accept(email, PASSWORD)).toMatchObject({ status: 200 });
  const { users } = await t.as("ORG_ADMIN").call(listUsers, { query: { search: email } });
  expect(users).toMatchObject([
    { id: userId, status: "ACTIVE", userRoles: { [sibling]: ["SYNC_MANAGER"], [t.instanceId]: ["VIEWER"] } },
  ]);
});

test("several invitations of one address can be accepted at once", async () => {
  const email = "twice@example.com";
  const siblings = await Promise.all([t.build.instance(), t.build.instance()]);
  for (const [index, instanceId] of siblings.entries()) {
    await t.as("INSTANCE_ADMIN", { instanceId }).call(inviteUser, invitation(email, instanceId));
    await mails.next(email, index + 1);
  }
  const answers = await Promise.all([accept(email, PASSWORD, 1), accept(email, PASSWORD, 2)]);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400]);
  const open = answers.findIndex(({ status }) => status === 400);
  expect((await accept(email, PASSWORD, open + 1)).status).toBe(200);
  const { users } = await t.as("ORG_ADMIN").call(listUsers, { query: { search: email } });
  expect(users.map(({ userRoles }) => Object.keys(userRoles).toSorted())).toEqual([siblings.toSorted()]);
});

test("a link is no way to try passwords of accounts elsewhere", async () => {
  const email = "guessed@example.com";
  await t.build.user({ email, passwordHash, roles: ["VIEWER"], ...elsewhere });
  const sibling = await t.build.instance();
  await t.build.user({ email, passwordHash: await hashPassword(OTHER), roles: ["VIEWER"], instanceId: sibling });
  await t.as("INSTANCE_ADMIN").call(inviteUser, invitation(email));
  const statuses = [];
  for (let index = 0; index < 12; index++) statuses.push((await accept(email, `no such password ${index}`)).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429]);
});
