/** Hears about changed tables at once: one statement trigger per table notifies a channel, if the person allowed triggers. */
import { ConnectorError, type SubscribeRequest } from "@accord/connector-sdk";
import { placeOf } from "./catalogue.ts";
import type { PostgresClient } from "./client.ts";
import type { PostgresConfig } from "./config.ts";
import { quoteName } from "./quote-name.ts";

const CHANNEL = "accord_changes";

/** Adds what is missing; a trigger that is there already costs nothing to declare again. */
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

async function addTrigger(client: PostgresClient, schema: string, table: string): Promise<void> {
  const name = `${quoteName(schema)}.accord_notify`;
  await client.query(`
    CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN PERFORM pg_notify('${CHANNEL}', TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME); RETURN NULL; END $body$`);
  await client.query(`
    CREATE OR REPLACE TRIGGER accord_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
    ON ${quoteName(schema)}.${quoteName(table)} FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`);
}
