/** Conformance: discovery, pages, resuming, changes while paging, empty entities. */
import { describe, expect, test } from "vitest";
import { notApplicable, type Kit } from "./kit.ts";
import { entityNamed, fieldNames, latestById, readToEnd } from "./reading.ts";

export function describeReading(kit: Kit): void {
  describe("discovers", () => {
    test("entities with their id, types and references, and tells how far it is", async () => {
      const { entity: name, expected, emptyEntity } = kit.system();
      const connection = kit.connect();
      const found: string[] = [];
      let last: { done: number; total: number | null } | null = null;
      for await (const { entity, done, total } of connection.discover({})) {
        found.push(entity.apiName);
        expect(done).toBe(found.length);
        last = { done, total };
      }
      expect(found).toEqual(expect.arrayContaining([name, emptyEntity ?? name]));
      if (last?.total !== null) expect(last?.total).toBe(found.length);

      const entity = await entityNamed(connection, name);
      const byName = new Map(entity.fields.map((field) => [field.apiName, field]));
      expect(byName.get(expected.idField)?.isIdField).toBe(true);
      for (const [field, type] of Object.entries(expected.types))
        expect([field, byName.get(field)?.dataType]).toEqual([field, type]);
      for (const [field, to] of Object.entries(expected.references ?? {}))
        expect(byName.get(field)).toMatchObject({ dataType: "reference", referenceTo: to });
    });
    test("only the entities asked for", async () => {
      const names: string[] = [];
      const { entity: main, emptyEntity: wanted = main } = kit.system();
      for await (const { entity } of kit.connect().discover({ only: [wanted] })) names.push(entity.apiName);
      expect(names).toEqual([wanted]);
    });
  });

  describe("reads", () => {
    test("every record, in pages, with values in Accord's form", async () => {
      const connection = kit.connect();
      const entity = await entityNamed(connection, kit.system().entity);
      const pass = await readToEnd(connection, { entity, cursor: null, pageSize: 7 });
      expect(latestById(pass.records).size).toBe(kit.system().seeded);
      expect(pass.pages).toBeGreaterThan(1);
      for (const field of entity.fields)
        for (const { values } of pass.records)
          expectInForm(values[field.apiName], field.dataType, field.isMultiValueField);
    });
    test("only the fields asked for, always with id", async () => {
      const connection = kit.connect();
      const entity = await entityNamed(connection, kit.system().entity);
      const [field = ""] = Object.keys(kit.system().expected.types);
      const page = await connection.read({ entity, fields: [field], cursor: null, mode: "all", pageSize: 5 });
      expect(page.records[0]?.id).toBeTruthy();
      expect(Object.keys(page.records[0]?.values ?? {})).toEqual(
        expect.arrayContaining([field, kit.system().expected.idField]),
      );
      expect(Object.keys(page.records[0]?.values ?? {}).length).toBeLessThanOrEqual(4);
    });
    test("an empty entity: no records, drained at once, and the cursor can be read on from", async () => {
      const connection = kit.connect();
      const { emptyEntity } = kit.system();
      if (emptyEntity === undefined) return notApplicable("no second entity");
      const entity = await entityNamed(connection, emptyEntity);
      const pass = await readToEnd(connection, { entity, cursor: null, pageSize: 10 });
      expect(pass).toMatchObject({ records: [], pages: 1 });
      expect((await readToEnd(connection, { entity, cursor: pass.cursor, pageSize: 10 })).records).toEqual([]);
    });
    test("all ids that exist, when it lists ids", async () => {
      const connection = kit.connect();
      if (!connection.listIds) {
        expect(kit.definition.capabilities).not.toContain("listIds");
        return notApplicable("ids are not listed apart");
      }
      const entity = await entityNamed(connection, kit.system().entity);
      const ids: string[] = [];
      for (let cursor = null, drained = false; !drained;) {
        const page: { ids: string[]; cursor: never; drained: boolean } = (await connection.listIds({
          entity,
          cursor,
          pageSize: 6,
        })) as never;
        ids.push(...page.ids);
        ({ cursor, drained } = page);
      }
      const all = await readToEnd(connection, { entity, cursor: null, pageSize: 100, mode: "all" });
      expect(new Set(ids)).toEqual(new Set(latestById(all.records).keys()));
    });
    test("records by id, leaving out what is not there", async () => {
      const connection = kit.connect();
      if (!connection.getByIds) {
        expect(kit.definition.capabilities).not.toContain("getById");
        return notApplicable("records are not read by id");
      }
      const entity = await entityNamed(connection, kit.system().entity);
      const { records } = await connection.read({
        entity,
        fields: fieldNames(entity),
        cursor: null,
        mode: "all",
        pageSize: 3,
      });
      const ids = records.slice(0, 2).map((record) => record.id);
      const missing = kit.system().writes?.missingId ?? "999999999";
      const found = await connection.getByIds({ entity, fields: fieldNames(entity), ids: [...ids, missing] });
      expect(new Set(found.map((record) => record.id))).toEqual(new Set(ids));
    });
  });

  describe("resumes", () => {
    test("on from a cursor in the middle with a new connection, and the same cursor twice gives no gap", async () => {
      const entity = await entityNamed(kit.connect(), kit.system().entity);
      const first = await kit
        .connect()
        .read({ entity, fields: fieldNames(entity), cursor: null, mode: "changes", pageSize: 7 });
      expect(first.drained).toBe(false);
      const cursor = JSON.parse(JSON.stringify(first.cursor));
      const rest = await readToEnd(kit.connect(), { entity, cursor, pageSize: 7 });
      const again = await readToEnd(kit.connect(), { entity, cursor, pageSize: 7 });
      expect([...latestById(again.records).keys()]).toEqual([...latestById(rest.records).keys()]);
      expect(latestById([...first.records, ...rest.records]).size).toBe(kit.system().seeded);
    });
    test("a cursor that makes no sense is a configuration error, not a fresh start", async () => {
      const connection = kit.connect();
      const entity = await entityNamed(connection, kit.system().entity);
      await expect(readToEnd(connection, { entity, cursor: { nonsense: true }, pageSize: 5 })).rejects.toMatchObject({
        name: "ConnectorError",
        kind: "configuration",
      });
    });
  });

  describe("follows", () => {
    test("a pass after nothing changed brings few or no records, and a changed record comes in the next pass", async () => {
      const { outside, entity: name } = kit.system();
      if (!outside) return notApplicable("nobody else changes it");
      const connection = kit.connect();
      const entity = await entityNamed(connection, name);
      const first = await readToEnd(connection, { entity, cursor: null, pageSize: 50 });
      const [changed = ""] = latestById(first.records).keys();
      await outside.update(changed);
      const created = await outside.create();
      const second = await readToEnd(connection, { entity, cursor: first.cursor, pageSize: 50 });
      expect(second.records.map((record) => record.id)).toEqual(expect.arrayContaining([changed, created]));
      const third = await readToEnd(connection, { entity, cursor: second.cursor, pageSize: 50 });
      if (kit.definition.capabilitiesOf(kit.system().config, entity).includes("readChanges"))
        expect(third.records.length).toBeLessThanOrEqual(second.records.length);
      await outside.remove(created);
    });
    test.for([1, 2, 3])(
      "records created, changed and removed while paging are all right in the end (round %i)",
      async (round) => {
        const { outside, entity: name } = kit.system();
        if (!outside) return notApplicable("nobody else changes it");
        const connection = kit.connect();
        const entity = await entityNamed(connection, name);
        const seen: Parameters<typeof latestById>[0][number][] = [];
        const added: string[] = [];
        const dice = seededDice(round);
        const first = await readToEnd(connection, { entity, cursor: null, pageSize: 4 }, async (records) => {
          const known = [...seen, ...records];
          seen.push(...records);
          const any = known[Math.floor(dice() * known.length)];
          if (any) await outside.update(any.id);
          if (dice() < 0.5) added.push(await outside.create());
          if (dice() < 0.4) {
            const gone = added.shift();
            if (gone) await outside.remove(gone);
          }
        });
        const caught = await readToEnd(connection, { entity, cursor: first.cursor, pageSize: 4 });
        const replica = latestById([...first.records, ...caught.records]);
        const truth = latestById(
          (await readToEnd(connection, { entity, cursor: null, pageSize: 100, mode: "all" })).records,
        );
        for (const [id, values] of truth) expect([id, replica.get(id)]).toEqual([id, values]);
        for (const id of added) await outside.remove(id);
      },
    );
  });
}

/** The same numbers for the same seed: a failing round can be run again. */
function seededDice(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return state / 4_294_967_296;
  };
}

const UTC_MOMENT = /^(?:-?infinity|(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:(?!000)\d{3})?Z)$/;
const DAY = /^(?:-?infinity|(?:\d{4}|[+-]\d{6,7})-\d\d-\d\d)$/;

function expectInForm(value: unknown, type: string, isList: boolean): void {
  if (value === null || value === undefined) return;
  if (isList) {
    expect(Array.isArray(value)).toBe(true);
    return;
  }
  if (type === "datetime" || type === "timestamp") expect(value).toMatch(UTC_MOMENT);
  else if (type === "date") expect(value).toMatch(DAY);
  else if (type === "integer" || type === "double") expect(["number", "string"]).toContain(typeof value);
  else if (type === "boolean") expect(typeof value).toBe("boolean");
  else if (type !== "object" && type !== "child" && type !== "complex") expect(typeof value).toBe("string");
}
