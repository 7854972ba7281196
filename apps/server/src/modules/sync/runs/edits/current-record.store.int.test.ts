/** A record as explanations read it: what it holds in the fields that are in use. */
import { CoreField } from "@accord/contracts/data/entities";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { newId, storeWorld } from "../../../../../test-kit/replay/store-world.ts";
import { currentRecord } from "./current-record.store.ts";

/** Customers have a name and a phone. */
const entityOf = (...inUse: string[]) => ({
  apiName: "Customer",
  fields: ["name", "phone"].map((apiName) =>
    CoreField.parse({
      id: newId(),
      apiName,
      displayName: apiName,
      status: inUse.includes(apiName) ? "ACTIVE" : "INACTIVE",
    }),
  ),
});

test("a record is read with the fields in use, deleted or not; where there is none, nothing is", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, instanceId, schema } = await storeWorld(database);
  await pool.query(
    `INSERT INTO ${schema}."r_Customer" (accord_id, accord_origin, accord_deleted, name, phone)
     VALUES ('ada', '{}', false, 'Ada', '1'), ('bob', '{}', true, 'Bob', NULL)`,
  );
  const read = (recordId: string, ...inUse: string[]) => currentRecord(pool, instanceId, entityOf(...inUse), recordId);
  expect(await read("ada", "name", "phone")).toEqual({ name: "Ada", phone: "1" });
  expect(await read("ada", "phone")).toEqual({ phone: "1" });
  expect(await read("ada"), "none is in use").toEqual({});
  expect(await read("bob", "name", "phone")).toEqual({ name: "Bob", phone: null });
  expect(await read(newId(), "name")).toBeNull();
});
