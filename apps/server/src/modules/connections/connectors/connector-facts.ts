/** What other modules may know of connectors and ask of them. */
import type { Capability, Connection, ConnectorDefinition } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { ConnectorStatus, SchemaRefreshStatus } from "@accord/contracts/connections/connectors";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import type { StoredConnector } from "./connectors.store.ts";
import type { WaitPolicy } from "./rate-limits/rate-limits.ts";

/** A connector as other modules see it; no secrets, no configuration. */
export interface ConnectorFacts {
  id: Id<"connector">;
  name: string;
  /** `postgres`, `http`, `files`. */
  type: string;
  category: ConnectorDefinition["category"];
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

/** A place that uses a connector, as the module that knows it says. */
export interface ConnectorUse {
  entityId: string;
  name: string;
  published: boolean;
  /** Api names of the connector's entities that are read or written. */
  outside: readonly string[];
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
  /** Connectors and their entities, in the order asked for; null for what is not there. One round to the database. */
  findPlaces(
    instanceId: Id<"instance">,
    wanted: readonly { connectorId: string; entity: string }[],
  ): Promise<
    {
      connector: ConnectorFacts | null;
      facts: ConnectorEntityFacts | null;
      /** For `openConnection`, which then reads nothing; secrets are sealed in it. */
      stored?: StoredConnector;
    }[]
  >;
  /** What proves a webhook's posts, with its settings; null when the connector is gone or is no webhook. */
  findWebhook(
    instanceId: Id<"instance">,
    connectorId: string,
  ): Promise<{ status: string; config: Values; authType: string; credentials: Record<string, string> } | null>;
  /**
   * Opens a connection with the stored credentials; the caller closes it. Cheap: nothing is called before first use.
   * Throws `AppError("connector_not_active")` unless the connector is ACTIVE, and `ConnectorError` from its methods.
   * Calls keep to the rate budget of the connector's credentials, shared by everything that uses it; `patience` says
   * how a cycle waits for its turn. `assertMaySend` throws where nothing may be written any more.
   */
  openConnection(
    instanceId: Id<"instance">,
    connectorId: string,
    options?: {
      signal?: AbortSignal;
      patience?: WaitPolicy;
      isAnswering?: boolean;
      assertMaySend?: () => void;
      /** Whatever its status, for what has to be tidied up. */
      anyStatus?: boolean;
      /** The connector, where it was read just now. */
      stored?: StoredConnector | undefined;
    },
  ): Promise<Connection>;
  /**
   * Tells that a connection failed for good (authentication, permission, certificate, configuration): the connector goes to ERROR with
   * the reason, and back to ACTIVE by itself when `reportWorking` is called. Where a field of `entity` is gone its schema
   * is read again in the background, unless that was just done.
   */
  reportFailure(instanceId: Id<"instance">, connectorId: string, error: Error, entity?: string): Promise<void>;
  reportWorking(instanceId: Id<"instance">, connectorId: string): Promise<void>;
  /** Modules that use connectors say where, so that one in use is not deleted. Called once at composition. */
  registerUses(find: (instanceId: Id<"instance">, connectorId: string) => Promise<ConnectorUse[]>): void;
  /** Calls it whenever somebody changed how a connector connects: what failed may work now. Called once at composition. */
  onReconnected(goOn: (instanceId: Id<"instance">, connectorId: Id<"connector">) => Promise<void>): void;
  /** Says which fields of a connector's entity hold secret values, whatever the system calls their type. Called once at composition. */
  registerSecretFields(find: FindSecretFields): void;
  /** Those fields, whichever pipeline or version moves or once moved them. Schemas name further ones by their type. */
  secretFieldsOf: FindSecretFields;
  /** Whether any of the connector's entities has such fields: then what it sent is not shown as it came. */
  hasSecretFields(instanceId: Id<"instance">, connectorId: string): Promise<boolean>;
}

/** Api names of the fields whose values nobody is shown; of all entities of the connector when none is named. */
export type FindSecretFields = (
  instanceId: Id<"instance">,
  connectorId: string,
  entityApiName: string | null,
) => Promise<ReadonlySet<string>>;
