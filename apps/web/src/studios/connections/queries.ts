/** What the synapse screens ask the server, and which pushed messages make its answers old. */
import type { Id, ReplyOf } from "@accord/contracts";
import {
  connectorChanged,
  getConnector,
  getConnectorEntity,
  listConnectorEntities,
  listConnectors,
  listConnectorTypes,
  schemaRefreshProgress,
  type SchemaProgress,
} from "@accord/contracts/connections/connectors";
import { getConnectorSignIn } from "@accord/contracts/connections/oauth-sign-in";
import { useState } from "react";
import type { PaletteEntry } from "../../app/palette.ts";
import { endpointQuery, keyOf, polling, queryClient, refreshOn, useEndpoint } from "../../app/queries.ts";
import { useEvent } from "../../app/realtime.ts";

export type ConnectorId = Id<"connector">;
export const asConnectorId = (text: string): ConnectorId => text as ConnectorId;

/** Everything that a change of a connector makes old. */
export const CONNECTOR_READS = [
  listConnectors,
  getConnector,
  getConnectorSignIn,
  listConnectorEntities,
  getConnectorEntity,
] as const;

refreshOn(connectorChanged, [...CONNECTOR_READS]);

export const useConnectorTypes = () => useEndpoint(listConnectorTypes, {}, { staleTime: 300_000 });
export const useConnectors = () => useEndpoint(listConnectors, {}, polling());
export const useConnector = (connectorId: ConnectorId) =>
  useEndpoint(getConnector, { params: { connectorId } }, polling());
export const useConnectorSignIn = (connectorId: ConnectorId) =>
  useEndpoint(getConnectorSignIn, { params: { connectorId } }, polling());
export const useConnectorEntities = (connectorId: ConnectorId) =>
  useEndpoint(listConnectorEntities, { params: { connectorId } });
export const useConnectorEntity = (connectorId: ConnectorId, entityApiName: string) =>
  useEndpoint(getConnectorEntity, { params: { connectorId, entityApiName } });

/** Takes a deleted connector out of the list in hand, so that it does not show again until the next reading. */
export function invalidateConnector(connectorId: ConnectorId): void {
  queryClient.setQueriesData<ReplyOf<typeof listConnectors>>({ queryKey: keyOf(listConnectors) }, (old) =>
    old ? { connectors: old.connectors.filter(({ id }) => id !== connectorId) } : old,
  );
}

/** How far the schema has been read: the last pushed message, else what the server stored. */
export function useSchemaProgress(connectorId: ConnectorId, stored: SchemaProgress | null): SchemaProgress | null {
  const [pushed, setPushed] = useState<SchemaProgress | null>(null);
  useEvent(schemaRefreshProgress, ({ connectorId: of, ...progress }) => {
    if (of === connectorId) setPushed(progress);
  });
  if (!pushed) return stored;
  return !stored || pushed.done >= stored.done ? pushed : stored;
}

export async function connectorName(id: string): Promise<string> {
  const query = endpointQuery(getConnector, { params: { connectorId: asConnectorId(id) } });
  return (await queryClient.ensureQueryData(query)).name;
}

export async function connectorPaletteEntries(text: string): Promise<PaletteEntry[]> {
  const { connectors } = await queryClient.ensureQueryData(endpointQuery(listConnectors));
  const wanted = text.trim().toLowerCase();
  return connectors
    .filter(({ name, typeName }) => `${name} ${typeName}`.toLowerCase().includes(wanted))
    .slice(0, 6)
    .map(({ id, name, typeName }) => ({ id, label: name, description: typeName, to: `/synapses/connections/${id}` }));
}
