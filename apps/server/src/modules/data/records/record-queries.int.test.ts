/** What is asked of records: faulty, excessive and hostile filters, quick search, and who may ask. */
import * as api from "@accord/contracts/data/records";
import fc from "fast-check";
import { expect, test } from "vitest";
import { t, entityId, manager, create, setUp } from "./fixtures/records.ts";

setUp();

test("a faulty predicate is refused with the place and what to do", async () => {
  const search = async (body: string) => (await manager().send(api.searchRecords, { params: { entityId }, body })).body;
  expect(await search("{")).toMatchObject({ code: "validation_failed", errors: [{ path: "predicate" }] });
  const unknown = {
    type: "group",
    combinator: "and",
    children: [{ type: "condition", left: { kind: "field", field: "gone" }, operator: "isBlank", right: [] }],
  };
  expect(await search(JSON.stringify(unknown))).toMatchObject({
    errors: [{ path: "predicate.0", message: "There is no field gone. Choose another one." }],
  });
  const deep = '{"type":"group","combinator":"and","children":['.repeat(60) + "]}".repeat(60);
  expect(await search(deep)).toMatchObject({ code: "validation_failed" });
});

test("far more fields than there are get one answer, not one each", async () => {
  const body = { values: Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, "x"])) };
  const { status, body: answer } = await manager().send(api.createRecord, { params: { entityId }, body });
  expect(status).toBe(400);
  expect(answer).toMatchObject({ code: "validation_failed", errors: [{ path: "values" }] });
  expect(JSON.stringify(answer).length).toBeLessThan(1_000);
});

test("[T17] hostile texts in search, filter, sort and values stay values", async () => {
  const hostile = fc.oneof(
    fc.constantFrom("'; DROP TABLE x; --", "%", "_", "\\", "\\'", '"', "$1", "{{x}}", "' OR '1'='1", "a\\%b", "\u0000"),
    fc.string({ unit: "binary" }),
  );
  const before = await t.deps.dataPool.query("SELECT count(*) AS tables FROM pg_class WHERE relkind = 'r'");
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const condition = {
        type: "condition",
        left: { kind: "field", field: "name" },
        operator: "contains",
        right: [{ kind: "literal", value: text }],
      };
      const answers = [
        await manager().send(api.listRecords, { params: { entityId }, query: { search: text.slice(0, 200) } }),
        await manager().send(api.searchRecords, { params: { entityId }, body: JSON.stringify(condition) }),
        await manager().send(api.listRecords, { params: { entityId }, query: { sort: text.slice(0, 60) } }),
        await manager().send(api.createRecord, {
          params: { entityId },
          body: { values: { name: text, [text]: text } },
        }),
      ];
      for (const { status } of answers) expect([200, 400]).toContain(status);
    }),
    { numRuns: 40 },
  );
  const after = await t.deps.dataPool.query("SELECT count(*) AS tables FROM pg_class WHERE relkind = 'r'");
  expect(after.rows).toEqual(before.rows);
});

test("a quick search takes % and _ as they are, and every word must occur", async () => {
  await create({ name: "100% pure", code: "P" });
  await create({ name: "1000 pure" });
  const search = async (text: string) =>
    (
      await manager().call(api.listRecords, { params: { entityId }, query: { search: text, sort: "name" } })
    ).records.map(({ values }) => values["name"]);
  expect(await search("100%")).toEqual(["100% pure"]);
  expect(await search("PURE 100")).toEqual(["100% pure", "1000 pure"]);
  expect(await search("pure p x")).toEqual([]);
});

test("a viewer reads and keeps columns, and changes nothing", async () => {
  const made = await create({ name: "Look" });
  const viewer = t.as("VIEWER");
  expect((await viewer.call(api.getRecord, { params: { entityId, recordId: made.accordId } })).record).toEqual(made);
  const edit = { params: { entityId, recordId: made.accordId }, body: { values: { name: "x" }, version: 1 } };
  expect((await viewer.send(api.saveRecord, edit)).status).toBe(403);
});
