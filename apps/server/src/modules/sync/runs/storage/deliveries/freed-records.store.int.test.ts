/** What waits for another record's external record, on real storage: that alone is tried again once it is free. */
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { PLACE, storeWorld } from "../../../../../../test-kit/replay/store-world.ts";
import { transaction } from "../../../../../platform/db/transaction.ts";
import { releaseFreed } from "./freed-records.store.ts";

const OTHER = PLACE + 1;

/** Two places of one pipeline with parked deliveries, each with its entry in quarantine. */
async function parked(...entries: { place: number; recordId: string; takenId: string; code: string }[]) {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, pipelineId, schema } = await storeWorld(database);
  await pool.query(
    `INSERT INTO ${schema}.place (pipeline_id, connector_id, entity, read_fields, told_fields)
     VALUES ($1, 'crm', 'customer', '{name}', '{name}'), ($1, 'books', 'client', '{name}', '{name}')`,
    [pipelineId],
  );
  for (const [index, { place, recordId, takenId, code }] of entries.entries()) {
    await pool.query(
      `INSERT INTO ${schema}.delivery (place, record_id, wanted, next_at, parked, taken_id) VALUES ($1, $2, 5, now(), true, $3)`,
      [place, recordId, takenId],
    );
    await pool.query(
      `INSERT INTO ${schema}.quarantine (id, pipeline_id, place, direction, status, record_id, code, message)
       VALUES ($1, $2, $3, 'destination', 'OPEN', $4, $5, '')`,
      [String(index), pipelineId, place, recordId, code],
    );
  }
  return {
    free: (...externalIds: string[]) =>
      transaction(pool, ({ client }) =>
        releaseFreed(
          client,
          schema,
          externalIds.map((externalId) => ({ placeId: PLACE, externalId })),
        ),
      ),
    /** Place and record of each, with its entry's status and whether it is still parked. */
    states: async (): Promise<string[]> => {
      const { rows } = await pool.query(
        `SELECT q.place, q.record_id, q.status, d.parked FROM ${schema}.quarantine q
         JOIN ${schema}.delivery d ON d.place = q.place AND d.record_id = q.record_id ORDER BY q.place, q.record_id`,
      );
      return rows.map(({ place, record_id: id, status, parked: isParked }) =>
        [place === PLACE ? "here" : "there", id, status, isParked ? "parked" : "due"].join(" "),
      );
    },
  };
}

test("a record that waits at two places is tried again only at the one where its external record is free", async () => {
  const { free, states } = await parked(
    { place: PLACE, recordId: "r1", takenId: "x1", code: "already_linked" },
    { place: OTHER, recordId: "r1", takenId: "x1", code: "already_linked" },
  );
  await free("x1");
  expect(await states()).toEqual(["here r1 RETRYING due", "there r1 OPEN parked"]);
});

test("a record that is in quarantine for another reason stays there, whatever it waited for before", async () => {
  const { free, states } = await parked(
    { place: PLACE, recordId: "r1", takenId: "x1", code: "already_linked" },
    { place: PLACE, recordId: "r2", takenId: "x2", code: "rejected" },
  );
  await free("x1", "x2");
  expect(await states()).toEqual(["here r1 RETRYING due", "here r2 OPEN parked"]);
});
