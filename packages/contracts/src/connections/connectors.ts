/** Connectors (synapses): the library of types, connections to systems, their entities, and what the server pushes about them. */
import { z } from "zod";
import { InputDefinition } from "../config/inputs.ts";
import { EntitySchema, FieldSchema } from "../data/schema.ts";
import { Value, Values } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { event } from "../event.ts";
import { id } from "../ids.ts";

export const CONNECTOR_STATUSES = [
  "NEW",
  "AUTHENTICATED",
  "ACTIVATING",
  "ACTIVE",
  "ERROR",
  "INACTIVE",
  "DELETED",
] as const;
export const ConnectorStatus = z.enum(CONNECTOR_STATUSES);
export type ConnectorStatus = z.infer<typeof ConnectorStatus>;

export const SchemaRefreshStatus = z.enum(["NEW", "PROCESSING", "SUCCESS", "ERROR"]);
export type SchemaRefreshStatus = z.infer<typeof SchemaRefreshStatus>;

export const CONNECTOR_ACTIONS = [
  "edit",
  "test",
  "authenticate",
  "activate",
  "deactivate",
  "refreshSchema",
  "editEntities",
  "delete",
] as const;
export type ConnectorAction = (typeof CONNECTOR_ACTIONS)[number];

/** What may be done in each status: read by the server's guard and by the screens' menus alike. */
export const ALLOWED_CONNECTOR_ACTIONS: Record<ConnectorStatus, readonly ConnectorAction[]> = {
  NEW: ["edit", "test", "authenticate", "activate", "delete"],
  AUTHENTICATED: ["edit", "test", "authenticate", "activate", "delete"],
  ACTIVATING: [],
  ACTIVE: ["edit", "test", "deactivate", "refreshSchema", "editEntities", "delete"],
  ERROR: ["edit", "test", "authenticate", "activate", "deactivate", "delete"],
  INACTIVE: ["edit", "test", "authenticate", "activate", "delete"],
  DELETED: [],
};

/** Schema work needs an active connector at rest: nobody edits a schema while it is being read again. */
export function isConnectorActionAllowed(
  connector: { status: ConnectorStatus; schemaRefreshStatus: SchemaRefreshStatus },
  action: ConnectorAction,
): boolean {
  const schemaWork = action === "refreshSchema" || action === "editEntities" || action === "edit";
  if (schemaWork && connector.schemaRefreshStatus === "PROCESSING") return false;
  return ALLOWED_CONNECTOR_ACTIONS[connector.status].includes(action);
}

export const AuthMethod = z.strictObject({
  type: z.string(),
  label: z.string(),
  fields: z.array(InputDefinition),
});

/** A kind of system in the library. */
export const ConnectorType = z.strictObject({
  id: z.string(),
  displayName: z.string(),
  category: z.enum(["database", "api", "files"]),
  description: z.string(),
  icon: z.string(),
  backgroundColor: z.string(),
  helpUrl: z.string().optional(),
  configFields: z.array(InputDefinition),
  authMethods: z.array(AuthMethod),
  capabilities: z.array(z.string()),
});
export type ConnectorType = z.output<typeof ConnectorType>;

export const ConnectorMetadata = z.strictObject({
  id: z.string(),
  displayName: z.string(),
  icon: z.string(),
  backgroundColor: z.string(),
  capabilities: z.array(z.string()),
});

/** Why a connector is in ERROR: what happened and what the person can do about it. */
export const ConnectorProblem = z.strictObject({
  kind: z.string(),
  message: z.string(),
  hint: z.string().optional(),
});
export type ConnectorProblem = z.infer<typeof ConnectorProblem>;

export const SchemaProgress = z.strictObject({
  done: z.int(),
  /** null while the number of entities is not known yet. */
  total: z.int().nullable(),
  percentage: z.number().min(0).max(100),
  /** Api name of the entity just read. */
  entity: z.string().nullable(),
});
export type SchemaProgress = z.infer<typeof SchemaProgress>;

