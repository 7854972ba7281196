/** Records that wait to be sent, on real storage: the list has those that are counted, each once, page by page. */
import { COUNTED_UP_TO } from "@accord/contracts/sync/monitoring/health";
import { expect, test } from "vitest";
import { I, numberedPlaces, P, T } from "../../../../../test-kit/sync-world/numbered-places.ts";
import { type WaitingPage, waitingDeliveriesStore } from "./waiting-deliveries.store.ts";

/** Places 1 and 2 are of P, 3 of Q. */
async function world() {
  const pool = await numberedPlaces();
  const store = waitingDeliveriesStore(pool);
  return {
    pool,
    store,
    /** Due so many seconds after noon. */
    enqueue: (place: number, recordId: string, seconds: number, parked = false) =>
      pool.query(
        `INSERT INTO ${T}.delivery (place, record_id, next_at, parked)
         VALUES ($1, $2, timestamptz '2026-01-01 12:00Z' + $3 * interval '1 second', $4)`,
        [place, recordId, seconds, parked],
      ),
    quarantine: (
      id: string,
      more: { direction: string; recordId: string | null; externalId?: string; status?: string; place?: number },
    ) =>
      pool.query(
        `INSERT INTO ${T}.quarantine (id, pipeline_id, place, direction, status, external_id, record_id, code, message)
         VALUES ($1, $2, $7, $3, $4, $5, $6, 'bad', '')`,
        [id, P, more.direction, more.status ?? "OPEN", more.externalId ?? null, more.recordId, more.place ?? 1],
      ),
    listed: (places: number[], page: Partial<WaitingPage> = {}) =>
      store.waitingDeliveries(I, places, { from: null, direction: "next", count: 100, ...page }),
  };
}

const idsOf = ({ rows }: { rows: readonly { recordId: string }[] }): string =>
  rows.map(({ recordId }) => recordId).join("");

test("those that wait are listed, not those in quarantine there, and as many as are counted", async () => {
  const { store, enqueue, quarantine, listed } = await world();
  for (const [index, recordId] of ["a", "b", "c", "d"].entries()) await enqueue(1, recordId, index);
  await enqueue(1, "p", 0, true);
  await enqueue(2, "b", 2.5);
  await enqueue(3, "x", 0);
  await quarantine("1", { direction: "destination", recordId: "b" });
  await quarantine("2", { direction: "destination", recordId: "c", status: "RESOLVED" });
  await quarantine("3", { direction: "source", recordId: "d" });
  await quarantine("4", { direction: "destination", recordId: "a", place: 2 });
  expect(idsOf(await listed([1, 2]))).toBe("acbd");
  expect(idsOf(await listed([2]))).toBe("b");
  const counts = await store.deliveryCounts(I, P);
  expect(Object.fromEntries(counts)).toEqual({
    1: { outstanding: 4, waiting: 3, isLowerBound: false },
    2: { outstanding: 1, waiting: 1, isLowerBound: false },
  });
  for (const [place, { waiting }] of counts) expect((await listed([place])).rows).toHaveLength(waiting);
});

test("pages go on where the last one ended, in both directions, also among those due at one moment", async () => {
  const { enqueue, listed } = await world();
  for (const recordId of ["a", "b", "c"]) await enqueue(1, recordId, 0.123457);
  for (const recordId of ["a", "b"]) await enqueue(2, recordId, 0.123457);
  await enqueue(2, "z", -1);
  const seen: string[] = [];
  let page = await listed([1, 2], { count: 2 });
  for (;;) {
    seen.push(idsOf(page));
    const from = page.rows.at(-1);
    if (!page.isMore || !from) break;
    page = await listed([1, 2], { count: 2, from });
  }
  expect(seen).toEqual(["za", "bc", "ab"]);
  const [first] = page.rows;
  if (!first) throw new Error("a last page has rows");
  const before = await listed([1, 2], { count: 2, from: first, direction: "previous" });
  expect([idsOf(before), before.isMore]).toEqual(["bc", true]);
});

