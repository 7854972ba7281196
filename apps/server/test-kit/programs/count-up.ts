/** A server in small: opens the embedded database of a home and writes 1, 2, 3 …; prints each number once it is safe. */
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabases } from "../../src/platform/db/open.ts";
import { makeLog } from "../../src/platform/log/log.ts";

const home = process.argv[2] ?? "";
const databases = await openDatabases({ home }, makeLog({ logLevel: "silent" })).catch((error: unknown) => {
  process.stdout.write(`refused: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
const { pool } = databases.app;
process.on("SIGTERM", () => void databases.close().then(() => process.exit(0)));

await pool.query("CREATE TABLE IF NOT EXISTS counted (value integer PRIMARY KEY)");
const last = await pool.query<{ value: number }>("SELECT coalesce(max(value), 0) AS value FROM counted");
process.stdout.write(`ready: ${last.rows[0]?.value}\n`);

for (let value = (last.rows[0]?.value ?? 0) + 1; ; value++) {
  // As any code of the server sees a database that goes away: the statement fails, later ones work again.
  while (!(await isWritten(value))) await sleep(20);
  process.stdout.write(`${value}\n`);
}

async function isWritten(value: number): Promise<boolean> {
  try {
    await pool.query("INSERT INTO counted VALUES ($1) ON CONFLICT DO NOTHING", [value]);
    return true;
  } catch {
    return false;
  }
}
