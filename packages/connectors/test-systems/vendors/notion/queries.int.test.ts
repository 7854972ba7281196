/** Queries of the simulated Notion answer as its API reference says: pages of results, filters, sorts and times in minutes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { client, invalid } from "./client.ts";
import { startNotion, type NotionServer } from "./notion.ts";

let server: NotionServer;
beforeAll(async () => void (server = await startNotion(130)));
afterAll(() => server.stop());
const { ask, titles, created } = client(() => server);
const query = (body: unknown, more = "") => ask("POST", `databases/${server.tasks.id}/query${more}`, body);

test("results come in pages of at most 100, by cursors that go on with the same question alone", async () => {
  const sorts = [{ timestamp: "last_edited_time", direction: "ascending" }];
  const first = await query({ sorts });
  expect(first.body).toMatchObject({
    object: "list",
    type: "page_or_database",
    has_more: true,
    next_cursor: expect.any(String),
    results: expect.objectContaining({ length: 100 }),
  });
  const start_cursor = first.body["next_cursor"];
  expect(await query({ sorts, start_cursor })).toMatchObject({
    body: { has_more: false, next_cursor: null, results: expect.objectContaining({ length: 30 }) },
  });
  expect(await query({ start_cursor })).toMatchObject(invalid("The start_cursor provided is invalid"));
  expect(await query({ start_cursor: "guess" })).toMatchObject(invalid("The start_cursor provided is invalid: guess"));
  expect(await query({ page_size: 101 })).toMatchObject(invalid("body.page_size should be ≤ `100`"));
  expect(await query({ page_size: "10" })).toMatchObject(invalid("body.page_size should be a number"));
  expect(await query({}, "?page_size=10")).toMatchObject(invalid("query.page_size should be not present"));
});

test("filters compare by the type of their property, joined two levels deep", async () => {
  const of = async (filter: unknown) => (await titles({ filter })).length;
  expect(await of({ property: "Name", title: { equals: "task 7" } })).toBe(1);
  expect(await of({ property: "title", rich_text: { ends_with: "30" } })).toBe(2);
  expect(await of({ property: "E-mail", email: { equals: "task9@example.com" } })).toBe(1);
  expect(await of({ property: "Effort", number: { is_empty: true } })).toBe(26);
  expect(await of({ property: "Kind", select: { does_not_equal: "Bug" } })).toBe(86);
  expect(await of({ property: "Tags", multi_select: { contains: "urgent" } })).toBe(65);
  expect(await of({ property: "Due date", date: { on_or_after: "2024-06-30" } })).toBe(44);
  expect(await of({ property: "Ticket", unique_id: { less_than: 5 } })).toBe(2);
  const part = { property: "Effort", number: { less_than_or_equal_to: 4 } };
  expect(await of({ or: [{ and: [part, { property: "Billable", checkbox: { equals: false } }] }] })).toBe(4);
  expect(await query({ filter: { or: [{ and: [{ or: [part] }] }] } })).toMatchObject(invalid("should be not present"));
});

test.for([
  [{ filter: { property: "Nothing", number: { equals: 1 } } }, "Could not find property with name or id: Nothing"],
  [
    { filter: { property: "Effort", select: { equals: "x" } } },
    "database property number does not match filter select",
  ],
  [{ filter: { property: "Effort", number: { equals: "1" } } }, "should be a number"],
  [{ filter: { property: "Effort", number: { near: 1 } } }, "number.near should be not present"],
  [{ filter: { timestamp: "last_edited_time", last_edited_time: { after: "yesterday" } } }, "ISO 8601"],
  [{ filter: { timestamp: "last_edited_time", date: { after: "2024-01-01" } } }, "last_edited_time should be defined"],
  [{ filter: { timestamp: "edited", edited: { after: "2024-01-01" } } }, "body.filter.timestamp"],
  [{ sorts: [{ property: "Nothing", direction: "ascending" }] }, "Could not find sort property"],
  [{ sorts: [{ timestamp: "last_edited_time", direction: "asc" }] }, "direction should be"],
  [{ sorts: { timestamp: "last_edited_time" } }, "body.sorts should be an array"],
  [{ more: true }, "body.more should be not present"],
] as const)("%j is refused: %s", async ([body, message]) => {
  expect(await query(body)).toMatchObject(invalid(message));
});

test("times of pages are whole minutes, and so is what filters compare", async () => {
  const id = await created({ Name: { title: [{ text: { content: "Now" } }] } });
  const { body } = await ask("GET", `pages/${id}`);
  const edited = String(body["last_edited_time"]);
  expect(edited).toMatch(/:00\.000Z$/);
  const since = (operator: string, time: string) =>
    titles({ filter: { timestamp: "last_edited_time", last_edited_time: { [operator]: time } } });
  expect(await since("on_or_after", edited)).toEqual(["Now"]);
  expect(await since("after", edited)).toEqual([]);
  // Seconds into the minute it is not found any more, whenever in it it was edited.
  expect(await since("on_or_after", edited.replace(":00.000Z", ":01.000Z"))).toEqual([]);
  await ask("PATCH", `pages/${id}`, { in_trash: true });
  expect(await since("on_or_after", edited)).toEqual([]);
});

test("trashed pages are found when they are asked for, and only then", async () => {
  const [id = ""] = server.tasks.pages.keys();
  await server.outside.remove(id);
  expect(await titles({ filter: { property: "Name", title: { equals: "Task 1" } } })).toEqual([]);
  expect(await titles({ in_trash: true, filter: { property: "Name", title: { equals: "Task 1" } } })).toEqual([
    "Task 1",
  ]);
});

test("answers are limited to the properties that the address names by id", async () => {
  const { body } = await query({ page_size: 1 }, "?filter_properties=title&filter_properties=f%255C%255C%253Ap");
  expect(body["results"]).toMatchObject([{ properties: { Name: {}, Notes: {} } }]);
  expect(JSON.stringify(body["results"])).not.toContain("Effort");
});
