/** T27: secrets go in and never come out: not in a log line, not in a reply, not in a table, not in an error. */
import { Writable } from "node:stream";
import { createConnector } from "@accord/contracts/connections/connectors";
import { ENDPOINTS } from "@accord/contracts/endpoints";
import {
  forgotPassword,
  openPasswordReset,
  setInvitedPassword,
  signIn,
  updatePassword,
} from "@accord/contracts/identity/sign-in";
import { inviteUser } from "@accord/contracts/identity/users";
import { reportError } from "@accord/contracts/operations/health";
import { getMail, listMails } from "@accord/contracts/operations/mails";
import { beforeAll, describe, expect, test } from "vitest";
import { hashPassword } from "../src/modules/identity/sign-in/index.ts";
import { makeLog } from "../src/platform/log/log.ts";
import { validInput } from "../test-kit/generated/inputs.ts";
import { mailServer, type MailServer, testApp, type TestApp } from "../test-kit/index.ts";

const CANARY = {
  password: "canary one under the bridge",
  newPassword: "canary two beside the well",
  wrongPassword: "canary three over the roof",
  invited: "canary four behind the barn",
  connector: "canary-five-connector-secret",
};
let t: TestApp;
let mails: MailServer;
let log = "";
const replies: string[] = [];

beforeAll(async () => {
  const destination = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk);
      done();
    },
  });
  mails = await mailServer();
  const config = { smtpUrl: mails.url };
  t = await testApp({ log: makeLog({ logLevel: "trace", destination }), roles: ["worker"], config });
  return () => mails.close();
});

/** Every row of every table of both databases, as text. */
async function dump(): Promise<string> {
  let text = "";
  for (const pool of [t.deps.appPool, t.deps.dataPool]) {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
        WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    for (const { name } of rows) text += JSON.stringify((await pool.query(`SELECT * FROM ${name}`)).rows);
  }
  return text;
}

describe("[T27] secrets", () => {
  test("of people and systems are in no log line, no table and no reply, tokens and session ids included", async () => {
    const send: TestApp["anonymous"]["send"] = async (...call) => {
      const answer = await t.anonymous.send(...call);
      replies.push(JSON.stringify(answer.body));
      return answer;
    };
    const email = "canary@example.com";
    const userId = await t.build.user({ email, passwordHash: await hashPassword(CANARY.password), roles: ["VIEWER"] });
    const login = await send(signIn, { body: { username: email, password: CANARY.password } });
    await send(signIn, { body: { username: email, password: CANARY.wrongPassword } });
    const me = await t.asUser(userId);
    const body = { userId, currentPwd: CANARY.password, newPwd: CANARY.newPassword };
    replies.push(JSON.stringify((await me.send(updatePassword, { params: { userId }, body })).body));

    await send(forgotPassword, { body: { email } });
    await t.app.identity.signIn.service.settle();
    const admin = t.as("ORG_ADMIN");
    await admin.call(inviteUser, {
      body: { email: "invited@example.com", firstName: "I", lastName: "N", userRoles: {} },
    });
    const token = /token=([\w-]+)/.exec(await mails.next(email, 1))?.[1] ?? "";
    const invitation = await mails.next("invited@example.com", 1);
    const invitationId = /setpassword\/([0-9a-f]{24})/.exec(invitation)?.[1] ?? "";
    const outbox = await admin.call(listMails);
    for (const mail of outbox.mails)
      replies.push(JSON.stringify(await admin.call(getMail, { params: { mailId: mail.id } })));
    expect(replies.join()).toContain("one-time link");
    const before = await dump();
    for (const secret of [token, invitationId]) expect(secret.length > 20 && !before.includes(secret)).toBe(true);
    const opened = await send(openPasswordReset, { body: { token } });
    await send(setInvitedPassword, { params: { invitationId }, body: { password: CANARY.invited } });
    const shown = {
      phoneHomeId: "x",
      errorMessage: `at /x?token=${token}`,
      url: `https://x/invited-user/setpassword/${invitationId}`,
    };
    await send(reportError, { body: shown });

    const secrets = [
      ...Object.values(CANARY).filter((secret) => secret !== CANARY.connector),
      token,
      invitationId,
      me.token,
      ...[login, opened].map((answer) => answer.cookies.get("accord_session") ?? "none"),
    ];
    const stored = await dump();
    for (const secret of secrets) {
      expect(log, "the log").not.toContain(secret);
      expect(stored, "a table").not.toContain(secret);
      expect(replies.join(), "a reply").not.toContain(secret);
    }
    expect(log.length).toBeGreaterThan(0);
  });

  test("of a connector come back in no reading call of anybody", async () => {
    const created = await t.as("SUPER_ADMIN").send(createConnector, {
      body: {
        name: "Canary",
        typeId: "postgres",
        config: { host: "db.example.com", port: 5432, database: "x" },
        authType: "userPassword",
        credentials: { username: "u", password: CANARY.connector },
      },
    });
    expect(created.status, JSON.stringify(created.body)).toBe(200);
    const connectorId = (created.body as { id: string }).id;
    expect(JSON.stringify(created.body)).not.toContain(CANARY.connector);
    const at = { organisationId: t.organisationId, instanceId: t.instanceId };
    for (const endpoint of ENDPOINTS.filter(({ method, path }) => method === "GET" && path.includes("onnector"))) {
      const input = await validInput(t, endpoint, at);
      const params =
        "connectorId" in ((input.params ?? {}) as object) ? { ...(input.params as object), connectorId } : input.params;
      const answer = await t.as("SUPER_ADMIN").send(endpoint, { ...input, params });
      expect(JSON.stringify(answer.body), endpoint.name).not.toContain(CANARY.connector);
    }
    expect(await dump()).not.toContain(CANARY.connector);
    expect(log).not.toContain(CANARY.connector);
  });

  test("an unexpected failure tells the caller a request id and nothing else", async () => {
    await t.deps.appPool.query("ALTER TABLE mail RENAME TO mail_away");
    const answer = await t.as("ORG_ADMIN").send(listMails);
    await t.deps.appPool.query("ALTER TABLE mail_away RENAME TO mail");
    expect(answer.body).toEqual({
      message: expect.any(String),
      description: expect.any(String),
      status: 500,
      code: "internal_error",
      requestId: answer.headers["x-request-id"],
    });
    expect(log).toContain(String(answer.headers["x-request-id"]));
  });
});
