/** Health, error reports, the outbox and the audit log. */
import { enableFeature } from "@accord/contracts/identity/instances";
import { getVersion } from "@accord/contracts/identity/users";
import { listAuditEntries } from "@accord/contracts/operations/audit";
import { getHealth, reportError } from "@accord/contracts/operations/health";
import { getMail, listMails } from "@accord/contracts/operations/mails";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, testApp, type TestApp } from "../../../test-kit/index.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});

describe("health", () => {
  test("is ok only while databases, migrations and background work are there", async () => {
    const whole = await testApp({ roles: ["worker"] });
    expect(await whole.anonymous.call(getHealth)).toEqual({ status: "ok" });
    // Here nothing works in the background.
    expect(await t.anonymous.send(getHealth)).toMatchObject({ status: 503, body: { code: "server_busy" } });

    const behind = await testApp({ roles: ["worker"] });
    await behind.deps.appPool.query("DELETE FROM migration WHERE name = (SELECT max(name) FROM migration)");
    expect(await behind.anonymous.send(getHealth)).toMatchObject({ status: 503 });

    const cut = await testApp({ roles: ["worker"] });
    const { rows } = await cut.deps.dataPool.query("SELECT current_database() AS name");
    const close = cut.deps.dataPool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [
      rows[0].name,
    ]);
    await close.catch(() => {});
    // The pool replaces the lost connections: a restart of the database heals by itself.
    await expect.poll(async () => (await cut.anonymous.send(getHealth)).status).toBe(200);
  });
});

describe("version and error reports", () => {
  const report = {
    phoneHomeId: "p1",
    errorMessage: "Boom",
    errorStack: "at x",
    state: "{}",
    actions: "[]",
    componentStack: "in A",
    browserInfo: "b",
    url: "/x",
  };

  test("the version is public, a report is kept, too large or too many are refused", async () => {
    expect(await t.anonymous.call(getVersion)).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(await t.anonymous.call(reportError, { body: report })).toEqual({});
    const { rows } = await t.deps.appPool.query("SELECT report FROM error_report");
    expect(rows).toEqual([{ report }]);
    const long = { ...report, errorStack: "é".repeat(8_000), componentStack: "é".repeat(4_000) };
    await expect(t.anonymous.call(reportError, { body: long })).rejects.toMatchObject({ code: "body_too_large" });
    const answers = [];
    for (let n = 0; n < 25; n++) answers.push((await t.anonymous.send(reportError, { body: report })).status);
    expect(answers.at(-1)).toBe(429);
  });
});

describe("the outbox", () => {
  test("shows administrators what was mailed; instance administrators no link that signs somebody in", async () => {
    const send = (kind: string) =>
      t.deps.mail.send({
        to: "a@example.com",
        subject: "Hello\r\nBcc: evil@example.com",
        text: "The text",
        kind,
        organisationId: t.organisationId,
        instanceId: t.instanceId,
      });
    await send("shareInvitation");
    t.clock.advance(1);
    await send("passwordReset");
    const all = await t.as("ORG_ADMIN").call(listMails);
    expect(all.mails.map((mail) => mail.kind)).toEqual(["passwordReset", "shareInvitation"]);
    expect(all.mails[0]).toMatchObject({ status: "KEPT", subject: "Hello Bcc: evil@example.com" });
    const instanceAdmin = t.as("INSTANCE_ADMIN");
    const some = await instanceAdmin.call(listMails);
    expect(some.mails.map((mail) => mail.kind)).toEqual(["shareInvitation"]);
    const secret = all.mails[0];
    if (!secret) throw new Error("no mail");
    await expect(instanceAdmin.call(getMail, { params: { mailId: secret.id } })).rejects.toMatchObject({ status: 404 });
    expect(await t.as("ORG_ADMIN").call(getMail, { params: { mailId: secret.id } })).toMatchObject({
      text: "The text",
      linkFor: null,
    });
    const { rows } = await t.deps.appPool.query("SELECT body FROM mail");
    expect(JSON.stringify(rows)).not.toContain("The text");
  });
});

