/** The simulated Intercom: exchanges as its API reference shows them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  INTERCOM_TOKEN,
  INTERCOM_VERSION,
  INTERCOM_WRONG_TOKEN,
  startIntercom,
  type IntercomServer,
} from "./intercom.ts";

let intercom: IntercomServer;
beforeAll(async () => void (intercom = await startIntercom(13)));
afterAll(() => intercom.stop());

async function call(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
  const headers = {
    authorization: `Bearer ${INTERCOM_TOKEN}`,
    "intercom-version": INTERCOM_VERSION,
    "content-type": "application/json",
    ...more,
  };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(intercom.url + path, { method, headers, ...sent });
  return { status: response.status, body: await response.json() };
}
const refused = (status: number, code: string) => ({ status, body: { type: "error.list", errors: [{ code }] } });

it("wants its token and a version that exists", async () => {
  expect((await call("GET", "/me")).body).toMatchObject({ type: "admin", app: { type: "app" } });
  const wrong = { authorization: `Bearer ${INTERCOM_WRONG_TOKEN}` };
  expect(await call("GET", "/me", undefined, wrong)).toMatchObject(refused(401, "unauthorized"));
  const version = { "intercom-version": "9.9" };
  expect(await call("GET", "/me", undefined, version)).toMatchObject(refused(400, "intercom_version_invalid"));
});

it("pages through contacts after a cursor, and searches times by their day", async () => {
  const { body: first } = await call("GET", "/contacts?per_page=10");
  expect(first).toMatchObject({ type: "list", total_count: 13, pages: { page: 1, total_pages: 2, next: { page: 2 } } });
  const { body: rest } = await call("GET", `/contacts?per_page=10&starting_after=${first.pages.next.starting_after}`);
  expect(rest.data).toHaveLength(3);
  expect(rest.pages.next).toBeUndefined();
  expect(await call("GET", "/contacts?per_page=151")).toMatchObject(refused(400, "parameter_invalid"));
  const search = (operator: string, value: unknown, field = "updated_at") =>
    call("POST", "/contacts/search", {
      query: { operator: "AND", value: [{ field, operator, value }] },
      pagination: { per_page: 5 },
      sort: { field: "updated_at", order: "ascending" },
    });
  const at = Math.floor(Date.now() / 1000);
  expect((await search(">", at - 2 * 86_400)).body).toMatchObject({
    total_count: 13,
    data: [{ name: "Contact 1" }, {}, {}, {}, {}],
  });
  expect((await search(">", at)).body.total_count).toBe(0);
  expect((await search("=", "C3@example.com", "email")).body.data).toMatchObject([{ name: "Contact 3" }]);
});

it("writes contacts, and refuses taken addresses and unknown attributes", async () => {
  const sent = { email: "Joe@Example.com", external_id: "joe", custom_attributes: { seats: 2 } };
  const { status, body: made } = await call("POST", "/contacts", sent);
  expect({ status, made }).toMatchObject({
    status: 200,
    made: { type: "contact", role: "user", email: "joe@example.com" },
  });
  expect(await call("POST", "/contacts", { email: "joe@example.com" })).toMatchObject(refused(409, "conflict"));
  const path = `/contacts/${made.id}`;
  const unknown = await call("PUT", path, { custom_attributes: { the_decline: "x" } });
  expect(unknown).toMatchObject(refused(400, "parameter_invalid"));
  expect(unknown.body.errors[0].message).toBe("Custom attribute 'the_decline' does not exist");
  expect((await call("PUT", path, { name: "Joe" })).body).toMatchObject({
    name: "Joe",
    custom_attributes: { seats: 2 },
  });
  expect((await call("POST", `${path}/archive`)).body).toMatchObject({ id: made.id, archived: true });
  expect((await call("GET", "/contacts")).body.total_count).toBe(13);
  expect((await call("DELETE", path)).body).toEqual({
    type: "contact",
    id: made.id,
    external_id: "joe",
    deleted: true,
  });
  expect(await call("GET", path)).toMatchObject(refused(404, "not_found"));
});

it("upserts companies and lists those with users", async () => {
  const { body: made } = await call("POST", "/companies", { company_id: "new", name: "New", plan: "Pro" });
  expect(made).toMatchObject({ type: "company", company_id: "new", plan: { name: "Pro" }, user_count: 0 });
  expect((await call("POST", "/companies", { company_id: "new", name: "Newer" })).body.id).toBe(made.id);
  expect((await call("POST", "/companies/list?per_page=2")).body).toMatchObject({
    total_count: 3,
    pages: { page: 1, total_pages: 2 },
  });
  const [contact = ""] = intercom.contacts.keys();
  await call("POST", `/contacts/${contact}/companies`, { id: made.id });
  expect((await call("GET", "/companies?page=1")).body.total_count).toBe(4);
  expect((await call("PUT", `/companies/${made.id}`, { size: 5 })).body).toMatchObject({
    name: "Newer",
    size: 5,
    user_count: 1,
  });
  expect((await call("DELETE", `/companies/${made.id}`)).body).toEqual({
    id: made.id,
    object: "company",
    deleted: true,
  });
  expect(await call("GET", `/companies/${made.id}`)).toMatchObject(refused(404, "company_not_found"));
  const { body: attributes } = await call("GET", "/data_attributes?model=company");
  expect(attributes.data).toContainEqual(
    expect.objectContaining({ full_name: "custom_attributes.region", data_type: "string" }),
  );
});