test("each says since when it waits, what its system answered, and whether something else has to end first", async () => {
  const { pool, enqueue, quarantine, listed } = await world();
  for (const [index, recordId] of ["held", "lacks", "open", "old"].entries()) await enqueue(1, recordId, index);
  await pool.query(
    `INSERT INTO ${T}.link (place, external_id, record_id, seen_at) VALUES (1, 'x1', 'held', now()), (1, 'x2', 'lacks', now())`,
  );
  await quarantine("1", { direction: "source", recordId: null, externalId: "x1" });
  await pool.query(
    `INSERT INTO ${T}.waiting_reference (place, record_id, connector_id, entity, target_id) VALUES (1, 'lacks', 'crm', 'person', 't')`,
  );
  await pool.query(
    `UPDATE ${T}.delivery SET intent = 'create', attempts = 2, last_error = 'Too slow.' WHERE record_id = 'open'`,
  );
  await pool.query(`UPDATE ${T}.delivery SET enqueued_at = NULL WHERE record_id = 'old'`);
  const { rows } = await listed([1]);
  const plain = { attempts: 0, isAnswerMissing: false, isHeld: false, lacksReference: false, lastError: null };
  expect(rows).toMatchObject([
    { ...plain, recordId: "held", externalId: "x1", isHeld: true },
    { ...plain, recordId: "lacks", externalId: "x2", lacksReference: true },
    { ...plain, recordId: "open", externalId: null, attempts: 2, isAnswerMissing: true, lastError: "Too slow." },
    { ...plain, recordId: "old", enqueuedAt: null },
  ]);
  expect(Date.now() - Date.parse(rows[0]?.enqueuedAt ?? "")).toBeLessThan(60_000);
});

test("what is of another place, of another record or over says nothing of a delivery, nor does a row that is gone", async () => {
  const { pool, enqueue, quarantine, listed } = await world();
  const ids = ["gone", "elsewhere", "written", "over", "keyless", "names", "plain"];
  for (const [index, recordId] of ids.entries()) await enqueue(1, recordId, index);
  await pool.query(
    `INSERT INTO ${T}.link (place, external_id, record_id, dead, seen_at) VALUES (1, 'x1', 'gone', true, now()),
       (1, 'x4', 'elsewhere', false, now()),
       (2, 'a4', 'elsewhere', false, now()), (1, 'x5', 'written', false, now()), (1, 'x6', 'over', false, now()),
       (1, 'x7', 'keyless', false, now()), (1, 'x8', 'names', false, now())`,
  );
  await quarantine("1", { direction: "source", recordId: null, externalId: "x4", place: 2 });
  await quarantine("2", { direction: "destination", recordId: null, externalId: "x5" });
  await quarantine("3", { direction: "source", recordId: null, externalId: "x6", status: "RESOLVED" });
  await quarantine("4", { direction: "source", recordId: "x7" });
  await pool.query(
    `INSERT INTO ${T}.waiting_reference (place, record_id, connector_id, entity, target_id) VALUES (2, 'plain', 'crm', 'person', 't')`,
  );
  await pool.query(
    `INSERT INTO ${T}.pending_reference (record_id, field, connector_id, entity, external_id, pipeline_id)
     VALUES ('names', 'boss', 'crm', 'person', 'x0', $1)`,
    [P],
  );
  const plain = { isHeld: false, lacksReference: false };
  expect((await listed([1])).rows).toMatchObject([
    { ...plain, recordId: "gone", externalId: null },
    { ...plain, recordId: "elsewhere", externalId: "x4" },
    { ...plain, recordId: "written", externalId: "x5" },
    { ...plain, recordId: "over", externalId: "x6" },
    { recordId: "keyless", isHeld: true, lacksReference: false },
    { recordId: "names", isHeld: false, lacksReference: true },
    { ...plain, recordId: "plain", externalId: null },
  ]);
});

test("as many as are counted are an exact number, and one more a lower bound", async () => {
  const { pool, store } = await world();
  const enqueueMany = (from: number, to: number) =>
    pool.query(
      `INSERT INTO ${T}.delivery (place, record_id, next_at)
       SELECT 1, number::text, now() FROM generate_series($1::int, $2::int) AS number`,
      [from, to],
    );
  const counted = async () => (await store.deliveryCounts(I, P)).get(1);
  await enqueueMany(1, COUNTED_UP_TO);
  expect(await counted()).toEqual({ outstanding: COUNTED_UP_TO, waiting: COUNTED_UP_TO, isLowerBound: false });
  await enqueueMany(COUNTED_UP_TO + 1, COUNTED_UP_TO + 1);
  expect(await counted()).toMatchObject({ isLowerBound: true });
});
