/** Schema studio: entities and fields of the unified model, their drafts, publishing and where they are used. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { event } from "../event.ts";
import { id } from "../ids.ts";
import { CoreEntity, CoreField, CoreFieldInput, VersionState } from "./entities.ts";
import { ApiName } from "./schema.ts";

/** `draft` shows unpublished changes where there are any, else the published version. */
const VersionChoice = z.enum(["published", "draft"]);

const EntityPath = z.strictObject({ entityId: id("entity") });
const FieldPath = z.strictObject({ entityId: id("entity"), fieldId: id("field") });

/** The revision the changes were made on. */
const Revision = z.int().nonnegative();

const EntityProperties = z.strictObject({
  displayName: z.string().trim().min(1).max(120),
  pluralName: z.string().trim().min(1).max(120).optional(),
  description: z.string().max(1000).default(""),
  tags: z.array(z.string().trim().min(1).max(40)).max(20).default([]),
  nameField: z.string().nullable().default(null),
});

export const CreateEntityBody = EntityProperties.extend({
  apiName: ApiName,
  fields: z.array(CoreFieldInput).max(500).default([]),
  /** Makes the records' table at once; otherwise the entity stays a draft. */
  publish: z.boolean().default(false),
});
export type CreateEntityBody = z.output<typeof CreateEntityBody>;

export const listEntities = endpoint({
  name: "listEntities",
  method: "GET",
  path: "/entities",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Entities of the unified model with their fields.",
  query: z.strictObject({ version: VersionChoice.default("published") }),
  reply: z.strictObject({ entities: z.array(CoreEntity) }),
});

export const getEntity = endpoint({
  name: "getEntity",
  method: "GET",
  path: "/entities/:entityId",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "One entity with its fields, as published or as its draft.",
  params: EntityPath,
  query: z.strictObject({ version: VersionChoice.default("published") }),
  reply: CoreEntity,
});

export const listEntityFields = endpoint({
  name: "listEntityFields",
  method: "GET",
  path: "/entities/:entityId/fields",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Fields of one entity, as published or as in its draft.",
  params: EntityPath,
  query: z.strictObject({ version: VersionChoice.default("published") }),
  reply: z.strictObject({ fields: z.array(CoreField) }),
});

export const EntityVersion = z.strictObject({
  version: z.int(),
  state: VersionState,
  fields: z.int(),
  updatedAt: z.iso.datetime(),
  updatedBy: z.string(),
  publishedAt: z.iso.datetime().nullable(),
  publishedBy: z.string().nullable(),
});

export const listEntityVersions = endpoint({
  name: "listEntityVersions",
  method: "GET",
  path: "/entities/:entityId/versions",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Versions of an entity's schema, the newest first.",
  params: EntityPath,
  reply: z.strictObject({ versions: z.array(EntityVersion) }),
});

export const createEntity = endpoint({
  name: "createEntity",
  method: "POST",
  path: "/entities",
  access: "WRITE_STUDIO",
  scope: "instance",
  creates: true,
  summary: "Makes an entity of the unified model.",
  body: CreateEntityBody,
  reply: CoreEntity,
  errors: ["name_taken"],
});

export const createEntityFromConnector = endpoint({
  name: "createEntityFromConnector",
  method: "POST",
  path: "/entities/from-connector",
  access: "WRITE_STUDIO",
  scope: "instance",
  creates: true,
  summary:
    "Makes an entity from one of a connector's: the chosen fields, with references to entities that exist already.",
  body: z.strictObject({
    connectorId: id("connector"),
    entityApiName: z.string().min(1).max(200),
    /** Connector field api names; all when absent. */
    fields: z.array(z.string().min(1).max(200)).max(500).optional(),
    apiName: ApiName.optional(),
    displayName: z.string().trim().min(1).max(120).optional(),
    publish: z.boolean().default(false),
  }),
  reply: CoreEntity,
  errors: ["name_taken", "connector_not_active"],
});

export const saveEntity = endpoint({
  name: "saveEntity",
  method: "PUT",
  path: "/entities/:entityId",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Saves an entity's names and description in its draft; makes the draft when there is none.",
  params: EntityPath,
  body: EntityProperties.extend({ revision: Revision }),
  reply: CoreEntity,
  errors: ["stale_version"],
});

export const deleteEntity = endpoint({
  name: "deleteEntity",
  method: "DELETE",
  path: "/entities/:entityId",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Deletes an entity with its records. Refused while anything uses it.",
  params: EntityPath,
  reply: z.strictObject({}),
  errors: ["in_use"],
});

export const createEntityDraft = endpoint({
  name: "createEntityDraft",
  method: "POST",
  path: "/entities/:entityId/draft",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Opens a draft over the published version; answers the draft that is there already.",
  params: EntityPath,
  body: z.strictObject({}),
  reply: CoreEntity,
});

export const discardEntityDraft = endpoint({
  name: "discardEntityDraft",
  method: "DELETE",
  path: "/entities/:entityId/draft",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Throws the draft away. An entity never published is deleted with it.",
  params: EntityPath,
  reply: z.strictObject({ entity: CoreEntity.nullable() }),
  errors: ["invalid_state"],
});

export const publishEntity = endpoint({
  name: "publishEntity",
  method: "POST",
  path: "/entities/:entityId/publish",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Makes the draft the published version and brings the records' table to it.",
  params: EntityPath,
  body: z.strictObject({ revision: Revision }),
  reply: CoreEntity,
  errors: ["invalid_state", "stale_version", "in_use"],
});

export const createField = endpoint({
  name: "createField",
  method: "POST",
  path: "/entities/:entityId/fields",
  access: "WRITE_STUDIO",
  scope: "instance",
  creates: true,
  summary: "Adds a field to an entity's draft; makes the draft when there is none.",
  params: EntityPath,
  body: CoreFieldInput,
  reply: CoreEntity,
  errors: ["name_taken"],
});

export const saveField = endpoint({
  name: "saveField",
  method: "PUT",
  path: "/entities/:entityId/fields/:fieldId",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Saves a field in an entity's draft; makes the draft when there is none.",
  params: FieldPath,
  body: CoreFieldInput.extend({ revision: Revision }),
  reply: CoreEntity,
  errors: ["name_taken", "stale_version", "in_use"],
});

export const deleteField = endpoint({
  name: "deleteField",
  method: "DELETE",
  path: "/entities/:entityId/fields/:fieldId",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Takes a field out of an entity's draft. Refused while anything uses it, with the list of uses.",
  params: FieldPath,
  reply: CoreEntity,
  errors: ["in_use"],
});

/** One place that needs an entity or a field. */
export const SchemaUse = z.strictObject({
  kind: z.enum(["pipeline", "reference", "savedFilter", "dataset", "dashboard", "rule"]),
  /** For people: “Pipeline Account”. */
  name: z.string(),
  /** Address of it in the browser, when it has one. */
  href: z.string().nullable().default(null),
});
export type SchemaUse = z.output<typeof SchemaUse>;

export const listEntityUses = endpoint({
  name: "listEntityUses",
  method: "GET",
  path: "/entities/:entityId/uses",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "What uses an entity, or one of its fields.",
  params: EntityPath,
  query: z.strictObject({ fieldId: id("field").optional() }),
  reply: z.strictObject({ uses: z.array(SchemaUse) }),
});

/** An entity's schema changed: created, saved, published, discarded or deleted. */
export const entitySchemaChanged = event({
  name: "entitySchemaChanged",
  channel: "instance",
  access: "READ_STUDIO",
  payload: z.strictObject({ entityId: id("entity"), published: z.boolean() }),
});
