/** What a page loads for its attach and merge rules is bounded by count and size, in PostgreSQL as in memory. */
import { type FoundCandidates, type MatchKeys, MAX_MATCH_BYTES, MAX_MATCH_ROWS } from "@accord/sync-engine/run";
import { boundedMatches } from "@accord/sync-simulation";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { PLACE, storeWorld } from "../../../../../../test-kit/replay/store-world.ts";

const MANY = 5_000;
const idOf = (number: number): string => `r${String(number).padStart(6, "0")}`;

async function world() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const it = await storeWorld(database);
  const { pool, schema, storage } = it;
  const memory = new Map<string, { recordId: string; name: string; phone: string }>();
  const add = async (from: number, count: number, valuesOf: (number: number) => { name: string; phone: string }) => {
    const rows = Array.from({ length: count }, (_, index) => ({
      recordId: idOf(from + index),
      ...valuesOf(from + index),
    }));
    for (const row of rows) memory.set(row.recordId, row);
    await pool.query(
      `INSERT INTO ${schema}."r_Customer" (accord_id, accord_origin, name, phone)
       SELECT w.id, '{}', w.name, w.phone FROM unnest($1::text[], $2::text[], $3::text[]) AS w(id, name, phone)`,
      [rows.map(({ recordId }) => recordId), rows.map(({ name }) => name), rows.map(({ phone }) => phone)],
    );
  };
  /** As both storages answer it. */
  const match = async (fields: MatchKeys[], takers = 0): Promise<FoundCandidates> => {
    const found = await storage.match({ placeId: PLACE, fields, takers });
    const records = [...memory.values()].map(({ recordId, name, phone }) => ({
      ...{ recordId, version: 1, deleted: false, origin: {} },
      values: { name, phone },
    }));
    const expected = boundedMatches(records, fields, 500 + takers);
    expect(plain(found)).toEqual(plain(expected));
    return found;
  };
  return { ...it, add, match };
}

const plain = ({ records, cut, isFull }: FoundCandidates) => ({
  ids: records.map(({ recordId }) => recordId),
  cut,
  isFull,
});

test("of 5,000 records with one value a page loads the oldest 500 and one for each new record, and knows of the rest", async () => {
  const { add, match, storage, pool, schema, pipelineId } = await world();
  await add(1, MANY, (number) => ({ name: number % 2 ? "n/a" : "N/A", phone: String(number) }));
  await add(MANY + 1, 3, () => ({ name: "few", phone: "7" }));
  const fields = [{ field: "name", keys: ["n/a", "FEW", "nobody"] }];
  const found = await match(fields, 20);
  expect(found.records.map(({ recordId }) => recordId)).toEqual([
    ...Array.from({ length: 520 }, (_, index) => idOf(index + 1)),
    ...[1, 2, 3].map((number) => idOf(MANY + number)),
  ]);
  expect(found).toMatchObject({ cut: [{ entry: 0, key: 0, lastId: idOf(520) }], isFull: false });

  const duplicates = await storage.findDuplicates(fields);
  expect([duplicates.records.length, duplicates.places.size]).toEqual([503, 503]);
  expect(duplicates).toMatchObject({ cut: [{ entry: 0, key: 0, lastId: idOf(500) }], isFull: false });

  await pool.query(`INSERT INTO ${schema}.place (pipeline_id, connector_id, entity) VALUES ($1, 'crm', 'customer')`, [
    pipelineId,
  ]);
  await pool.query(
    `INSERT INTO ${schema}.link (place, external_id, record_id, seen)
     SELECT ${PLACE}, accord_id, accord_id, '' FROM ${schema}."r_Customer" WHERE accord_id <= $1`,
    [idOf(100)],
  );
  const free = await storage.match({ placeId: PLACE, fields });
  expect(plain(free)).toMatchObject({ cut: [{ lastId: idOf(600) }], isFull: false });
  expect(free.records[0]?.recordId).toBe(idOf(101));
});

test("a value that 500 records share is found whole, and one more of them is known", async () => {
  const { add, match } = await world();
  await add(1, 500, () => ({ name: "shared", phone: "1" }));
  const fields = [{ field: "name", keys: ["shared"] }];
  expect(plain(await match(fields))).toMatchObject({ cut: [], isFull: false });
  await add(501, 1, () => ({ name: "Shared", phone: "1" }));
  const found = await match(fields);
  expect([found.records.length, found.cut]).toEqual([500, [{ entry: 0, key: 0, lastId: idOf(500) }]]);
});

test("where a rule compares more texts, only records that share all of them are loaded", async () => {
  const { add, match } = await world();
  await add(1, MANY, (number) => ({ name: "n/a", phone: `P${number}` }));
  const found = await match([
    { field: "name", keys: ["N/A", "N/A"], also: [{ field: "phone", keys: ["p7", "p4999"] }] },
  ]);
  expect(plain(found)).toEqual({ ids: [idOf(7), idOf(4_999)], cut: [], isFull: false });
});

test("the records of a page take up no more than its bytes, the oldest of each value first", async () => {
  const { add, match } = await world();
  const size = 1_000_000;
  await add(1, 30, (number) => ({ name: number % 2 ? "odd" : "even", phone: "x".repeat(size) }));
  const found = await match([{ field: "name", keys: ["odd", "even"] }]);
  expect(found.isFull).toBe(true);
  expect(found.records.length * size).toBeLessThanOrEqual(MAX_MATCH_BYTES);
  expect(found.records.length).toBeGreaterThan(10);
  expect(found.cut.map(({ key }) => key)).toEqual([0, 1]);
  const [odd, even] = found.cut;
  expect(Math.abs(Number(odd?.lastId?.slice(1)) - Number(even?.lastId?.slice(1)))).toBe(1);
});

test("a record that is larger than all a page may load is loaded alone", async () => {
  const { add, match } = await world();
  await add(1, 2, () => ({ name: "huge", phone: "x".repeat(MAX_MATCH_BYTES + 1) }));
  expect(plain(await match([{ field: "name", keys: ["huge"] }]))).toEqual({
    ids: [idOf(1)],
    cut: [{ entry: 0, key: 0, lastId: idOf(1) }],
    isFull: true,
  });
});

test("the records of a page are no more than its number, however many values it asks for", async () => {
  const { add, match } = await world();
  await add(1, 12_000, (number) => ({ name: `value ${number % 30}`, phone: "" }));
  const keys = Array.from({ length: 30 }, (_, index) => `value ${index}`);
  const found = await match([{ field: "name", keys }]);
  expect([found.records.length, found.isFull, found.cut.length]).toEqual([MAX_MATCH_ROWS, true, 30]);
  const half = await match([{ field: "name", keys: keys.slice(0, 15) }]);
  expect([half.records.length, half.isFull, half.cut]).toEqual([6_000, false, []]);
});
