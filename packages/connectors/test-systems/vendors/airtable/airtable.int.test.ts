/** The simulated Airtable answers as the Web API's reference shows. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { AIRTABLE_BASE, AIRTABLE_TOKEN, startAirtable, type Airtable } from "./airtable.ts";

let airtable: Airtable;
beforeAll(async () => void (airtable = await startAirtable(130)));
afterAll(() => airtable.stop());

async function ask(method: string, path: string, body?: unknown, token = AIRTABLE_TOKEN): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const answer = await fetch(`${airtable.url}/v0/${path}`, init);
  return { status: answer.status, body: await answer.json() };
}

const TABLE = `${AIRTABLE_BASE}/Contacts`;
const FORMULA = "OR(IS_AFTER(LAST_MODIFIED_TIME(), '2024-01-01T01:00:00.000Z'), {Name} = 'Contact 1')";

test("lists pages, filters by formula and refuses what it can't parse", async () => {
  expect(await ask("GET", `${TABLE}?pageSize=100`)).toMatchObject({
    status: 200,
    body: { records: expect.objectContaining({ length: 100 }), offset: expect.stringMatching(/^itr/) },
  });
  expect(await ask("GET", `${TABLE}?pageSize=101`)).toMatchObject({ status: 422 });
  expect(await ask("GET", `${TABLE}?filterByFormula=${encodeURIComponent(FORMULA)}`)).toMatchObject({
    body: { records: expect.objectContaining({ length: 44 }) },
  });
  expect(await ask("GET", `${TABLE}?filterByFormula=AND(`)).toMatchObject({
    status: 422,
    body: { error: { type: "INVALID_FILTER_BY_FORMULA" } },
  });
});

test("creates, changes and deletes a record, and refuses what fields don't take", async () => {
  const [id = ""] = airtable.records.keys();
  expect(await ask("POST", TABLE, { fields: { Name: "Ada", Active: false, Visits: 3 } })).toMatchObject({
    status: 200,
    body: { id: expect.stringMatching(/^rec/), fields: { Name: "Ada", Visits: 3, Label: "ADA" } },
  });
  expect(await ask("PATCH", `${TABLE}/${id}`, { fields: { Email: null } })).toMatchObject({ status: 200 });
  for (const [fields, type] of [
    [{ Nothing: 1 }, "UNKNOWN_FIELD_NAME"],
    [{ Visits: "3" }, "INVALID_VALUE_FOR_COLUMN"],
    [{ Label: "X" }, "INVALID_VALUE_FOR_COLUMN"],
    [{ Stage: "Nobody" }, "INVALID_MULTIPLE_CHOICE_OPTIONS"],
  ]) {
    expect(await ask("PATCH", `${TABLE}/${id}`, { fields })).toMatchObject({ status: 422, body: { error: { type } } });
  }
  expect(await ask("DELETE", `${TABLE}/${id}`)).toEqual({ status: 200, body: { id, deleted: true } });
  expect(await ask("GET", `${TABLE}/${id}`)).toEqual({ status: 404, body: { error: "NOT_FOUND" } });
  expect(await ask("GET", TABLE, undefined, "wrong")).toMatchObject({ status: 401 });
  expect(await ask("GET", `${AIRTABLE_BASE}/Nothing`)).toMatchObject({ status: 403 });
  expect(await ask("GET", `meta/bases/${AIRTABLE_BASE}/tables`)).toMatchObject({
    body: { tables: [{ name: "Contacts" }, { name: "Companies" }] },
  });
});
