/** Makes graph elements from what a person picks in the palette. */
import type { FragmentContent, FragmentContext } from "@accord/contracts/sync/fragments";
import { GraphNode } from "@accord/contracts/sync/graph";
import { DEFAULT_LOCATION, type Point } from "@accord/sync-engine/graph";

/** Id of a new node, edge or group: 24 hexadecimal characters. */
export function newElementId(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, 24);
}

/** One thing that can be placed: a connected entity on either side, a function, or a saved fragment. */
export type PaletteItem = NodeItem | FragmentItem | NoteItem;
export type NodeItem = PlaceItem | FunctionItem;

/** Text on the canvas. */
export interface NoteItem {
  kind: "note";
}

export interface FragmentItem {
  kind: "fragment";
  name: string;
  context: FragmentContext;
  content: FragmentContent;
}

export interface PlaceItem {
  kind: "source" | "sink";
  connectorId: string;
  connectorName: string;
  entity: string;
  entityName: string;
  /** In a field pipeline: the field that is read or written. */
  field?: { apiName: string; label: string } | undefined;
}

export interface FunctionItem {
  kind: "function" | "action";
  apiName: string;
  label: string;
  defaults: Record<string, unknown>;
  /** Placed with it: the End loop of a For each. */
  closing?: FunctionItem | undefined;
}

const isPlace = (item: NodeItem): item is PlaceItem => item.kind === "source" || item.kind === "sink";

const MAX_LABEL = 120;

export const PALETTE_MIME = "application/x-accord-palette-item";

export function nodeFrom(item: NodeItem, location: Point = DEFAULT_LOCATION): GraphNode {
  const id = newElementId();
  if (isPlace(item) && item.field) {
    const label = `${item.connectorName} ${item.field.label}`.slice(0, MAX_LABEL);
    return GraphNode.parse({
      id,
      nodeType: item.kind === "source" ? "ATTRIBUTE_SOURCE" : "ATTRIBUTE_SINK",
      label,
      name: label,
      configuration: {
        connectorId: item.connectorId,
        entityDefinition: item.entity,
        attributeDefinition: item.field.apiName,
      },
      location,
    });
  }
  if (isPlace(item)) {
    return GraphNode.parse({
      id,
      nodeType: item.kind === "source" ? "ENTITY_SOURCE" : "ENTITY_SINK",
      label: `${item.connectorName} ${item.entityName}`,
      name: `${item.connectorName} ${item.entityName}`,
      displayName: item.entityName,
      connectorEntityName: item.entityName,
      configuration: { connectorId: item.connectorId, entityDefinition: item.entity, fieldMappings: [] },
      location,
    });
  }
  return GraphNode.parse({
    id,
    nodeType: item.kind === "function" ? "FUNCTION" : "ACTION",
    apiName: item.apiName,
    label: item.label,
    name: item.label,
    displayName: item.label,
    configuration: item.defaults,
    location,
  });
}
