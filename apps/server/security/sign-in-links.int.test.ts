/**
 * Who gets hold of a link that signs somebody in: for each pair of roles, built-in ones and own ones of single
 * permissions, nobody one of somebody who may do more than they.
 */
import { BUILT_IN_ROLES, PERMISSIONS, type BuiltInRole, type Id, type Permission } from "@accord/contracts";
import { forgotPassword, openPasswordReset, setInvitedPassword } from "@accord/contracts/identity/sign-in";
import { createOneTimeLink, inviteUser } from "@accord/contracts/identity/users";
import { listAuditEntries } from "@accord/contracts/operations/audit";
import { getMail, listMails } from "@accord/contracts/operations/mails";
import { beforeAll, describe, expect, test } from "vitest";
import { permissionsOfRole } from "../src/platform/access/role-permissions.ts";
import { type Caller, mailServer, type MailServer, testApp, type TestApp } from "../test-kit/index.ts";

type Who = BuiltInRole | readonly Permission[];
interface Target {
  name: string;
  id: Id<"user">;
  email: string;
  rank: number;
  permissions: ReadonlySet<Permission>;
}

let t: TestApp;
let targets: Target[];
beforeAll(async () => {
  t = await testApp();
  targets = await Promise.all([...BUILT_IN_ROLES, ["READ_STUDIO"] as const, ["ADD_INSTANCE"] as const].map(makeTarget));
  targets.push(await makeTargetByRank("superAdmin", 2), await makeTargetByRank("orgAdmin", 1));
  for (const { email } of targets) await t.anonymous.call(forgotPassword, { body: { email } });
  await t.app.identity.signIn.service.settle();
});

const rankOf = (who: Who) => (who === "SUPER_ADMIN" ? 2 : who === "ORG_ADMIN" ? 1 : 0);
const permissionsOf = (who: Who): ReadonlySet<Permission> =>
  typeof who === "string" ? permissionsOfRole(who) : new Set(who);

async function makeTarget(who: Who): Promise<Target> {
  const name = typeof who === "string" ? who : who.join("+");
  const email = `${name.toLowerCase()}@target.example.com`;
  // A caller of the same kind makes the role, if it is an own one.
  const id = typeof who === "string" ? await personOf(who, email) : await ownRolePerson(who, email);
  return { name, id, email, rank: rankOf(who), permissions: permissionsOf(who) };
}
/** Without a role in any instance, as the first administrator is. */
async function makeTargetByRank(flag: "orgAdmin" | "superAdmin", rank: number): Promise<Target> {
  const email = `${flag.toLowerCase()}@rank.example.com`;
  const id = await t.build.user({ email, roles: [], [flag]: true });
  return { name: `${flag} by rank`, id, email, rank, permissions: new Set() };
}
const personOf = (role: BuiltInRole, email: string) =>
  t.build.user({ email, roles: [role], orgAdmin: role === "ORG_ADMIN", superAdmin: role === "SUPER_ADMIN" });
async function ownRolePerson(permissions: readonly Permission[], email: string) {
  const role = { id: t.deps.newId<"role">(), organisation_id: t.organisationId, name: email, description: "" };
  const now = t.clock.now();
  await t.deps.appDb
    .withTables<{ custom_role: Record<string, unknown> }>()
    .insertInto("custom_role")
    .values({ ...role, permissions: [...permissions], created_at: now, updated_at: now, version: 1 })
    .execute();
  return t.build.user({ email, roles: [role.id] });
}

/** Every built-in role, every single permission, and each together with what reading mails and making links takes. */
const ACTORS: Who[] = [
  ...BUILT_IN_ROLES,
  ...PERMISSIONS.map((permission) => [permission]),
  ...PERMISSIONS.map((permission) => ["READ_OUTBOX", "REINVITE_USER", permission] as const),
];
const label = (who: Who) => (typeof who === "string" ? who : who.join(" + "));

describe("reading mails", () => {
  test.each(ACTORS.map((who) => [label(who), who] as const))("%s finds no link in any", async (_, who) => {
    const caller = t.as(who);
    const listed = await caller.send(listMails, { query: { count: 200 } });
    if (!permissionsOf(who).has("READ_OUTBOX")) return expect(listed.status).toBe(403);
    const { mails } = listed.body as { mails: { id: string; kind: string; to: string }[] };
    // Rank shows that there are mails to others; no permission does.
    const signIns = mails.filter(({ kind }) => kind === "passwordReset");
    expect(signIns.length > 0).toBe(rankOf(who) > 0);
    const bodies = await Promise.all(mails.map(({ id }) => caller.send(getMail, { params: { mailId: id } })));
    expect(JSON.stringify([listed.body, ...bodies.map(({ body }) => body)])).not.toMatch(
      /token=|setpassword\/|[A-Za-z0-9_-]{43}/,
    );
  });

  test("whoever knows the id of a mail reads no more", async () => {
    const { rows } = await t.deps.appPool.query("SELECT id FROM mail WHERE kind = 'passwordReset'");
    expect(rows.length).toBe(targets.length);
    for (const { id } of rows)
      for (const who of [["READ_OUTBOX", "ADD_INSTANCE"], ["READ_OUTBOX"], "INSTANCE_ADMIN"] as const)
        expect((await t.as(who).send(getMail, { params: { mailId: id } })).status).toBe(404);
  });
});

