/** Closes the databases of the embedded PostgreSQL to all roles but the server's own. */
import pg from "pg";

/**
 * Functions that every role may call unless told otherwise: they run text as SQL, change settings (the role among them),
 * hold locks that others wait for, send messages, end other sessions, sleep, or keep large objects.
 */
const DANGEROUS =
  "^(set_config|pg_notify|pg_sleep.*|pg_(try_)?advisory_.*|pg_cancel_backend|pg_terminate_backend|(query|table|schema|database|cursor)_to_xml.*|pg_logical_emit_message|pg_export_snapshot|lo_.*|loread|lowrite)$";

/** Other roles of this server may neither enter the database nor, as one of its readers, call what is dangerous. `url` is the superuser's. */
export async function lockDown(url: string, owner: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ database: string }>("SELECT format('%I', current_database()) AS database");
    await client.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${rows[0]?.database} FROM PUBLIC`);
    const { rows: functions } = await client.query<{ name: string }>(
      `SELECT oid::regprocedure::text AS name FROM pg_proc
       WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ $1 AND has_function_privilege('public', oid, 'EXECUTE')`,
      [DANGEROUS],
    );
    for (const { name } of functions) {
      await client.query(
        `REVOKE EXECUTE ON FUNCTION ${name} FROM PUBLIC; GRANT EXECUTE ON FUNCTION ${name} TO ${client.escapeIdentifier(owner)}`,
      );
    }
  } finally {
    await client.end();
  }
}
