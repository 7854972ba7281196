/** Signing in, staying signed in and getting out again. */
import { checkSignIn, signIn, signOut } from "@accord/contracts/identity/sign-in";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { beforeAll, describe, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { hashPassword } from "./index.ts";

const PASSWORD = "a long walk by the river";
let t: TestApp;
let passwordHash: string;
beforeAll(async () => {
  t = await testApp();
  passwordHash = await hashPassword(PASSWORD);
});

describe("signing in", () => {
  test("[PLT-108] the right password opens a session, and signing out ends it", async () => {
    await t.build.user({ email: "ada@example.com", passwordHash, roles: ["VIEWER"] });
    const answer = await t.anonymous.send(signIn, { body: { username: "Ada@example.com", password: PASSWORD } });
    expect(answer).toMatchObject({ status: 200, body: { passwordExpired: false } });
    const cookies = Object.fromEntries(answer.cookies);
    const headers = { "x-csrf-token": cookies["accord_csrf"] ?? "" };

    const me = await t.anonymous.raw({ url: "/api/v1/user", cookies });
    expect(me.body).toMatchObject({ email: "ada@example.com", currentInstanceName: "First", passwordExpired: false });
    const out = await t.anonymous.raw({ method: "POST", url: "/api/v1/logout", cookies, headers });
    expect(out.status).toBe(200);
    expect((await t.anonymous.raw({ url: "/api/v1/user", cookies })).status).toBe(401);
    expect((await t.anonymous.raw({ url: "/api/v1/authenticate", cookies })).body).toMatchObject({ signedIn: false });
  });

  test("an unknown address and a wrong password get the same answer", async () => {
    const wrong = await t.anonymous.send(signIn, {
      body: { username: "ada@example.com", password: "not this one at all" },
    });
    const unknown = await t.anonymous.send(signIn, {
      body: { username: "eve@example.com", password: "not this one at all" },
    });
    const text = (answer: typeof wrong) => ({ ...(answer.body as object), requestId: "" });
    expect(wrong.status).toBe(401);
    expect(text(unknown)).toEqual(text(wrong));
  });

  test("without a session nothing but the public is answered", async () => {
    expect(await t.anonymous.call(checkSignIn)).toEqual({ signedIn: false, passwordExpired: false });
    await expect(t.anonymous.call(getCurrentUser)).rejects.toMatchObject({ status: 401, code: "not_signed_in" });
    await expect(t.anonymous.call(signOut)).resolves.toEqual({});
    const answer = await t.anonymous.send(signOut);
    expect(answer.headers["clear-site-data"]).toBe('"cache", "storage"');
  });
});
