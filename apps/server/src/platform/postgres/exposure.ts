/** What other roles of the same PostgreSQL server may do with a database of ours, and the SQL that ends it. */
import pg, { type ClientBase, type Pool } from "pg";

/**
 * Functions that every role may call unless told otherwise: they run text as SQL, change settings (the role among them),
 * hold locks that others wait for, send messages, end other sessions, sleep, or keep large objects.
 */
const DANGEROUS =
  "^(set_config|pg_notify|pg_sleep.*|pg_(try_)?advisory_.*|pg_cancel_backend|pg_terminate_backend|(query|table|schema|database|cursor)_to_xml.*|pg_logical_emit_message|pg_export_snapshot|lo_.*|loread|lowrite|ts_stat|ts_rewrite)$";

export interface Exposure {
  database: string;
  /** Every role of the server may connect, or make temporary tables. */
  isOpen: boolean;
  /** How many dangerous functions every role may call, the readers of analytics among them. */
  dangerousFunctions: number;
  /** Statements for a superuser in this database that close it to all but `owner`; none when it is closed. */
  statements: string[];
}

/** `owner`: the role that the server itself connects as; default the one of this connection. */
export async function findExposure(db: Pool | ClientBase, owner?: string): Promise<Exposure> {
  const { rows } = await db.query<{ database: string; user: string; isOpen: boolean; functions: string[] }>(
    `SELECT current_database() AS database, current_user AS user,
            has_database_privilege('public', current_database(), 'CONNECT')
              OR has_database_privilege('public', current_database(), 'TEMPORARY') AS "isOpen",
            ARRAY(SELECT oid::regprocedure::text FROM pg_proc
                   WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ $1
                     AND has_function_privilege('public', oid, 'EXECUTE') ORDER BY 1) AS functions`,
    [DANGEROUS],
  );
  const { database = "", user = "", isOpen = true, functions = [] } = rows[0] ?? {};
  const [name, role] = [pg.escapeIdentifier(database), pg.escapeIdentifier(owner ?? user)];
  const list = functions.join(", ");
  return {
    database,
    isOpen,
    dangerousFunctions: functions.length,
    statements: [
      ...(isOpen
        ? [
            `GRANT CONNECT, TEMPORARY ON DATABASE ${name} TO ${role}`,
            `REVOKE CONNECT, TEMPORARY ON DATABASE ${name} FROM PUBLIC`,
          ]
        : []),
      ...(functions.length > 0
        ? [`GRANT EXECUTE ON FUNCTION ${list} TO ${role}`, `REVOKE EXECUTE ON FUNCTION ${list} FROM PUBLIC`]
        : []),
    ],
  };
}
