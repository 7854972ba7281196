/** HTTP synapses: made as drafts, published, shared with instances, deleted. Connections of them are connectors. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { upload } from "../upload.ts";
import { ShareScope } from "./http-synapse-sharing.ts";
import {
  HttpSynapseSettings,
  type HttpSynapseSettingsInput,
  SYNAPSE_TYPES,
  SynapseName,
  VariableValues,
} from "./http-synapse-definition.ts";

/** NEW: a draft that was never published. APPROVED: published. ARCHIVED: published once, followed by another. */
export const SynapseVersionStatus = z.enum(["NEW", "APPROVED", "ARCHIVED"]);

/** NEW: never published; APPROVED: published without a draft. */
export const SynapseDraftStatus = z.enum(["NEW", "APPROVED", "APPROVED_WITH_DRAFT"]);

export const SynapseEntitySummary = z.strictObject({
  entityId: id("synapseEntity"),
  apiName: z.string(),
  displayName: z.string(),
  fieldCount: z.int(),
  /** Of create, read, update and delete. */
  operations: z.array(z.enum(["list", "getById", "create", "update", "delete"])),
  readsChanges: z.boolean(),
});
export type SynapseEntitySummary = z.output<typeof SynapseEntitySummary>;

const ids = {
  id: id("customSynapse"),
  /** The same as `id`; the names that other parts of the API have for it. */
  connectorMetaDefinitionId: id("customSynapse"),
  metadataId: id("customSynapse"),
  synapseType: z.enum(SYNAPSE_TYPES),
  name: z.string(),
  draftStatus: SynapseDraftStatus,
  /** The version that connections use; null: none was published. */
  publishedVersion: z.int().nullable(),
  /** null: there is no draft. */
  draftVersion: z.int().nullable(),
  publishedAt: z.iso.datetime().nullable(),
  iconUri: z.string(),
  shareScope: ShareScope,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

export const CustomSynapse = z.strictObject({
  ...ids,
  displayName: z.string(),
  description: z.string(),
  entityCount: z.int(),
  /** Connections of it in this instance. */
  connectionCount: z.int(),
});
export type CustomSynapse = z.output<typeof CustomSynapse>;

/** One version: the draft where there is one and no other is asked for. */
export const HttpSynapse = z.strictObject({
  ...ids,
  ...HttpSynapseSettings.shape,
  version: z.int(),
  status: SynapseVersionStatus,
  /** Counts the changes of the draft, of its entities too. */
  revision: z.int(),
  entities: z.array(SynapseEntitySummary),
  /** Values with which the draft is tested. */
  variableValues: VariableValues,
  /** Inputs of the authentication that are stored for tests; their values never leave the server. */
  credentialFields: z.array(z.string()),
});
export type HttpSynapse = z.output<typeof HttpSynapse>;

export const SynapseChange = z.strictObject({
  kind: z.enum([
    "entityRemoved",
    "entityAdded",
    "fieldRemoved",
    "fieldTypeChanged",
    "idFieldChanged",
    "operationRemoved",
    "addressChanged",
    "authenticationChanged",
    "variableRequired",
    "variableRemoved",
    /** One value became several, or several one. */
    "variableChanged",
    /** Calls of an entity, or the places of its fields. */
    "callChanged",
    /** The test call, headers, what an error says, the time limit. */
    "settingsChanged",
  ]),
  /** Whether connections may stop working by it. */
  isBreaking: z.boolean(),
  entity: z.string().nullable(),
  /** Field, operation or variable. */
  name: z.string().nullable(),
});
export type SynapseChange = z.output<typeof SynapseChange>;

const at = z.strictObject({ metadataId: id("customSynapse") });
const definedAt = z.strictObject({ connectorMetaDefinitionId: id("customSynapse") });
/** The draft as the caller knows it. */
const revision = z.int();
const credentials = z
  .record(z.string().max(100), z.string().max(20_000))
  .refine((values) => Object.keys(values).length <= 20, "has more than 20 values");

/** A part of a multipart body that holds JSON. */
const jsonText = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .max(200_000)
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: "is not valid JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);

const { shape } = HttpSynapseSettings;

export const listCustomSynapses = endpoint({
  name: "listCustomSynapses",
  method: "GET",
  path: "/custom-synapses",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "HTTP synapses of the instance, by name. Webhook synapses are connectors.",
  reply: z.strictObject({ synapses: z.array(CustomSynapse) }),
});

/** Settings from the parts of a form that were sent; those left out are as they are at first. */
export const settingsOf = (parts: HttpSynapseSettingsInput): HttpSynapseSettings => HttpSynapseSettings.parse(parts);

export const createHttpSynapse = endpoint({
  name: "createHttpSynapse",
  method: "POST",
  path: "/custom-synapses/http",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Makes an HTTP synapse as a draft. Lists and objects are sent as JSON texts; a blank body is left out.",
  bodyKind: "multipart",
  body: z.strictObject({
    name: SynapseName,
    displayName: shape.displayName,
    description: shape.description,
    endpoint: shape.endpoint,
    method: shape.method,
    testPath: shape.testPath,
    body: shape.body,
    headers: jsonText(shape.headers).optional(),
    authType: shape.authType,
    authConfig: jsonText(shape.authConfig).optional(),
    variables: jsonText(shape.variables).optional(),
    variableValues: jsonText(VariableValues).optional(),
    errorSelector: shape.errorSelector,
    timeoutSeconds: z.coerce.number().pipe(z.int().min(1).max(300)).default(30),
    iconFile: upload().optional(),
  }),
  reply: HttpSynapse,
  errors: ["name_taken", "validation_failed"],
  creates: true,
});

export const getHttpSynapse = endpoint({
  name: "getHttpSynapse",
  method: "GET",
  path: "/custom-synapses/http/:metadataId",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "An HTTP synapse: its draft, else what is published, or the version that is asked for.",
  params: at,
  query: z.strictObject({ version: z.coerce.number().int().min(1).optional() }),
  reply: HttpSynapse,
});

export const updateSynapseDraft = endpoint({
  name: "updateSynapseDraft",
  method: "PUT",
  path: "/custom-synapses/http/:metadataId/draft",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Changes the draft's settings and what it is tested with. Secrets that are left out keep their value.",
  params: at,
  body: z.strictObject({
    revision,
    settings: HttpSynapseSettings,
    variableValues: VariableValues.optional(),
    credentials: credentials.optional(),
  }),
  reply: HttpSynapse,
  errors: ["stale_version", "invalid_state", "validation_failed", "credential_host_changed"],
});

export const setSynapseIcon = endpoint({
  name: "setSynapseIcon",
  method: "PUT",
  path: "/custom-synapses/http/:metadataId/icon",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Replaces the synapse's icon by an image of 48 kB at most; without a file it has none of its own.",
  params: at,
  bodyKind: "multipart",
  body: z.strictObject({ iconFile: upload().optional() }),
  reply: HttpSynapse,
  errors: ["validation_failed", "forbidden"],
});

export const createSynapseDraft = endpoint({
  name: "createSynapseDraft",
  method: "POST",
  path: "/custom-synapses/http/:metadataId/create-draft",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Makes a draft of what is published.",
  params: at,
  body: z.strictObject({}),
  reply: HttpSynapse,
  errors: ["invalid_state"],
});

export const discardSynapseDraft = endpoint({
  name: "discardSynapseDraft",
  method: "POST",
  path: "/custom-synapses/http/:metadataId/discard-draft",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Discards the draft; what is published stays.",
  params: at,
  body: z.strictObject({ revision }),
  reply: HttpSynapse,
  errors: ["invalid_state", "stale_version"],
});

export const getSynapseChanges = endpoint({
  name: "getSynapseChanges",
  method: "GET",
  path: "/custom-synapses/http/:metadataId/changes",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "What publishing the draft changes, and which connections and pipelines use what it removes.",
  params: at,
  reply: z.strictObject({
    changes: z.array(SynapseChange),
    /** What keeps the draft from being published, by field. */
    problems: z.array(z.strictObject({ path: z.string(), message: z.string() })),
    connections: z.array(
      z.strictObject({
        connectorId: id("connector"),
        name: z.string(),
        /** Pipelines of it that use an entity that changes in a breaking way. */
        pipelines: z.array(z.strictObject({ entityId: z.string(), name: z.string() })),
      }),
    ),
    /** Connections in other instances. */
    connectionsElsewhere: z.int(),
  }),
  errors: ["invalid_state"],
});

export const publishSynapseDraft = endpoint({
  name: "publishSynapseDraft",
  method: "POST",
  path: "/custom-synapses/http/:metadataId/publish",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Makes the draft the version that connections use, and reads their schemas again.",
  params: at,
  /** `acceptBreaking`: also where connections may stop working. */
  body: z.strictObject({ revision, acceptBreaking: z.boolean().default(false) }),
  reply: HttpSynapse,
  errors: ["invalid_state", "stale_version", "validation_failed", "forbidden", "breaking_changes"],
});

export const deleteHttpSynapse = endpoint({
  name: "deleteHttpSynapse",
  method: "DELETE",
  path: "/custom-synapses/http/:connectorMetaDefinitionId",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Deletes an HTTP synapse that no connection of any instance uses.",
  params: definedAt,
  reply: z.strictObject({ id: id("customSynapse") }),
  errors: ["in_use", "forbidden"],
});