describe("making a link for somebody", () => {
  test.each(ACTORS.map((who) => [label(who), who] as const))("%s: not for who may do more", async (_, who) => {
    const caller = t.as(who);
    const mine = permissionsOf(who);
    for (const target of targets) {
      const holdsAll = [...target.permissions].every((permission) => mine.has(permission));
      const may = mine.has("REINVITE_USER") && rankOf(who) >= target.rank && holdsAll;
      // Below the organisation's administrators nobody sees people without a role in the instance.
      const isSeen = rankOf(who) > 0 || !target.name.endsWith("by rank");
      const { status, body } = await caller.send(createOneTimeLink, { params: { userId: target.id } });
      const refused = mine.has("REINVITE_USER") && !isSeen ? 404 : 403;
      expect([target.name, status], JSON.stringify(body)).toEqual([target.name, may ? 200 : refused]);
    }
  });

  test("it works once, is written to the audit log, and the person is told", async () => {
    const target = targets.find(({ name }) => name === "VIEWER");
    if (!target) throw new Error("no viewer");
    const admin = t.as("INSTANCE_ADMIN");
    const { link, kind } = await admin.call(createOneTimeLink, { params: { userId: target.id } });
    expect(kind).toBe("passwordReset");
    const token = new URL(link).searchParams.get("token") ?? "";
    expect((await t.anonymous.send(openPasswordReset, { body: { token } })).body).toEqual({ userId: target.id });
    expect((await t.anonymous.send(openPasswordReset, { body: { token } })).status).toBe(400);
    const { entries } = await admin.call(listAuditEntries);
    expect(entries[0]).toMatchObject({ action: "createOneTimeLink", target: { id: target.id, name: target.email } });
    expect(JSON.stringify(entries)).not.toContain(token);
    const { mails } = await t.as("ORG_ADMIN").call(listMails);
    expect(mails.find(({ to }) => to === target.email)?.kind).toBe("oneTimeLink");
  });

  test("an invited person gets an invitation; a deactivated one, oneself and people elsewhere nothing", async () => {
    const admin = t.as("INSTANCE_ADMIN");
    const body = {
      email: "new@example.com",
      firstName: "N",
      lastName: "N",
      userRoles: { [t.instanceId]: ["VIEWER" as const] },
    };
    const { id: userId } = await admin.call(inviteUser, { body });
    const { link, kind } = await admin.call(createOneTimeLink, { params: { userId } });
    expect(kind).toBe("invitation");
    const invitationId = link.split("/").at(-1) ?? "";
    const password = "a long walk by the river";
    expect((await t.anonymous.send(setInvitedPassword, { params: { invitationId }, body: { password } })).status).toBe(
      200,
    );

    const refusal = async (id: Id<"user">, who: Caller = admin) =>
      (await who.send(createOneTimeLink, { params: { userId: id } })).status;
    const inactive = await t.build.user({ roles: ["VIEWER"] });
    await t.deps.appPool.query("UPDATE app_user SET status = 'INACTIVE' WHERE id = $1", [inactive]);
    expect(await refusal(inactive)).toBe(409);
    const myself = await t.build.user({ roles: ["SUPER_ADMIN"], superAdmin: true });
    expect(await refusal(myself, await t.asUser(myself))).toBe(409);
    const elsewhere = await t.build.user({ roles: ["VIEWER"], instanceId: await t.build.instance() });
    expect(await refusal(elsewhere)).toBe(404);
    const { organisationId } = await t.build.organisation();
    const foreign = await t.build.user({ organisationId });
    expect(await refusal(foreign, t.as("SUPER_ADMIN"))).toBe(404);
  });
});

describe("with a mail server", () => {
  test("the link is in the mail that arrives, and nowhere else", async () => {
    const server: MailServer = await mailServer();
    const sending = await testApp({ roles: ["worker"], config: { smtpUrl: server.url } });
    const email = "ada@example.com";
    const userId = await sending.build.user({ email, roles: ["VIEWER"] });
    await sending.anonymous.call(forgotPassword, { body: { email } });
    const token = /token=([\w-]{43})/.exec(await server.next(email, 1))?.[1] ?? "none";
    const admin = sending.as("SUPER_ADMIN");
    await expect.poll(async () => (await admin.call(listMails)).mails[0]?.status).toBe("SENT");
    const { mails } = await admin.call(listMails);
    const read = await Promise.all(mails.map(({ id }) => admin.call(getMail, { params: { mailId: id } })));
    expect(read).toMatchObject([{ linkFor: userId, text: expect.stringContaining("[one-time link") }]);
    expect(JSON.stringify(read)).not.toContain(token);
    // Unsealed as well: what is stored has no token in it.
    const { rows } = await sending.deps.appPool.query("SELECT * FROM mail");
    const stored = await sending.deps.secrets.open(
      { instanceId: sending.organisationId, table: "mail", id: rows[0].id, field: "body" },
      rows[0].body,
    );
    expect(stored).toContain("{{link}}");
    expect(stored).not.toContain(token);
    expect((await sending.anonymous.send(openPasswordReset, { body: { token } })).body).toEqual({ userId });
    await server.close();
  });
});
