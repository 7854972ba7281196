/** Entities of HTTP synapses, and what helps to describe them: a schema from an answer, kinds of paging. */
import { z } from "zod";
import { Value, Values } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { HttpEntityConfig } from "./http-entity.ts";
import { SynapseEntity } from "./http-synapse-definition.ts";
import { SynapseVersionStatus } from "./http-synapses.ts";

const at = z.strictObject({ metadataId: id("customSynapse") });
const entityAt = z.strictObject({ metadataId: id("customSynapse"), entityId: id("synapseEntity") });
/** The draft where there is one and none is named. */
const version = z.strictObject({ version: z.coerce.number().int().min(1).optional() });

export const listSynapseEntities = endpoint({
  name: "listSynapseEntities",
  method: "GET",
  path: "/custom-synapses/http/:metadataId/entities",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "Entities of one version of an HTTP synapse, as they are described.",
  params: at,
  query: version,
  reply: z.strictObject({ version: z.int(), status: SynapseVersionStatus, entities: z.array(SynapseEntity) }),
});

export const getSynapseEntity = endpoint({
  name: "getSynapseEntity",
  method: "GET",
  path: "/custom-synapses/http/:metadataId/entities/:entityId",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "One entity of a version.",
  params: entityAt,
  query: version,
  reply: SynapseEntity,
});

export const createSynapseEntity = endpoint({
  name: "createSynapseEntity",
  method: "POST",
  path: "/custom-synapses/http/:metadataId/entities",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Adds an entity to the draft.",
  params: at,
  body: z.strictObject({ config: HttpEntityConfig }),
  reply: SynapseEntity,
  errors: ["invalid_state", "validation_failed", "name_taken"],
  creates: true,
});

export const updateSynapseEntity = endpoint({
  name: "updateSynapseEntity",
  method: "PUT",
  path: "/custom-synapses/http/:metadataId/entities/:entityId",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Changes an entity of the draft.",
  params: entityAt,
  body: z.strictObject({ revision: z.int(), config: HttpEntityConfig }),
  reply: SynapseEntity,
  errors: ["invalid_state", "stale_version", "validation_failed", "name_taken"],
});

export const deleteSynapseEntity = endpoint({
  name: "deleteSynapseEntity",
  method: "DELETE",
  path: "/custom-synapses/http/:metadataId/entities/:entityId",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Takes an entity out of the draft.",
  params: entityAt,
  /** The entity as the caller knows it. */
  query: z.strictObject({ revision: z.coerce.number().int() }),
  reply: z.strictObject({ entityId: id("synapseEntity") }),
  errors: ["invalid_state", "stale_version"],
});

export const generateSynapseEntitySchema = endpoint({
  name: "generateSynapseEntitySchema",
  method: "POST",
  path: "/custom-synapses/http/entity-schema",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "Proposes fields, with the likely id and time of change marked, from a JSON answer.",
  body: z.strictObject({
    /** The answer, as text. */
    json: z.string().max(2_000_000),
    recordSelector: z.string().max(500).default(""),
  }),
  reply: z.strictObject({
    recordSelectors: z.array(z.string()),
    /** The one that was used. */
    recordSelector: z.string(),
    recordCount: z.int(),
    /** Each an `HttpField`. */
    fields: z.array(z.record(z.string(), Value)),
    sample: z.array(Values),
  }),
  errors: ["validation_failed"],
});

export const listSynapsePaginationOptions = endpoint({
  name: "listSynapsePaginationOptions",
  method: "GET",
  path: "/custom-synapses/http/pagination-options",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "Kinds of paging that an entity's list can have, with their settings as they are at first.",
  reply: z.strictObject({
    options: z.array(z.strictObject({ kind: z.string(), label: z.string(), settings: Values })),
  }),
});
