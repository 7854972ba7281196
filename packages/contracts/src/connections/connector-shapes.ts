/** What a connector (synapse) is: its type in the library, statuses and what each allows, entities, problems, progress. */
import { z } from "zod";
import { InputDefinition } from "../config/inputs.ts";
import { EntitySchema, FieldSchema } from "../data/schema.ts";
import { Values } from "../data/values.ts";
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
  /** Inputs of the configuration that only this method needs. */
  settings: z.array(InputDefinition).optional(),
});

/** A kind of system in the library. */
export const ConnectorType = z.strictObject({
  id: z.string(),
  displayName: z.string(),
  category: z.enum(["application", "database", "api", "files"]),
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
  /** Last part of the redirect address of a sign-in at the system; null: the shared address of older connections. */
  oauthRedirectName: z.string().nullable(),
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

/**
 * The system compares and writes in one step; Accord reads and compares right before; or nothing is compared.
 */
export const WRITE_COMPARISONS = ["conditional", "checked", "unchecked"] as const;
export type WriteComparison = (typeof WRITE_COMPARISONS)[number];

export const ConnectorEntity = ConnectorEntitySummary.extend({
  connectorId: id("connector"),
  /** With the chosen id and watermark fields marked. */
  schema: EntitySchema,
  /** Fields that may be chosen as id or watermark. */
  idCandidates: z.array(z.string()),
  watermarkCandidates: z.array(z.string()),
  /** How sure it is that a write overwrites no newer edit; null where nothing is changed or deleted. */
  writeComparison: z.enum(WRITE_COMPARISONS).nullable(),
});
export type ConnectorEntity = z.output<typeof ConnectorEntity>;

export const SampleRecords = z.strictObject({
  fields: z.array(FieldSchema),
  records: z.array(z.strictObject({ id: z.string(), values: Values })),
  bad: z.array(
    z.strictObject({
      place: z.string(),
      /** The record's own id, where it could be made out. */
      id: z.string().optional(),
      message: z.string(),
      excerpt: z.string().optional(),
    }),
  ),
});

export const CheckResult = z.strictObject({
  ok: z.boolean(),
  durationMs: z.number(),
  problem: ConnectorProblem.nullable(),
});
export type CheckResult = z.infer<typeof CheckResult>;
