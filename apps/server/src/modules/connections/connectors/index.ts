/** Connectors: the module, and what other modules may ask: facts, schemas and open connections. */
import { ConnectorError, type Capability, type Connection } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { ConnectorStatus, SchemaRefreshStatus } from "@accord/contracts/connections/connectors";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import type { Deps } from "../../../platform/deps.ts";
import type { Module } from "../../../platform/module.ts";
import { connectorFacts, typeOf } from "./connector-view.ts";
import { connectorRoutes } from "./connectors.routes.ts";
import { connectorsService, type ConnectorUseCases } from "./connectors.service.ts";
import { changeState, findConnector, readConnectors } from "./connectors.store.ts";
import { openCredentials } from "./credentials.ts";
import { entitiesService } from "./entities.service.ts";
import { findEntity, readEntities } from "./entities.store.ts";
import { entityFacts } from "./entity-view.ts";
import { connectionOpener, type ReadInbox } from "./open-connection.ts";
import type { Patience } from "./rate-limits.ts";
import { autoRefreshJob, problemOf, refreshSchemaJob, schemaRefresh } from "./schema-refresh.ts";

export type { Patience } from "./rate-limits.ts";

/** A connector as other modules see it; no secrets, no configuration. */
export interface ConnectorFacts {
  id: Id<"connector">;
  name: string;
  /** `postgres`, `http`, `files`. */
  type: string;
  category: "database" | "api" | "files";
  icon: string;
  backgroundColor: string;
  status: ConnectorStatus;
  schemaRefreshStatus: SchemaRefreshStatus;
  errorMessage: string | null;
  capabilities: readonly Capability[];
  readPageSize: number;
  writeBatchSize: number;
  readDelaySeconds: number;
}

/** One entity of a connector with the id and watermark fields in force (discovered or chosen) marked in `schema`. */
export interface ConnectorEntityFacts {
  connectorId: Id<"connector">;
  apiName: string;
  displayName: string;
  readOnly: boolean;
  /** INACTIVE: vanished at the last schema refresh. Vanished fields carry INACTIVE in `schema` too. */
  status: "ACTIVE" | "INACTIVE";
  idField: string | null;
  watermarkField: string | null;
  /** Why a pipeline can't use it yet (no id field); null when it can. */
  problem: string | null;
  /** What this entity allows: the connector's capabilities less what the entity lacks. */
  capabilities: readonly Capability[];
  schema: EntitySchema;
}

/** A place that uses a connector, told by the module that knows it. */
export interface ConnectorUse {
  entityId: string;
  name: string;
  published: boolean;
}

export interface ConnectorsService {
  /** null when there is none in this instance or it is deleted. */
  getConnector(instanceId: Id<"instance">, connectorId: string): Promise<ConnectorFacts | null>;
  /** All that are not deleted, by name. */
  listConnectors(instanceId: Id<"instance">): Promise<ConnectorFacts[]>;
  /** Only those that may be used: status ACTIVE. */
  listActive(instanceId: Id<"instance">): Promise<ConnectorFacts[]>;
  listEntities(instanceId: Id<"instance">, connectorId: string): Promise<ConnectorEntityFacts[]>;
  /** null when the connector has no such entity. */
  entitySchema(
    instanceId: Id<"instance">,
    connectorId: string,
    entityApiName: string,
  ): Promise<ConnectorEntityFacts | null>;
  /** What proves a webhook's posts, with its settings; null when the connector is gone or is no webhook. */
  findWebhook(
    instanceId: Id<"instance">,
    connectorId: string,
  ): Promise<{ status: string; config: Values; authType: string; credentials: Record<string, string> } | null>;
  /**
   * Opens a connection with the stored credentials; the caller closes it. Cheap: nothing is called before first use.
   * Throws `AppError("connector_not_active")` unless the connector is ACTIVE, and `ConnectorError` from its methods.
   * Calls keep to the rate budget of the connector's credentials, shared by everything that uses it; `patience` says
   * how a cycle waits for its turn.
   */
  openConnection(
    instanceId: Id<"instance">,
    connectorId: string,
    options?: { signal?: AbortSignal; patience?: Patience; isAnswering?: boolean },
  ): Promise<Connection>;
  /**
   * Tells that a connection failed for good (authentication, permission, certificate, configuration): the connector goes to ERROR with
   * the reason, and back to ACTIVE by itself when `reportWorking` is called.
   */
  reportFailure(instanceId: Id<"instance">, connectorId: string, error: Error): Promise<void>;
  reportWorking(instanceId: Id<"instance">, connectorId: string): Promise<void>;
  /** Modules that use connectors say where, so that one in use is not deleted. Called once at composition. */
  registerUses(find: (instanceId: Id<"instance">, connectorId: string) => Promise<ConnectorUse[]>): void;
}

