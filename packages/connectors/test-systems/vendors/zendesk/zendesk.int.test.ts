/** The simulated Zendesk answers as its public reference says. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startZendesk, ZENDESK_ACCESS_TOKEN, ZENDESK_API_TOKEN, ZENDESK_EMAIL, type Zendesk } from "./zendesk.ts";

let zendesk: Zendesk;
beforeAll(async () => void (zendesk = await startZendesk(25)));
afterAll(() => zendesk.stop());

const basic = `Basic ${Buffer.from(`${ZENDESK_EMAIL}/token:${ZENDESK_API_TOKEN}`).toString("base64")}`;

async function ask(path: string, method = "GET", body?: unknown, authorization = basic) {
  const response = await fetch(path.startsWith("http") ? path : `${zendesk.url}/api/v2/${path}`, {
    method,
    headers: { authorization, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

test("signs in with an API token or a bearer token, and refuses others", async () => {
  expect(await ask("users/me.json")).toMatchObject({ status: 200, body: { user: { email: ZENDESK_EMAIL } } });
  expect((await ask("users/me", "GET", undefined, `Bearer ${ZENDESK_ACCESS_TOKEN}`)).status).toBe(200);
  expect(await ask("tickets", "GET", undefined, "Bearer no")).toMatchObject({
    status: 401,
    body: { error: "invalid_token" },
  });
  expect(await ask("tickets", "GET", undefined, "Basic bm8=")).toMatchObject({
    status: 401,
    body: { error: "Couldn't authenticate you" },
  });
});

test("lists by cursor until there is no more", async () => {
  const first = await ask("tickets.json?page[size]=20");
  expect(first.body.tickets).toHaveLength(20);
  expect(first.body.meta.has_more).toBe(true);
  const second = await ask(first.body.links.next);
  expect(second.body.tickets).toHaveLength(5);
  expect(second.body.meta.has_more).toBe(false);
  expect((await ask("tickets.json?page[size]=101")).status).toBe(400);
});

test("exports what changed, deleted tickets among it", async () => {
  const first = await ask("incremental/tickets/cursor.json?start_time=0&per_page=1000");
  expect(first.body).toMatchObject({ end_of_stream: true });
  const made = await ask("tickets.json", "POST", {
    ticket: { subject: "Help", comment: { body: "Fire" }, tags: ["B", "a"] },
  });
  expect(made).toMatchObject({
    status: 201,
    body: { ticket: { status: "new", tags: ["a", "b"], description: "Fire" } },
  });
  const { id } = made.body.ticket;
  expect((await ask(`tickets/${id}.json`, "DELETE")).status).toBe(204);
  expect(await ask(`tickets/${id}`)).toMatchObject({ status: 404, body: { error: "RecordNotFound" } });
  const next = await ask(`incremental/tickets/cursor.json?cursor=${first.body.after_cursor}`);
  expect(next.body.tickets).toMatchObject([{ id, status: "deleted" }]);
  const recent = await ask(`incremental/users/cursor?start_time=${Math.floor(Date.now() / 1000)}`);
  expect(recent.status).toBe(422);
});

test("updates safely, and refuses an outdated stamp", async () => {
  const id = [...zendesk.records.tickets.keys()][0];
  const { updated_at: updated_stamp } = (await ask(`tickets/${id}`)).body.ticket;
  const ticket = { subject: "Changed", safe_update: true, updated_stamp };
  expect(await ask(`tickets/${id}`, "PUT", { ticket })).toMatchObject({
    status: 200,
    body: { ticket: { subject: "Changed" } },
  });
  expect(await ask(`tickets/${id}`, "PUT", { ticket })).toMatchObject({
    status: 409,
    body: { error: "UpdateConflict" },
  });
});

test("refuses duplicates, and deletes users softly", async () => {
  const user = { name: "Roger", email: "Roger@example.org" };
  const made = await ask("users", "POST", { user });
  expect(made).toMatchObject({ status: 201, body: { user: { email: "roger@example.org", active: true } } });
  expect(await ask("users", "POST", { user })).toMatchObject({
    status: 422,
    body: { error: "RecordInvalid", details: { email: [{ error: "DuplicateValue" }] } },
  });
  expect((await ask("users/search.json?query=roger@example.org")).body).toMatchObject({ count: 1 });
  expect(await ask(`users/${made.body.user.id}`, "DELETE")).toMatchObject({
    status: 200,
    body: { user: { active: false } },
  });
  expect((await ask("organizations", "POST", { organization: { name: "organization 1" } })).status).toBe(422);
});
