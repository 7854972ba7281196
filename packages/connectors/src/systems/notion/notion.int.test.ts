/** Notion, read and written as its API reference says: the conformance kit, and what is special about it. */
import { connectTo, entityNamed, readToEnd, testConnector } from "@accord/connector-sdk/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  NOTION_READ_TOKEN,
  NOTION_TOKEN,
  startNotion,
  type NotionServer,
} from "../../../test-systems/vendors/notion/notion.ts";
import { PERSON_ID } from "../../../test-systems/vendors/notion/pages.ts";
import { fixedUuid } from "../../../test-systems/vendors/notion/schema.ts";
import { systemUnderTest } from "../../../test-systems/vendors/under-test.ts";
import { notion } from "./index.ts";

const entityOf = (title: string): string => `database-${fixedUuid(`source ${title}`)}`;

testConnector({
  definition: notion,
  async start() {
    const server = await startNotion(130);
    return systemUnderTest({
      server,
      authType: "bearerToken",
      settings: {},
      basePath: "/v1",
      credentials: { token: NOTION_TOKEN },
      wrongCredentials: { token: "guess-word-1" },
      entity: entityOf("Tasks"),
      emptyEntity: entityOf("Notes"),
      seeded: 130,
      expected: {
        idField: "id",
        types: {
          "title.Name": "string",
          "rich_text.Notes": "string",
          "number.Effort": "double",
          "select.Kind": "picklist",
          "checkbox.Billable": "boolean",
          "unique_id.Ticket": "integer",
          "last_edited_time.Edited": "datetime",
        },
        references: { "relation.Project": entityOf("Projects") },
      },
      outside: server.outside,
      writes: {
        valid: (n) => ({
          "title.Name": `Written ${n} & "quoted" \\ Müller`,
          "rich_text.Notes": `Line one\nLine two ${n}`,
          "number.Effort": 2.5,
          "select.Kind": "Bug",
          "multi_select.Tags": ["urgent", "later"],
          "status.State": "In progress",
          "date.Due date": "2026-01-31",
          "checkbox.Billable": true,
          "url.Link": "https://example.com/?a=b&c=d",
          "email.E-mail": `w${n}@example.com`,
          "people.Owners": [PERSON_ID],
        }),
        change: {
          "title.Name": "Changed",
          "rich_text.Notes": null,
          "number.Effort": null,
          "select.Kind": null,
          "multi_select.Tags": [],
          "date.Due date": null,
          "url.Link": null,
          "people.Owners": [],
        },
        invalid: { "title.Name": "Broken", "status.State": "No such state" },
        missingId: "00000000-0000-4000-8000-000000000000",
        lookupField: "title.Name",
      },
      rateLimitNext: (waitMs) => server.rateLimitNext(waitMs),
    });
  },
});

let server: NotionServer;
beforeAll(async () => void (server = await startNotion(12)));
afterAll(() => server.stop());

const connect = (token = NOTION_TOKEN) =>
  connectTo(notion, { config: { baseUrl: `${server.url}/v1` }, authType: "bearerToken", credentials: { token } });
const TASKS = entityOf("Tasks");

/** The values of one task after a write. */
async function written(values: Record<string, string | number | string[] | null>) {
  const connection = connect();
  const entity = await entityNamed(connection, TASKS);
  const operation = { kind: "create", values, idempotencyKey: `k ${JSON.stringify(values).slice(0, 80)}` } as const;
  const [outcome] = (await connection.write?.({ entity, operations: [operation] })) ?? [];
  if (outcome?.status !== "done") return { outcome, values: undefined };
  const fields = entity.fields.map(({ apiName }) => apiName);
  const [record] = (await connection.getByIds?.({ entity, fields, ids: [outcome.id] })) ?? [];
  return { outcome, values: record?.values };
}

test("what Notion computes is read only; databases that are not shared are not there", async () => {
  const connection = connect();
  const names: string[] = [];
  for await (const { entity } of connection.discover({})) names.push(entity.displayName);
  expect(names.toSorted()).toEqual(["Notes", "Projects", "Tasks"]);
  const entity = await entityNamed(connection, TASKS);
  const facts = (name: string) => entity.fields.find(({ apiName }) => apiName === name);
  for (const name of ["formula.Label", "rollup.Projects linked", "created_time.Created", "last_edited_by.Edited by"])
    expect(facts(name)).toMatchObject({ updateable: false, initializable: false });
  expect(facts("status.State")?.picklist?.map(({ id }) => id)).toEqual(["Not started", "In progress", "Done"]);
});

test("a choice that is new is added by Notion, one of a status is refused, in Notion's words", async () => {
  const made = await written({ "title.Name": "New", "multi_select.Tags": ["never seen"], "select.Kind": "Idea" });
  expect(made.values).toMatchObject({ "multi_select.Tags": ["never seen"], "select.Kind": "Idea" });
  const { outcome } = await written({ "title.Name": "New", "status.State": "Nobody knows" });
  expect(outcome).toMatchObject({ status: "rejected", message: expect.stringContaining("does not exist") });
});

test("texts longer than one part are sent in parts and come back whole", async () => {
  const text = `${"äöü ".repeat(1100)}😀 end`;
  expect((await written({ "title.Name": "Long", "rich_text.Notes": text })).values).toMatchObject({
    "rich_text.Notes": text,
  });
});

test("texts in several styles are read as one", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, TASKS);
  const { records } = await readToEnd(connection, { entity, cursor: null, pageSize: 100, mode: "all" });
  expect(records.map(({ values }) => values["rich_text.Notes"])).toContain("Notes, partly bold");
});

test("a moment is written with its offset, and a page links the pages of another database", async () => {
  const [project = ""] = server.projects.pages.keys();
  const values = { "title.Name": "Dated", "date.Due date": "2026-01-31T09:30:00Z", "relation.Project": [project] };
  const made = await written(values);
  expect(made.values).toMatchObject({ "relation.Project": [project] });
  expect(Date.parse(String(made.values?.["date.Due date"]))).toBe(Date.parse("2026-01-31T09:30:00Z"));
});

test("pages changed in the minute that was read are read again", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, TASKS);
  const request = { entity, pageSize: 100, mode: "changes" as const };
  const created = await server.outside.create();
  const first = await readToEnd(connection, { ...request, cursor: null });
  expect(first.records.map(({ id }) => id)).toContain(created);
  await server.outside.update(created);
  const second = await readToEnd(connection, { ...request, cursor: first.cursor });
  const found = second.records.filter(({ id }) => id === created);
  expect(found.at(-1)?.values["title.Name"]).toMatch(/^Changed by hand/);
});

test("each source of a database is an entity of its own", async () => {
  server.addSource(server.notes, "More notes");
  const names: string[] = [];
  for await (const { entity } of connect().discover({})) names.push(entity.apiName);
  expect(names).toEqual(expect.arrayContaining([entityOf("Notes"), entityOf("More notes")]));
});

test("an integration that may only read is refused as a missing permission, in Notion's words", async () => {
  const connection = connect(NOTION_READ_TOKEN);
  const entity = await entityNamed(connection, TASKS);
  const [id = ""] = server.tasks.pages.keys();
  const operation = { kind: "update", id, values: { "title.Name": "No" }, idempotencyKey: "k" } as const;
  expect(await connection.write?.({ entity, operations: [operation] })).toMatchObject([
    { status: "rejected", message: expect.stringContaining("Insufficient permissions") },
  ]);
});
