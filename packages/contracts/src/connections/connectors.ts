/** Connectors (synapses): endpoints of the library, connections and entities, and what the server pushes about them. */
import { z } from "zod";
import { Value, Values } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { event } from "../event.ts";
import { id } from "../ids.ts";
import {
  CheckResult,
  Connector,
  ConnectorDetail,
  ConnectorEntity,
  ConnectorEntitySummary,
  ConnectorProblem,
  ConnectorStatus,
  ConnectorType,
  SampleRecords,
  SchemaProgress,
  SchemaRefreshStatus,
} from "./connector-shapes.ts";
import { RedirectName } from "./oauth-sign-in.ts";

export * from "./connector-shapes.ts";

const name = z.string().trim().min(1, "give it a name").max(120);
const credentials = z
  .record(z.string().max(100), z.string().max(20_000))
  .refine((values) => Object.keys(values).length <= 100, "has more than 100 values");
const settings = Values.refine((config) => Object.keys(config).length <= 1_000, "has more than 1,000 settings");
const connection = {
  typeId: z.string().max(60),
  config: settings.default({}),
  authType: z.string().max(40),
  credentials: credentials.default({}),
};

const at = z.strictObject({ connectorId: id("connector") });
const entityAt = z.strictObject({ connectorId: id("connector"), entityApiName: z.string().max(200) });

export const listConnectorTypes = endpoint({
  name: "listConnectorTypes",
  method: "GET",
  path: "/connector-types",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary:
    "The library: every kind of system that can be connected, with where the instance's files lie and below which address systems send people back to who signed in there.",
  reply: z.strictObject({ types: z.array(ConnectorType), oauthRedirectUrl: z.string() }),
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
  body: z.strictObject({
    name,
    ...connection,
    /** Of the redirect address that was shown before; absent: one is made up. */
    oauthRedirectName: RedirectName.optional(),
  }),
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
    config: settings.optional(),
    authType: z.string().max(40).optional(),
    credentials: credentials.optional(),
    autoSchemaSyncEntities: z.array(z.string().max(200)).max(1000).optional(),
    /** Instead of the shared redirect address one of its own: the next sign-in needs it in the system's app. */
    ownRedirectAddress: z.literal(true).optional(),
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
  access: "READ_CONNECTOR",
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
  access: "READ_CONNECTOR",
  payload: SchemaProgress.extend({ connectorId: id("connector") }),
});