describe("what lets somebody in", () => {
  const send = async (mail: { kind: string; text: string; code?: string }) => {
    t.clock.advance(1);
    await t.deps.mail.send({
      to: "a@example.com",
      subject: "Hello",
      html: `<p>${mail.text}</p>`,
      organisationId: t.organisationId,
      instanceId: t.instanceId,
      ...mail,
    });
    return (await t.as("ORG_ADMIN").call(listMails)).mails[0]?.id ?? ("" as never);
  };

  test("a guest's code is read by those who may share, while no mail server takes it to the guest", async () => {
    const mailId = await send({ kind: "shareCode", text: "Your code is {{code}}.", code: "123456" });
    const textFor = async (who: Caller) => {
      const { text, html } = await who.call(getMail, { params: { mailId } });
      expect(html).toContain(text);
      return text;
    };
    const elsewhere = await t.build.instance();
    for (const who of [t.as("INSTANCE_ADMIN"), t.as(["READ_OUTBOX", "SHARE_DASHBOARD"]), t.as("ORG_ADMIN")])
      expect(await textFor(who)).toBe("Your code is 123456.");
    expect(await textFor(t.as("ORG_ADMIN", { instanceId: elsewhere }))).toBe("Your code is 123456.");
    expect(await textFor(t.as(["READ_OUTBOX"]))).toBe("Your code is [code: only in the mail itself].");
    const other = t.as("INSTANCE_ADMIN", { instanceId: elsewhere });
    expect((await other.send(getMail, { params: { mailId } })).status).toBe(404);
    // On its way, or there: nobody but the guest needs it.
    for (const status of ["WAITING", "SENT", "FAILED"]) {
      await t.deps.appPool.query("UPDATE mail SET status = $1 WHERE id = $2", [status, mailId]);
      expect(await textFor(t.as("ORG_ADMIN"))).toBe("Your code is [code: only in the mail itself].");
    }
    const { rows } = await t.deps.appPool.query("SELECT body FROM mail");
    expect(JSON.stringify(rows)).not.toContain("123456");
  });

  test("a link that an older mail holds in its text is not shown", async () => {
    const links = [
      "http://localhost:3000/authentication/resetpassword?token=abcdefghijklmnopqrstuvwxyz-_0123456789ABCDE",
      "https://accord.example/base/invited-user/setpassword/0123456789abcdef01234567",
    ];
    for (const [index, link] of links.entries()) {
      const mailId = await send({ kind: index ? "invitation" : "passwordReset", text: `Here: ${link} Bye` });
      const { text, html } = await t.as("SUPER_ADMIN").call(getMail, { params: { mailId } });
      expect(text).toBe("Here: [one-time link: only in the mail itself] Bye");
      expect(html).not.toMatch(/token=|setpassword/);
    }
  });
});

describe("the audit log", () => {
  test("tells who changed what, from where, newest first and page by page", async () => {
    const admin = t.as("INSTANCE_ADMIN");
    for (const featureName of ["BRAND", "ABAC", "DfiV2"] as const) {
      await admin.call(enableFeature, { params: { featureName } });
      t.clock.advance(1);
    }
    const first = await admin.call(listAuditEntries, { query: { count: "2" as never } });
    expect(first.entries.map((entry) => entry.target.name)).toEqual(["DfiV2", "ABAC"]);
    expect(first.entries[0]).toMatchObject({
      action: "enableFeature",
      instanceId: t.instanceId,
      address: "127.0.0.1",
      user: { email: expect.stringContaining("@") },
    });
    const next = await admin.call(listAuditEntries, {
      query: { count: "2" as never, cursor: first.pageInfo.nextCursor ?? "" },
    });
    expect(next.entries.map((entry) => entry.target.name)).toEqual(["BRAND"]);
    expect(next.pageInfo.nextCursor).toBeNull();
  });
});
