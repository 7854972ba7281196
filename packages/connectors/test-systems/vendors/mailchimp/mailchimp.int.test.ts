/** The simulated Mailchimp answers as the reference of the Marketing API shows. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAILCHIMP_KEY, MAILCHIMP_LIST, startMailchimp, type Mailchimp } from "./mailchimp.ts";

let mailchimp: Mailchimp;
beforeAll(async () => void (mailchimp = await startMailchimp(30)));
afterAll(() => mailchimp.stop());

async function ask(method: string, path: string, body?: unknown, key = MAILCHIMP_KEY): Promise<unknown> {
  const headers = { authorization: `Basic ${Buffer.from(`anystring:${key}`).toString("base64")}` };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const answer = await fetch(`${mailchimp.url}/3.0${path}`, init);
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
}

const MEMBERS = `/lists/${MAILCHIMP_LIST}/members`;

test("lists members by pages, times of change and chosen fields", async () => {
  expect(await ask("GET", `${MEMBERS}?count=20&offset=20&fields=members.email_address,total_items`)).toEqual({
    status: 200,
    body: {
      members: expect.objectContaining({ length: 10, 0: { email_address: "Member21@example.org" } }),
      total_items: 30,
    },
  });
  const since = encodeURIComponent("2024-01-01T00:29:00+00:00");
  expect(await ask("GET", `${MEMBERS}?since_last_changed=${since}`)).toMatchObject({
    body: { members: [{ last_changed: "2024-01-01T00:30:00+00:00" }], total_items: 1 },
  });
  expect(await ask("GET", `${MEMBERS}?count=1001`)).toMatchObject({ status: 400 });
  expect(await ask("GET", `${MEMBERS}/nobody@example.org`)).toMatchObject({
    status: 404,
    body: { title: "Resource Not Found" },
  });
  expect(await ask("GET", MEMBERS, undefined, "wrong")).toMatchObject({
    status: 401,
    body: { title: "API Key Invalid" },
  });
  expect(await ask("GET", "/search-members?query=member7@example.org")).toMatchObject({
    body: { exact_matches: { total_items: 1 } },
  });
});

test("creates, renames and archives a member, and names what is wrong", async () => {
  const given = { email_address: "Ada@example.org", status: "subscribed", merge_fields: { JOINED: "01/17/2024" } };
  expect(await ask("POST", MEMBERS, given)).toMatchObject({
    status: 200,
    body: { id: "5bfcf2d8e394674550332640d72db509", merge_fields: { FNAME: "", JOINED: "2024-01-17" } },
  });
  expect(await ask("POST", MEMBERS, given)).toMatchObject({ status: 400, body: { title: "Member Exists" } });
  expect(await ask("POST", MEMBERS, { email_address: "b@example.org" })).toMatchObject({
    status: 400,
    body: { title: "Invalid Resource", errors: [{ field: "status" }] },
  });
  expect(await ask("PATCH", `${MEMBERS}/ada@example.org`, { email_address: "new@example.org" })).toMatchObject({
    status: 200,
  });
  expect(await ask("GET", `${MEMBERS}/ada@example.org`)).toMatchObject({ status: 404 });
  expect(await ask("DELETE", `${MEMBERS}/new@example.org`)).toEqual({ status: 204, body: null });
  expect(await ask("GET", `${MEMBERS}/new@example.org`)).toMatchObject({ status: 200, body: { status: "archived" } });
  expect(await ask("DELETE", `${MEMBERS}/new@example.org`)).toMatchObject({ status: 405 });
});
