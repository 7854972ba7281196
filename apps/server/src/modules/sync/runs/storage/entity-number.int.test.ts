/** Numbers of entities and places: given once, and none is used up by asking for them again. */
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { storeWorld } from "../../../../../test-kit/replay/store-world.ts";
import { transaction } from "../../../../platform/db/transaction.ts";
import { numberEntity } from "./entity-number.store.ts";

test("an entity and its places keep their numbers, however often they are asked for", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, schedule, instanceId, schema } = await storeWorld(database);
  const need = { connectorId: "c", entity: "e", readFields: ["a"], writeFields: [] };
  const ask = async () => {
    const number = await transaction(pool, ({ client }) => numberEntity(client, schema, "another"));
    const { entityNumber, places } = await schedule.settleIn(instanceId, "another", [need]);
    expect(entityNumber).toBe(number);
    return { number, place: places[0]?.id };
  };
  const used = async () => {
    const { rows } = await pool.query(
      `SELECT (SELECT last_value FROM ${schema}.sync_entity_number_seq)::int AS entities,
              (SELECT last_value FROM ${schema}.place_number_seq)::int AS places`,
    );
    return rows[0];
  };
  const first = await ask();
  const before = await used();
  for (let again = 0; again < 20; again += 1) expect(await ask()).toEqual(first);
  expect(await used()).toEqual(before);
  const grown = { ...need, readFields: ["a", "b"], writeFields: ["b"] };
  const { places } = await schedule.settleIn(instanceId, "another", [grown]);
  expect(places).toMatchObject([{ id: first.place, readFields: ["a", "b"], writeFields: ["b"] }]);
  expect(await used()).toEqual(before);
});
