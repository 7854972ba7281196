/** Hears about changed tables at once: one statement trigger per table notifies a channel, if the person allowed triggers. */
import { ConnectorError, type SubscribeRequest } from "@accord/connector-sdk";
import { placeOf } from "../catalogue.ts";
import type { PostgresClient } from "../client.ts";
import type { PostgresConfig } from "../config.ts";
import { quoteName } from "../quote-name.ts";

const CHANNEL = "accord_changes";

/** Adds the triggers that are missing. */
export async function listenForChanges(
  client: PostgresClient,
  config: PostgresConfig,
  request: SubscribeRequest,
): Promise<() => Promise<void>> {
  const places = new Map<string, string>();
  for (const entity of request.entities.filter((candidate) => !candidate.readOnly)) {
    const { schema, table } = placeOf(config.schemas, entity.apiName);
    places.set(`${schema}.${table}`, entity.apiName);
    await addTrigger(client, schema, table);
  }
  const listener = await client.dedicated();
  let stopped = false;
  listener.on("notification", (message) => {
    const entity = places.get(message.payload ?? "");
    if (entity) request.onChange(entity);
  });
  listener.on("error", (error) => {
    if (!stopped)
      request.onBroken(new ConnectorError("unreachable", "The database stopped telling changes.", { cause: error }));
  });
  await listener.query(`LISTEN ${CHANNEL}`);
  return async () => {
    stopped = true;
    await listener.end();
  };
}

/** What the trigger's function does, for each change of a table. */
const BODY = `
    BEGIN PERFORM pg_notify('${CHANNEL}', TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME); RETURN NULL; END `;
/** Bits of `pg_trigger.tgtype`: insert, delete, update and truncate, after each statement. */
const ON_ALL_CHANGES = 4 + 8 + 16 + 32;

/** Whether the schema's function, and with it the table's trigger, are as they have to be. */
const STATE = `
  SELECT (f.oid IS NOT NULL)::text, (t.oid IS NOT NULL)::text
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_proc f ON f.pronamespace = n.oid AND f.proname = 'accord_notify' AND f.pronargs = 0 AND f.prosrc = $3
  LEFT JOIN pg_trigger t ON t.tgrelid = c.oid AND t.tgname = 'accord_notify' AND t.tgfoid = f.oid
    AND t.tgtype = ${ON_ALL_CHANGES} AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NULL
  WHERE n.nspname = $1 AND c.relname = $2`;

/** Declaring a trigger, even one that is there, locks the table against all who write: only what is missing is declared. */
async function addTrigger(client: PostgresClient, schema: string, table: string): Promise<void> {
  const ask = async () => {
    const [row] = await client.query(STATE, [schema, table, BODY]);
    return { hasFunction: row?.[0] === "true", hasTrigger: row?.[1] === "true" };
  };
  const name = `${quoteName(schema)}.accord_notify`;
  let found = await ask();
  if (!found.hasFunction) {
    await client.query(`CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $body$${BODY}$body$`);
    // The trigger may have waited for this function alone.
    found = await ask();
  }
  if (found.hasTrigger) return;
  await client.query(`
    CREATE OR REPLACE TRIGGER accord_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
    ON ${quoteName(schema)}.${quoteName(table)} FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`);
}
