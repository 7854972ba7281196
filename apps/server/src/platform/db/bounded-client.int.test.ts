/** Pages are bounded by bytes too: records may be large, and a page of the largest would not fit into memory. */
import { listRecords } from "@accord/contracts/data/records";
import { getHealth } from "@accord/contracts/operations/health";
import type { Id } from "@accord/contracts";
import { beforeAll, expect, test } from "vitest";
import { makeDeals } from "../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../test-kit/index.ts";
import { TooManyBytesError } from "./bounded-client.ts";
import { instanceSchema } from "./db.ts";

let t: TestApp;
let entityId: Id<"entity">;
beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"] });
  entityId = await makeDeals(t, t, []);
  const { rows } = await t.deps.dataPool.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = $1 AND tablename LIKE 'r\\_Deal%'",
    [instanceSchema(t.instanceId)],
  );
  await t.deps.dataPool.query(
    `INSERT INTO ${rows[0]?.name} (accord_id, accord_created_at, accord_updated_at, "status")
     SELECT lpad(to_hex(i), 24, '0'), now(), now(), repeat('x', 300000) FROM generate_series(1, 300) i`,
  );
});

test("a page with too many bytes is refused before it fills the memory, and a shorter one is shown", async () => {
  const list = (count: number) => t.as("VIEWER").send(listRecords, { params: { entityId }, query: { count } });
  const before = process.memoryUsage().rss;
  for (let times = 0; times < 5; times++)
    expect(await list(300)).toMatchObject({ status: 422, body: { code: "answer_too_large" } });
  expect(process.memoryUsage().rss - before).toBeLessThan(600_000_000);
  expect((await list(20)).status).toBe(200);
  expect((await t.anonymous.send(getHealth)).status).toBe(200);
});

test("the connection of such a statement is given up, the others go on", async () => {
  const large = t.deps.dataReads.query("SELECT repeat('y', 1000000) FROM generate_series(1, 100)");
  const small = t.deps.dataReads.query("SELECT 1 AS one");
  await expect(large).rejects.toThrow(TooManyBytesError);
  expect((await small).rows).toEqual([{ one: 1 }]);
  const client = await t.deps.dataReads.connect();
  // Each statement has the whole of it.
  for (let times = 0; times < 5; times++) await client.query("SELECT repeat('y', 1000000) FROM generate_series(1, 20)");
  client.release();
});
