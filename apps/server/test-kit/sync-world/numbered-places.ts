/** An instance with places of two pipelines and nothing else: for tests of single stores. */
import type { Id } from "@accord/contracts";
import { onTestFinished } from "vitest";
import { instanceSchema, type Pool } from "../../src/platform/db/db.ts";
import { migrateInstance } from "../../src/platform/db/migrations.ts";
import { testDatabase } from "../database/database.ts";

/** The instance, two of its pipelines, and its schema as SQL names it. */
export const I = "a".repeat(24) as Id<"instance">;
export const [P, Q] = ["c".repeat(24), "d".repeat(24)] as [Id<"entity">, Id<"entity">];
export const T = `"${instanceSchema(I)}"`;

/** Places 1 and 2 are of P, 3 of Q. The database goes with the test. */
export async function numberedPlaces(): Promise<Pool> {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  await migrateInstance(pool, I);
  await pool.query(
    `INSERT INTO ${T}.place (pipeline_id, connector_id, entity)
     VALUES ($1, 'crm', 'company'), ($1, 'books', 'customer'), ($2, 'crm', 'person')`,
    [P, Q],
  );
  return pool;
}