/** Failures that stay until somebody changes something. */
const LASTING: ReadonlySet<string> = new Set([
  "authentication",
  "permission",
  "certificate",
  "configuration",
  "outboundRefused",
]);

export interface ConnectorsModule extends Module {
  service: ConnectorsService;
  /** For the demo and tests: the same use cases the endpoints have. */
  useCases: ConnectorUseCases;
}

export function connectorsModule(deps: Deps, inbox: ReadInbox | null = null): ConnectorsModule {
  const finders: Parameters<ConnectorsService["registerUses"]>[0][] = [];
  const usesOf = async (at: Id<"instance">, connectorId: Id<"connector">): Promise<ConnectorUse[]> =>
    (await Promise.all(finders.map((find) => find(at, connectorId)))).flat();
  const open = connectionOpener(deps, inbox);
  const refresh = schemaRefresh(deps, open);
  const useCases = connectorsService(deps, { open, refresh, usesOf });
  return {
    name: "connections/connectors",
    service: connectorFactsService(deps, open, refresh, finders),
    useCases,
    routes: connectorRoutes(useCases, entitiesService(deps, { open, refresh })),
    async startWorker() {
      const stops = [
        await deps.jobs.work(refreshSchemaJob, (data, { signal }) => refresh.run(data, signal), { concurrency: 2 }),
        await deps.jobs.work(autoRefreshJob, () => refresh.runAuto()),
      ];
      await deps.jobs.schedule(autoRefreshJob, "17 * * * *", {});
      return async () => {
        for (const stop of stops) await stop();
      };
    },
  };
}

function connectorFactsService(
  deps: Deps,
  open: ReturnType<typeof connectionOpener>,
  refresh: ReturnType<typeof schemaRefresh>,
  finders: Parameters<ConnectorsService["registerUses"]>[0][],
): ConnectorsService {
  const { appDb } = deps;
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
      return entities.map((entity) => entityFacts(entity, typeOf(row), row.config));
    },
    async entitySchema(at, connectorId, apiName) {
      const row = await findConnector(appDb, at, connectorId);
      const entity = row && (await findEntity(appDb, at, connectorId, apiName));
      return entity ? entityFacts(entity, typeOf(row), row.config) : null;
    },
    async findWebhook(at, connectorId) {
      const row = await findConnector(appDb, at, connectorId);
      if (row?.type !== "webhook") return null;
      const credentials = await openCredentials(deps, appDb, at, connectorId, []);
      return { status: row.status, config: row.config, authType: row.auth_type, credentials };
    },
    openConnection: (at, connectorId, options) => open(at, connectorId, options),
    async reportFailure(at, connectorId, error) {
      if (!(error instanceof ConnectorError) || !LASTING.has(error.kind)) return;
      const change = { status: "ERROR", problem: problemOf(error) } as const;
      if (await changeState(appDb, at, connectorId, { status: ["ACTIVE"] }, change))
        await refresh.tell(at, connectorId as Id<"connector">);
    },
    async reportWorking(at, connectorId) {
      const row = await findConnector(appDb, at, connectorId);
      if (row?.status !== "ERROR" || row.activated_at === null) return;
      if (await changeState(appDb, at, connectorId, { status: ["ERROR"] }, { status: "ACTIVE", problem: null }))
        await refresh.tell(at, connectorId as Id<"connector">);
    },
    registerUses: (find) => void finders.push(find),
  };
}