export const Connector = z.strictObject({
  id: id("connector"),
  /** The same as `id`; the name other parts of the API use for it. */
  connectorId: id("connector"),
  name: z.string(),
  status: ConnectorStatus,
  schemaRefreshStatus: SchemaRefreshStatus,
  /** The connector's type: `postgres`, `http`, `files`. */
  metadataId: z.string(),
  connectorMetaDefinitionId: z.string(),
  typeName: z.string(),
  metadata: ConnectorMetadata,
  iconUri: z.string(),
  backgroundColor: z.string(),
  draftId: z.string().nullable(),
  draftStatus: z.string().nullable(),
  custom: z.boolean(),
  httpSource: z.boolean(),
  webhook: z.boolean(),
  oauthRedirectUrl: z.string().nullable(),
  errorMessage: z.string().nullable(),
  errorDetails: ConnectorProblem.nullable(),
  /** Entities refreshed by themselves every hour. */
  autoSchemaSyncEntities: z.array(z.string()),
  entityCount: z.int(),
  schemaRefreshedAt: z.iso.datetime().nullable(),
  progress: SchemaProgress.nullable(),
  authType: z.string(),
  /** Which secret inputs are filled; their values never leave the server. */
  credentialFields: z.array(z.string()),
  version: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Connector = z.output<typeof Connector>;

export const ConnectorDetail = Connector.extend({
  config: Values,
  /** Credential inputs that are not secret (a user name), for the edit form. */
  credentialValues: z.record(z.string(), z.string()),
  entities: z.array(z.strictObject({ apiName: z.string(), displayName: z.string() })),
  /** Where it is used: published pipelines keep it from being deleted. */
  usedBy: z.array(z.strictObject({ entityId: z.string(), name: z.string(), published: z.boolean() })),
});
export type ConnectorDetail = z.output<typeof ConnectorDetail>;

export const ConnectorEntitySummary = z.strictObject({
  apiName: z.string(),
  displayName: z.string(),
  pluralName: z.string().optional(),
  description: z.string().optional(),
  readOnly: z.boolean(),
  status: z.enum(["ACTIVE", "INACTIVE"]),
  fieldCount: z.int(),
  idField: z.string().nullable(),
  watermarkField: z.string().nullable(),
  /** True when a person chose the field instead of the connector. */
  idFieldChosen: z.boolean(),
  watermarkFieldChosen: z.boolean(),
  /** Why it can't be used in a pipeline yet, e.g. no id field; null when it can. */
  problem: z.string().nullable(),
  refreshedAt: z.iso.datetime(),
});
export type ConnectorEntitySummary = z.output<typeof ConnectorEntitySummary>;

export const ConnectorEntity = ConnectorEntitySummary.extend({
  connectorId: id("connector"),
  /** With the chosen id and watermark fields marked. */
  schema: EntitySchema,
  /** Fields that may be chosen as id or watermark. */
  idCandidates: z.array(z.string()),
  watermarkCandidates: z.array(z.string()),
});
export type ConnectorEntity = z.output<typeof ConnectorEntity>;

export const SampleRecords = z.strictObject({
  fields: z.array(FieldSchema),
  records: z.array(z.strictObject({ id: z.string(), values: Values })),
  bad: z.array(z.strictObject({ place: z.string(), message: z.string(), excerpt: z.string().optional() })),
});

const name = z.string().trim().min(1, "give it a name").max(120);
const credentials = z.record(z.string().max(100), z.string().max(20_000));
const connection = {
  typeId: z.string().max(60),
  config: Values.default({}),
  authType: z.string().max(40),
  credentials: credentials.default({}),
};

export const CheckResult = z.strictObject({
  ok: z.boolean(),
  durationMs: z.number(),
  problem: ConnectorProblem.nullable(),
});
export type CheckResult = z.infer<typeof CheckResult>;

const at = z.strictObject({ connectorId: id("connector") });
const entityAt = z.strictObject({ connectorId: id("connector"), entityApiName: z.string().max(200) });

export const listConnectorTypes = endpoint({
  name: "listConnectorTypes",
  method: "GET",
  path: "/connector-types",
  access: "READ_CONNECTOR",
  scope: "none",
  summary: "The library: every kind of system that can be connected.",
  reply: z.strictObject({ types: z.array(ConnectorType) }),
});

export const listConnectors = endpoint({
  name: "listConnectors",
  method: "GET",
  path: "/connectors",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "All connectors of the instance, deleted ones left out.",
  reply: z.strictObject({ connectors: z.array(Connector) }),
});

export const getConnector = endpoint({
  name: "getConnector",
  method: "GET",
  path: "/connectors/:connectorId",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "One connector with its configuration, entities and uses; secrets are never included.",
  params: at,
  reply: ConnectorDetail,
});

export const createConnector = endpoint({
  name: "createConnector",
  method: "POST",
  path: "/connectors",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Adds a connector in status NEW. Nothing is called yet.",
  body: z.strictObject({ name, ...connection }),
  reply: ConnectorDetail,
  errors: ["name_taken", "outbound_refused"],
  creates: true,
});

export const updateConnector = endpoint({
  name: "updateConnector",
  method: "PATCH",
  path: "/connectors/:connectorId",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Changes name, configuration or credentials. Secret inputs that are left out keep their value.",
  params: at,
  body: z.strictObject({
    version: z.int(),
    name: name.optional(),
    config: Values.optional(),
    authType: z.string().max(40).optional(),
    credentials: credentials.optional(),
    autoSchemaSyncEntities: z.array(z.string().max(200)).max(1000).optional(),
  }),
  reply: ConnectorDetail,
  errors: ["name_taken", "stale_version", "invalid_state", "outbound_refused", "validation_failed"],
});

export const deleteConnector = endpoint({
  name: "deleteConnector",
  method: "DELETE",
  path: "/connectors/:connectorId",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Deletes a connector and its credentials. Refused while a published pipeline uses it.",
  params: at,
  reply: z.strictObject({ id: id("connector") }),
  errors: ["in_use", "connector_busy"],
});

export const testConnection = endpoint({
  name: "testConnection",
  method: "POST",
  path: "/connectors/test",
  access: "TEST_CONNECTION",
  scope: "instance",
  summary: "Tries a configuration before it is saved and says what is wrong with it.",
  body: z.strictObject({
    ...connection,
    /** Editing a saved connector: its stored secrets fill what is left out, if the host is one they were saved for. */
    connectorId: id("connector").optional(),
  }),
  reply: CheckResult,
  errors: ["outbound_refused"],
});

export const testConnector = endpoint({
  name: "testConnector",
  method: "POST",
  path: "/connectors/:connectorId/test",
  access: "TEST_CONNECTION",
  scope: "instance",
  summary: "Tries a saved connector and says what is wrong with it. Its status stays.",
  params: at,
  reply: CheckResult,
});

export const authenticateConnector = endpoint({
  name: "authenticateConnector",
  method: "POST",
  path: "/connectors/:connectorId/authenticate",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Signs in to the system: AUTHENTICATED when it worked, ERROR with the reason when not.",
  params: at,
  reply: ConnectorDetail,
  errors: ["connector_check_failed", "invalid_state"],
});

export const activateConnector = endpoint({
  name: "activateConnector",
  method: "POST",
  path: "/connectors/:connectorId/activate",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Reads the system's schema in the background and makes the connector ACTIVE.",
  params: at,
  reply: ConnectorDetail,
  errors: ["invalid_state"],
});

export const deactivateConnector = endpoint({
  name: "deactivateConnector",
  method: "POST",
  path: "/connectors/:connectorId/deactivate",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Takes a connector out of use. Pipelines that use it stop at their next cycle and say so.",
  params: at,
  reply: ConnectorDetail,
  errors: ["invalid_state"],
});

export const refreshConnectorSchema = endpoint({
  name: "refreshConnectorSchema",
  method: "POST",
  path: "/connectors/:connectorId/schema-refresh",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Reads the schema again in the background. Fields that are gone become INACTIVE.",
  params: at,
  body: z.strictObject({ only: z.array(z.string().max(200)).max(200).optional() }),
  reply: ConnectorDetail,
  errors: ["connector_not_active", "schema_refresh_running"],
});

export const listConnectorEntities = endpoint({
  name: "listConnectorEntities",
  method: "GET",
  path: "/connectors/:connectorId/entities",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "The entities a connector offers.",
  params: at,
  reply: z.strictObject({ entities: z.array(ConnectorEntitySummary) }),
});

export const getConnectorEntity = endpoint({
  name: "getConnectorEntity",
  method: "GET",
  path: "/connectors/:connectorId/entities/:entityApiName",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "One entity of a connector with its fields.",
  params: entityAt,
  reply: ConnectorEntity,
});

export const updateConnectorEntity = endpoint({
  name: "updateConnectorEntity",
  method: "PATCH",
  path: "/connectors/:connectorId/entities/:entityApiName",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Chooses the id and watermark fields of an entity; null goes back to what the connector found.",
  params: entityAt,
  body: z.strictObject({
    idField: z.string().max(200).nullable().optional(),
    watermarkField: z.string().max(200).nullable().optional(),
  }),
  reply: ConnectorEntity,
  errors: ["connector_not_active", "schema_refresh_running", "validation_failed"],
});

export const getSampleRecords = endpoint({
  name: "getSampleRecords",
  method: "GET",
  path: "/connectors/:connectorId/entities/:entityApiName/sample-records",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "The first records of an entity, read from the system now.",
  params: entityAt,
  query: z.strictObject({ count: z.coerce.number().int().min(1).max(50).default(10) }),
  reply: SampleRecords,
  errors: ["connector_not_active", "connector_check_failed"],
});

/** Calls a described list endpoint once, as the form is being filled, and proposes a schema from the answer. */
export const previewHttpEntity = endpoint({
  name: "previewHttpEntity",
  method: "POST",
  path: "/connectors/preview-http-entity",
  access: "TEST_CONNECTION",
  scope: "instance",
  summary: "Calls an HTTP entity's list endpoint once and proposes its fields from the answer.",
  body: z.strictObject({
    ...connection,
    connectorId: id("connector").optional(),
    /** An `HttpEntityConfig`, perhaps not complete yet. */
    entity: Values,
  }),
  reply: z.strictObject({
    status: z.int(),
    durationMs: z.number(),
    /** First part of the answer, as text. */
    bodyExcerpt: z.string(),
    /** Where lists of records were found in the answer, likeliest first. */
    recordSelectors: z.array(z.string()),
    recordCount: z.int(),
    proposed: z.array(z.record(z.string(), Value)),
    sample: z.array(Values),
    problem: ConnectorProblem.nullable(),
  }),
  errors: ["connector_check_failed", "validation_failed", "outbound_refused"],
});

/** A connector changed: created, edited, another status, schema refreshed, deleted. */
export const connectorChanged = event({
  name: "connectorChanged",
  channel: "instance",
  payload: z.strictObject({
    connectorId: id("connector"),
    status: ConnectorStatus,
    schemaRefreshStatus: SchemaRefreshStatus,
  }),
});

/** How far reading the schema has got. */
export const schemaRefreshProgress = event({
  name: "schemaRefreshProgress",
  channel: "instance",
  payload: SchemaProgress.extend({ connectorId: id("connector") }),
});
