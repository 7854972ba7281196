/** Entries of a field pipeline's palette beside its functions: fields of the systems that the entity pipeline reads and writes. */
import type { Connector } from "@accord/contracts/connections/connectors";
import type { ConnectorField } from "@accord/contracts/sync/node-fields";
import type { Id } from "@accord/contracts";
import { useMemo } from "react";
import type { PaletteEntry } from "../palette/palette-entry.ts";
import { useConnectorFields, useConnectors } from "../queries.ts";
import { useFieldScope } from "./field-scope.ts";

const NONE: readonly ConnectorField[] = [];

export function fieldEntry(field: ConnectorField, connector: Connector | undefined): PaletteEntry {
  return {
    key: `${field.type} ${field.id}`,
    label: field.label,
    words: `${field.connectorName} ${field.connectorEntity} ${field.name}`,
    help: `${field.connectorName} · ${field.connectorEntity}.${field.name}`,
    item: {
      kind: field.type === "SOURCE" ? "source" : "sink",
      connectorId: field.connectorId,
      connectorName: field.connectorName,
      entity: field.connectorEntity,
      entityName: field.connectorEntity,
      field: { apiName: field.name, label: field.label },
    },
    ...(connector ? { connector } : {}),
  };
}

/** None while an entity pipeline is open. */
export function useFieldEntries(entityId: Id<"entity">): readonly PaletteEntry[] {
  const isField = useFieldScope() !== null;
  const fields = useConnectorFields(entityId).data?.fields ?? NONE;
  const connectors = useConnectors().data?.connectors;
  return useMemo(
    () =>
      isField
        ? fields.map((field) =>
            fieldEntry(
              field,
              connectors?.find(({ id }) => id === field.connectorId),
            ),
          )
        : [],
    [connectors, fields, isField],
  );
}
