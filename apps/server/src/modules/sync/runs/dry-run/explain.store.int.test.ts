/** What is known of one record: its past and its refusals in its own pipeline, and what each place of that knows of it. */
import { expect, test } from "vitest";
import { I, P, Q, T } from "../../../../../test-kit/sync-world/numbered-places.ts";
import { world } from "../monitoring/fixtures/history.store.ts";

/** The record r1 in the ledgers of both pipelines, and another one beside it. */
async function written() {
  const it = await world();
  const note = (
    entity: number,
    record: string,
    operation: string,
    refused: object | null = null,
    place: number | null = 1,
  ) =>
    it.pool.query(
      `INSERT INTO ${T}.ledger (entity, record_id, operation, at, cycle, changes, refused, place, external_id)
       VALUES ($1, $2, $3, now(), 1, '{}', $4, $5, 'x')`,
      [entity, record, operation, refused && JSON.stringify(refused), place],
    );
  return { ...it, note };
}
const numbers = (rows: readonly { number: number }[]) => rows.map(({ number }) => number);

test("its past is what its own pipeline did to it, the oldest first, without what was written elsewhere", async () => {
  const { explain, note } = await written();
  await note(1, "r1", "create");
  await note(2, "r1", "update", null, 3);
  await note(1, "r2", "update");
  await note(1, "r1", "write");
  await note(1, "r1", "update", null, null);
  expect(numbers(await explain.past(I, P, "r1"))).toEqual([1, 5]);
  expect(numbers(await explain.past(I, Q, "r1"))).toEqual([2]);
  expect(await explain.past(I, P, "r1")).toMatchObject([
    { connectorId: "crm", connectorEntity: "company", pipelineId: P },
    { connectorId: null, pipelineId: P },
  ]);
});

test("its refusals are those of its own pipeline, the newest first, of one field or of all, at most twenty", async () => {
  const { explain, note } = await written();
  await note(1, "r1", "refuse", { name: ["Eve", "older"] });
  await note(1, "r1", "update");
  await note(2, "r1", "refuse", { name: ["Eve", "older"] }, 3);
  await note(1, "r2", "refuse", { name: ["Eve", "older"] });
  await note(1, "r1", "update", { phone: ["2", "older"], name: ["Bob", "older"] });
  await note(1, "r1", "refuse", { phone: ["3", "older"] });
  expect(numbers(await explain.refusals(I, P, "r1"))).toEqual([6, 5, 1]);
  expect(numbers(await explain.refusals(I, P, "r1", "name"))).toEqual([5, 1]);
  expect(numbers(await explain.refusals(I, Q, "r1"))).toEqual([3]);
  for (let count = 0; count < 20; count += 1) await note(1, "r1", "refuse", { phone: ["4", "older"] });
  const latest = numbers(await explain.refusals(I, P, "r1"));
  expect([latest.length, latest[0], latest.at(-1)]).toEqual([20, 26, 7]);
});

test("its places say what they hold, what is to be told and what was quarantined of it; what did not fit is no news", async () => {
  const { explain, pool } = await written();
  await pool.query(
    `INSERT INTO ${T}.link (place, external_id, record_id, dead, told_at) VALUES (1, 'c1', 'r1', false, now()), (2, 'b2', 'r2', false, NULL), (3, 'p1', 'r1', false, NULL)`,
  );
  await pool.query(
    `INSERT INTO ${T}.delivery (place, record_id, attempts, parked, intent, unfit) VALUES (1, 'r1', 1, false, 'update', NULL), (2, 'r1', 2, true, NULL, 'short')`,
  );
  await pool.query(
    `INSERT INTO ${T}.quarantine (id, pipeline_id, place, direction, status, external_id, record_id, code, message) VALUES
       ('a', '${P}', 1, 'destination', 'OPEN', 'zz', 'r1', 'older', ''), ('b', '${P}', 1, 'source', 'RETRYING', 'c1', NULL, 'newest', 'Bad'),
       ('c', '${P}', 1, 'destination', 'OPEN', 'c1', 'r9', 'told', ''), ('d', '${P}', 2, 'destination', 'OPEN', NULL, 'r1', 'refused', ''),
       ('e', '${P}', 2, 'destination', 'RESOLVED', NULL, 'r1', 'over', '')`,
  );
  expect(await explain.places(I, P, "r1")).toMatchObject([
    {
      placeId: 1,
      link: { externalId: "c1", recordId: "r1", dead: false, writtenAt: expect.anything() },
      delivery: { attempts: 1, parked: false, isAnswerMissing: true },
      quarantine: { code: "newest", message: "Bad" },
    },
    { placeId: 2, link: null, delivery: null, quarantine: { code: "refused" } },
  ]);
  expect((await explain.places(I, Q, "r1")).map(({ placeId, link }) => [placeId, link?.externalId])).toEqual([
    [3, "p1"],
  ]);
});

test("outside ids are those of living records at the place that is asked for", async () => {
  const { explain, pool } = await written();
  await pool.query(
    `INSERT INTO ${T}.link (place, external_id, record_id, dead) VALUES (1, 'c1', 'r1', false), (2, 'b1', 'r1', true), (1, 'c2', 'r2', false)`,
  );
  const found = await explain.outsideIds(I, [
    { connectorId: "crm", entity: "company", recordId: "r1" },
    { connectorId: "crm", entity: "company", recordId: "r2" },
    { connectorId: "crm", entity: "other", recordId: "r1" },
    { connectorId: "books", entity: "customer", recordId: "r1" },
  ]);
  expect([...found].map(([place, ids]) => [place, Object.fromEntries(ids)])).toEqual([
    ["crm/company", { r1: "c1", r2: "c2" }],
    ["crm/other", {}],
    ["books/customer", {}],
  ]);
});
