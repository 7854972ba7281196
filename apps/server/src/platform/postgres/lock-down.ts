/** Closes the databases of the embedded PostgreSQL to all roles but the server's own. */
import pg from "pg";
import { findExposure } from "./exposure.ts";

/** Other roles of this server may neither enter the database nor, as one of its readers, call what is dangerous. `url` is the superuser's. */
export async function lockDown(url: string, owner: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of (await findExposure(client, owner)).statements) await client.query(statement);
    // So that the server bounds what single statements take of the disk.
    await client.query(`GRANT SET ON PARAMETER temp_file_limit TO ${pg.escapeIdentifier(owner)}`);
  } finally {
    await client.end();
  }
}
