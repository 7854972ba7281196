/** What all migrations together make, to be read in the diff of every migration. */
import { afterAll, expect, test } from "vitest";
import { testDatabase } from "../../../test-kit/database/database.ts";
import { dumpSchema } from "../../../test-kit/database/schema-dump.ts";
import { instanceSchema } from "./db.ts";
import { migrateInstance } from "./migrations.ts";

const databases = await testDatabase();
afterAll(databases.drop);

test("the schema after the last migration is the one in the golden file", async () => {
  const instanceId = "0".repeat(24);
  await migrateInstance(databases.data.pool, instanceId);
  const schema = instanceSchema(instanceId);
  const sections = [
    `-- Database app\n\n${await dumpSchema(databases.app.pool, "public")}`,
    `-- Database data\n\n${await dumpSchema(databases.data.pool, "public")}`,
    `-- Database data, schema of each instance\n\n${await dumpSchema(databases.data.pool, schema)}`,
  ];
  const text = sections.join("\n").replaceAll(`${schema}.`, "").replaceAll(schema, "i_<instance>");
  await expect(text).toMatchFileSnapshot("../../../migrations/schema.golden.sql");
});
