/** What other modules ask of connectors, answered: facts, schemas, open connections and what became of them. */
import { ConnectorError } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { Deps } from "../../../platform/deps.ts";
import type { ConnectorsService, FindSecretFields } from "./connector-facts.ts";
import { connectorFacts, typeOf } from "./connector-view.ts";
import { changeState, findConnector, findStored, readConnectors, readStored } from "./connectors.store.ts";
import { openCredential } from "./credentials/credentials.ts";
import { findEntities, findEntity, readEntities } from "./entities/entities.store.ts";
import { entityFacts } from "./entities/entity-view.ts";
import type { OpenConnection } from "./open-connection.ts";
import { problemOf, type SchemaRefresh } from "./entities/schema-refresh.ts";

/** Failures that stay until somebody changes something. */
const LASTING: ReadonlySet<string> = new Set([
  "authentication",
  "permission",
  "certificate",
  "configuration",
  "outboundRefused",
]);

/** How another module tells where it uses a connector. */
/** What other modules registered. */
export interface Registered {
  uses: Parameters<ConnectorsService["registerUses"]>[0][];
  secretFields: FindSecretFields[];
  reconnected: Parameters<ConnectorsService["onReconnected"]>[0][];
}

export function connectorFactsService(
  deps: Deps,
  open: OpenConnection,
  refresh: SchemaRefresh,
  registered: Registered,
): ConnectorsService {
  const { appDb } = deps;
  const secretFieldsOf: FindSecretFields = async (...of) => {
    const found = await Promise.all(registered.secretFields.map((find) => find(...of)));
    return new Set(found.flatMap((names) => [...names]));
  };
  const all = async (at: Id<"instance">) => (await readConnectors(appDb, at)).map(connectorFacts);
  return {
    getConnector: async (at, connectorId) => {
      const row = await findConnector(appDb, at, connectorId);
      return row && connectorFacts(row);
    },
    listConnectors: all,
    listActive: async (at) => (await all(at)).filter((connector) => connector.status === "ACTIVE"),
    async listEntities(at, connectorId) {
      const row = await findConnector(appDb, at, connectorId);
      if (!row) return [];
      const entities = await readEntities(appDb, at, connectorId);
      if (entities.length === 0) return [];
      const type = typeOf(row);
      return entities.map((entity) => entityFacts(entity, type, row.config));
    },
    async entitySchema(at, connectorId, apiName) {
      const row = await findConnector(appDb, at, connectorId);
      const entity = row && (await findEntity(appDb, at, connectorId, apiName));
      return entity ? entityFacts(entity, typeOf(row), row.config) : null;
    },
    async findPlaces(at, wanted) {
      const [rows, entities] = await Promise.all([
        readStored(
          appDb,
          at,
          wanted.map(({ connectorId }) => connectorId),
        ),
        findEntities(appDb, at, wanted),
      ]);
      return wanted.map(({ connectorId, entity: name }) => {
        const row = rows.find(({ id }) => id === connectorId);
        const entity = entities.find(({ connector_id, api_name }) => connector_id === connectorId && api_name === name);
        return {
          connector: row ? connectorFacts(row) : null,
          ...(row && { stored: row }),
          facts: row && entity ? entityFacts(entity, typeOf(row), row.config) : null,
        };
      });
    },
    async findWebhook(at, connectorId) {
      const row = await findStored(appDb, at, connectorId);
      if (row?.type !== "webhook") return null;
      const credentials = await openCredential(deps, at, row.credential, []);
      return { status: row.status, config: row.config, authType: row.auth_type, credentials };
    },
    openConnection: (at, connectorId, options) => open(at, connectorId, options),
    async reportFailure(at, connectorId, error, entity) {
      if (!(error instanceof ConnectorError)) return;
      const id = connectorId as Id<"connector">;
      if (error.isFieldGone && entity !== undefined) await refresh.find(at, id, entity);
      if (!LASTING.has(error.kind)) return;
      const change = { status: "ERROR", problem: problemOf(error) } as const;
      if (await changeState(appDb, at, connectorId, { status: ["ACTIVE"] }, change)) await refresh.tell(at, id);
    },
    async reportWorking(at, connectorId) {
      const row = await findConnector(appDb, at, connectorId);
      if (row?.status !== "ERROR" || row.activated_at === null) return;
      if (await changeState(appDb, at, connectorId, { status: ["ERROR"] }, { status: "ACTIVE", problem: null }))
        await refresh.tell(at, connectorId as Id<"connector">);
    },
    registerUses: (find) => void registered.uses.push(find),
    onReconnected: (goOn) => void registered.reconnected.push(goOn),
    secretFieldsOf,
    hasSecretFields: async (at, connectorId) => (await secretFieldsOf(at, connectorId, null)).size > 0,
    registerSecretFields: (find) => void registered.secretFields.push(find),
  };
}
