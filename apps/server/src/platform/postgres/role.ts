/** The role that the server works as: owner of its databases, allowed to make databases and roles, no superuser. */
import pg from "pg";

/** Makes the role, or gives it this password again. `url` is the superuser's. */
export async function ensureRole(url: string, name: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [name]);
    const verb = found.rowCount ? "ALTER" : "CREATE";
    const rights = "LOGIN CREATEDB CREATEROLE NOSUPERUSER NOREPLICATION";
    await client.query(
      `${verb} ROLE ${client.escapeIdentifier(name)} ${rights} PASSWORD ${client.escapeLiteral(password)}`,
    );
  } finally {
    await client.end();
  }
}
