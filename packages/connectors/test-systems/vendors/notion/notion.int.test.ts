/** The simulated Notion answers as its API reference says: versions, schemas, the search, and pages as they are written. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { client, invalid } from "./client.ts";
import { NOTION_READ_TOKEN, startNotion, type NotionServer } from "./notion.ts";
import { PERSON_ID } from "./pages.ts";

let server: NotionServer;
beforeAll(async () => void (server = await startNotion(12)));
afterAll(() => server.stop());
const { ask, created } = client(() => server);
const titled = (content: string) => ({ Name: { title: [{ text: { content } }] } });
const NEW = { version: "2025-09-03" };
const NOBODY = "00000000-0000-4000-8000-000000000000";

test("each call names its version and a token that may do what it asks for", async () => {
  expect(await ask("GET", "users/me")).toMatchObject({ status: 200, body: { object: "user", type: "bot" } });
  expect(await ask("GET", "users/me", undefined, { version: null })).toMatchObject({
    status: 400,
    body: { code: "missing_version" },
  });
  expect(await ask("GET", "users/me", undefined, { version: "2020-01-01" })).toMatchObject({ status: 400 });
  expect(await ask("GET", "users/me", undefined, { token: "other" })).toMatchObject({
    status: 401,
    body: { code: "unauthorized" },
  });
  const body = { parent: { database_id: server.tasks.id }, properties: titled("No") };
  expect(await ask("POST", "pages", body, { token: NOTION_READ_TOKEN })).toMatchObject({
    status: 403,
    body: { code: "restricted_resource" },
  });
  expect(await ask("GET", "nothing")).toMatchObject({ status: 400, body: { code: "invalid_request_url" } });
  expect(await ask("POST", "search", "{")).toMatchObject({ status: 400, body: { code: "invalid_json" } });
});

test("a database shows its properties; with data sources it is their source that does", async () => {
  const old = await ask("GET", `databases/${server.tasks.id.replaceAll("-", "")}`);
  expect(old.body).toMatchObject({
    object: "database",
    id: server.tasks.id,
    properties: {
      Name: { id: "title", type: "title", title: {} },
      Budget: { type: "number", number: { format: "euro" } },
      Kind: { select: { options: [{ name: "Bug" }, { name: "Feature" }, { name: "Chore" }] } },
      State: { status: { options: [{ name: "Not started" }, {}, {}], groups: [{ name: "To-do" }, {}, {}] } },
      Project: { relation: { database_id: server.projects.id } },
    },
  });
  const database = await ask("GET", `databases/${server.tasks.id}`, undefined, NEW);
  expect(database.body).toMatchObject({ data_sources: [{ id: server.tasks.sourceId, name: "Tasks" }] });
  expect(database.body).not.toHaveProperty("properties");
  expect(await ask("GET", `data_sources/${server.tasks.sourceId}`, undefined, NEW)).toMatchObject({
    body: {
      object: "data_source",
      parent: { type: "database_id", database_id: server.tasks.id },
      properties: { Project: { relation: { data_source_id: server.projects.sourceId } } },
    },
  });
  for (const [path, options] of [
    [`data_sources/${server.tasks.sourceId}`, {}],
    [`databases/${server.tasks.id}/query`, NEW],
  ] as const)
    expect(await ask(path.endsWith("query") ? "POST" : "GET", path, undefined, options)).toMatchObject({
      body: { code: "invalid_request_url" },
    });
  expect(await ask("GET", "databases/tasks")).toMatchObject(invalid("path.database_id should be a valid uuid"));
  expect(await ask("GET", `databases/${NOBODY}`)).toMatchObject({ status: 404, body: { code: "object_not_found" } });
});

test("the search lists the databases that are shared, or their sources", async () => {
  const filter = (value: string) => ({ filter: { property: "object", value } });
  const found = await ask("POST", "search", { ...filter("database"), page_size: 2 });
  expect(found.body).toMatchObject({ object: "list", results: [{ object: "database" }, {}], has_more: true });
  const rest = await ask("POST", "search", {
    ...filter("database"),
    page_size: 2,
    start_cursor: found.body["next_cursor"],
  });
  expect(rest.body).toMatchObject({ results: [{ object: "database" }], has_more: false, next_cursor: null });
  expect(await ask("POST", "search", { ...filter("data_source"), query: "task" }, NEW)).toMatchObject({
    body: { results: [{ object: "data_source", id: server.tasks.sourceId }], type: "page_or_data_source" },
  });
  expect(await ask("POST", "search", filter("data_source"))).toMatchObject(invalid("body.filter.value"));
  expect(await ask("POST", "search", filter("database"), NEW)).toMatchObject(invalid("body.filter.value"));
  expect(await ask("POST", "search", { ...filter("page"), query: "birch" })).toMatchObject({
    body: { results: [{ object: "page", in_trash: false }] },
  });
});

test("values of every type come back as they are shown, by names or ids of properties", async () => {
  const [project = ""] = server.projects.pages.keys();
  const id = await created({
    ...titled("Ümlaut & <more>"),
    Notes: { rich_text: [{ text: { content: "one " } }, { type: "text", text: { content: "two" } }] },
    Effort: { number: 2.5 },
    Kind: { select: { name: "Chore" } },
    Tags: { multi_select: [{ name: "later" }, { name: "brand new" }, { name: "later" }] },
    "Due date": { date: { start: "2026-01-31T09:30:00Z" } },
    Owners: { people: [{ object: "user", id: PERSON_ID }] },
    Attachments: { files: [{ name: "a.png", type: "external", external: { url: "https://example.com/a.png" } }] },
    Billable: { checkbox: true },
    Link: { type: "url", url: "https://example.com" },
    Project: { relation: [{ id: project.replaceAll("-", "") }] },
  });
  const { body } = await ask("GET", `pages/${id}`);
  expect(body).toMatchObject({
    archived: false,
    in_trash: false,
    properties: {
      Name: { id: "title", type: "title", title: [{ type: "text", plain_text: "Ümlaut & <more>", href: null }] },
      Notes: { rich_text: [{ plain_text: "one " }, { plain_text: "two", annotations: { bold: false } }] },
      Effort: { number: 2.5 },
      Budget: { number: null },
      Kind: { select: { name: "Chore", id: expect.any(String), color: expect.any(String) } },
      Tags: { multi_select: [{ name: "later" }, { name: "brand new" }] },
      State: { status: { name: "Not started" } },
      "Due date": { date: { start: "2026-01-31T09:30:00.000+00:00", end: null, time_zone: null } },
      Owners: { people: [{ object: "user", id: PERSON_ID }] },
      Billable: { checkbox: true },
      "E-mail": { email: null },
      Project: { relation: [{ id: project }], has_more: false },
      Label: { formula: { type: "string", string: "ÜMLAUT & <MORE>" } },
      "Projects linked": { rollup: { type: "number", number: 1, function: "count" } },
      Ticket: { unique_id: { prefix: "TSK", number: expect.any(Number) } },
    },
  });
  const emptied = await ask("PATCH", `pages/${id}`, {
    properties: {
      title: { title: [] },
      "J%40cT": { number: null },
      Notes: { rich_text: [{ text: { content: "" } }] },
    },
  });
  expect(emptied).toMatchObject({
    status: 200,
    body: { properties: { Name: { title: [] }, Effort: { number: null }, Notes: { rich_text: [] } } },
  });
  expect(await ask("GET", `databases/${server.tasks.id}`)).toMatchObject({
    body: {
      properties: {
        Tags: {
          multi_select: {
            options: expect.arrayContaining([
              { name: "brand new", id: expect.anything(), color: expect.anything(), description: null },
            ]),
          },
        },
      },
    },
  });
  expect(await ask("GET", `pages/${id}/properties/title`)).toMatchObject({
    body: { type: "property_item", results: [] },
  });
  const only = await ask("GET", `pages/${id}?filter_properties=title`);
  expect(Object.keys(only.body["properties"] ?? {})).toEqual(["Name"]);
});

test.for([
  [{ Nothing: { number: 1 } }, "^Nothing is not a property that exists\\.$"],
  [{ Effort: { rich_text: [] } }, "^Effort is expected to be number\\.$"],
  [{ Effort: { number: "2" } }, 'body.properties.Effort.number should be a number or `null`, instead was `"2"`'],
  [{ Effort: null }, "Invalid property value"],
  [{ Notes: { rich_text: null } }, "body.properties.Notes.rich_text should be an array"],
  [{ Notes: { rich_text: "text" } }, "should be an array"],
  [{ Notes: { rich_text: [{ text: { content: "x".repeat(2001) } }] } }, "content.length should be ≤ `2000`"],
  [{ Notes: { rich_text: Array.from({ length: 101 }, () => ({ text: { content: "x" } })) } }, "≤ `100`"],
  [{ Billable: { checkbox: null } }, "should be a boolean"],
  [{ Link: { url: "" } }, "should be a populated string or `null`"],
  [{ Phone: { phone_number: "1".repeat(201) } }, "≤ `200`"],
  [{ Kind: { select: "Bug" } }, "select.name should be defined"],
  [{ Kind: { select: { name: "a,b" } } }, "commas not allowed"],
  [{ Tags: { multi_select: null } }, "should be an array"],
  [{ State: { status: { name: "Nobody knows" } } }, "Invalid status option"],
  [{ "Due date": { date: "2026-01-31" } }, "should be an object or `null`"],
  [{ "Due date": { date: { start: "31.1.2026" } } }, "should be a valid ISO 8601 date string"],
  [{ Owners: { people: [{ id: NOBODY }] } }, "Could not find user"],
  [{ Label: { formula: { string: "x" } } }, "Fix one"],
  [{ Created: { created_time: "2026-01-01T00:00:00Z" } }, "Fix one"],
] as const)("%j is refused: %s", async ([properties, message]) => {
  const before = server.tasks.pages.size;
  const parent = { database_id: server.tasks.id };
  expect(await ask("POST", "pages", { parent, properties })).toMatchObject(invalid(message));
  expect(server.tasks.pages.size).toBe(before);
});

test("a page needs its parent and properties, and nothing that is not known", async () => {
  const parent = { database_id: server.tasks.id };
  const properties = titled("x");
  expect(await ask("POST", "pages", { properties })).toMatchObject(invalid("body.parent should be defined"));
  expect(await ask("POST", "pages", { parent })).toMatchObject(invalid("body.properties should be defined"));
  expect(await ask("POST", "pages", { parent, properties, more: 1 })).toMatchObject(
    invalid("body.more should be not present, instead was `1`"),
  );
  expect(await ask("POST", "pages", { parent: { data_source_id: server.tasks.sourceId }, properties })).toMatchObject(
    invalid("data_source_id should be not present"),
  );
  const made = await ask("POST", "pages", { parent: { data_source_id: server.tasks.sourceId }, properties }, NEW);
  expect(made).toMatchObject({
    status: 200,
    body: { parent: { type: "data_source_id", data_source_id: server.tasks.sourceId, database_id: server.tasks.id } },
  });
});

test("a page in the trash is still shown, and can't be edited before it is taken out", async () => {
  const id = await created(titled("Going"));
  for (const flag of ["archived", "in_trash"]) {
    expect(await ask("PATCH", `pages/${id}`, { [flag]: true })).toMatchObject({
      status: 200,
      body: { archived: true, in_trash: true },
    });
    expect(await ask("GET", `pages/${id}`)).toMatchObject({ status: 200, body: { in_trash: true } });
    const archived = invalid("Can't edit block that is archived");
    expect(await ask("PATCH", `pages/${id}`, { properties: titled("No") })).toMatchObject(archived);
    expect(await ask("PATCH", `pages/${id}`, { [flag]: true })).toMatchObject(archived);
    expect(await ask("PATCH", `pages/${id}`, { [flag]: false })).toMatchObject({ body: { in_trash: false } });
  }
  expect(await ask("DELETE", `blocks/${id}`)).toMatchObject({ status: 200, body: { object: "block", in_trash: true } });
  expect(await ask("PATCH", `pages/${NOBODY}`, {})).toMatchObject({ status: 404, body: { code: "object_not_found" } });
});

test("too many calls: a whole number of seconds to wait", async () => {
  server.rateLimitNext(1500);
  const answer = await ask("GET", "users/me");
  expect(answer).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect(answer.headers.get("retry-after")).toBe("2");
});

test("a database with two sources is out of reach of the version without them", async () => {
  server.addSource(server.notes, "More notes");
  const { id } = server.notes;
  const message = invalid("Databases with multiple data sources are not supported in this API version");
  expect(await ask("GET", `databases/${id}`)).toMatchObject(message);
  expect(await ask("POST", `databases/${id}/query`, {})).toMatchObject(message);
  const body = { parent: { database_id: id }, properties: titled("x") };
  expect(await ask("POST", "pages", body)).toMatchObject(message);
  expect(await ask("GET", `databases/${id}`, undefined, NEW)).toMatchObject({
    body: { data_sources: [{ name: "Notes" }, { name: "More notes", id: expect.any(String) }] },
  });
});
