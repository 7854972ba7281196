/** Fields behind the nodes of a graph: those that connected places offer, and the values that picklists offer. */
import { z } from "zod";
import { PicklistOption } from "../data/schema.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { GraphVersion } from "./pipelines.ts";

export const PicklistField = z.strictObject({
  apiName: z.string(),
  displayName: z.string(),
  values: z.array(PicklistOption),
  /** Api name of the field that its values depend on, null: of none; only told on `sendPicklistGroup`. */
  group: z.string().nullable().optional(),
});
export type PicklistField = z.output<typeof PicklistField>;

export const getNodePicklistValues = endpoint({
  name: "getNodePicklistValues",
  method: "GET",
  path: "/pipelines/:entityId/nodeId/:nodeId/fields/picklistValues",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Picklist fields behind a node with their values; all, one, or those that depend on one.",
  params: z.strictObject({ entityId: id("entity"), nodeId: z.string().min(1).max(64) }),
  query: z.strictObject({
    graphVersion: GraphVersion.default("draft"),
    /** `field`: this one. `controlling`: those whose values depend on it. */
    dependantType: z.enum(["field", "controlling"]).optional(),
    dependantId: z.string().max(200).optional(),
    sendPicklistGroup: z.enum(["true", "false"]).default("false"),
  }),
  reply: z.strictObject({ fields: z.array(PicklistField) }),
});

/** A field that a field pipeline may read from or write to: one of a place in the entity pipeline. */
export const ConnectorField = z.strictObject({
  /** The place's node and the field. */
  id: z.string(),
  connectorId: id("connector"),
  connectorName: z.string(),
  connectorEntity: z.string(),
  label: z.string(),
  name: z.string(),
  type: z.enum(["SOURCE", "SINK"]),
  iconPath: z.string(),
});
export type ConnectorField = z.output<typeof ConnectorField>;

export const listConnectorFields = endpoint({
  name: "listConnectorFields",
  method: "GET",
  path: "/pipelines/:entityId/graph/:graphVersion/connectorFields",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Fields of the places in an entity pipeline: what its field pipelines may read from and write to.",
  params: z.strictObject({ entityId: id("entity"), graphVersion: GraphVersion }),
  reply: z.strictObject({ fields: z.array(ConnectorField) }),
});
