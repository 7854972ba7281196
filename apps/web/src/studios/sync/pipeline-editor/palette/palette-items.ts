/** Everything that can be placed, as one list that can be searched: functions, actions, and entities of connected systems. */
import {
  listConnectorEntities,
  type Connector,
  type ConnectorEntitySummary,
} from "@accord/contracts/connections/connectors";
import { type CustomAction, listCustomActions } from "@accord/contracts/sync/actions";
import type { FunctionDescription } from "@accord/contracts/sync/palette";
import type { Id } from "@accord/contracts";
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { endpointQuery, useEndpoint } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import type { FunctionItem, PlaceItem } from "../canvas/new-node.ts";
import { useFieldEntries } from "../field-pipeline/field-entries.ts";
import { useFragmentEntries } from "../fragments/fragment-entries.ts";
import { useFieldScope } from "../field-pipeline/field-scope.ts";
import { useConnectors, usePalette } from "../queries.ts";
import type { PaletteEntry } from "./palette-entry.ts";

const defaultsOf = (item: FunctionDescription): Record<string, unknown> =>
  Object.fromEntries(
    item.inputs.flatMap((input) => (input.defaultValue === undefined ? [] : [[input.name, input.defaultValue]])),
  );

export function functionItem(item: FunctionDescription, all: readonly FunctionDescription[]): FunctionItem {
  const closing = item.name === "forEach" ? all.find((other) => other.name === "endLoop") : undefined;
  return {
    kind: item.kind === "ACTION" ? "action" : "function",
    apiName: item.name,
    label: item.label,
    defaults: defaultsOf(item),
    ...(closing ? { closing: functionItem(closing, all) } : {}),
  };
}

/** Whether records can be written there at all: read-only systems are no destinations. */
export const isWritable = (connector: Connector, entity: ConnectorEntitySummary): boolean =>
  !entity.readOnly && connector.metadata.capabilities.some((each) => each === "create" || each === "update");

export const systemItem = (
  kind: "source" | "sink",
  connector: Connector,
  entity: { apiName: string; displayName: string },
): PlaceItem => ({
  kind,
  connectorId: connector.id,
  connectorName: connector.name,
  entity: entity.apiName,
  entityName: entity.displayName,
});

export function usePaletteEntries(entityId: Id<"entity">): PaletteEntry[] {
  const palette = usePalette(entityId).data;
  const connectors = useConnectors().data?.connectors;
  const custom = useEndpoint(listCustomActions).data?.actions;
  const isField = useFieldScope() !== null;
  const fieldEntries = useFieldEntries(entityId);
  const fragmentEntries = useFragmentEntries();
  const note = useNoteEntry();
  const active = useMemo(
    () => (isField ? [] : (connectors ?? []).filter(({ status }) => status === "ACTIVE")),
    [connectors, isField],
  );
  const entities = useQueries({
    queries: active.map(({ id }) => endpointQuery(listConnectorEntities, { params: { connectorId: id } })),
    combine: (results) => results.map((result) => result.data?.entities ?? []),
  });
  return useMemo(() => {
    const functions = [...(palette?.functions ?? []), ...(palette?.actions ?? [])];
    const steps = functions.map((each): PaletteEntry => ({
      key: each.name,
      label: each.label,
      words: `${each.helpSummary} ${each.family}`,
      help: each.helpSummary,
      item: functionItem(each, functions),
      family: each.family,
    }));
    const systems = active.flatMap((connector, index) =>
      (entities[index] ?? [])
        .filter((entity) => entity.status === "ACTIVE")
        .flatMap((entity) =>
          (["source", "sink"] as const)
            .filter((kind) => kind === "source" || isWritable(connector, entity))
            .map((kind): PaletteEntry => ({
              key: `${kind} ${connector.id} ${entity.apiName}`,
              label: entity.displayName,
              words: `${connector.name} ${entity.apiName}`,
              help: "",
              item: systemItem(kind, connector, entity),
              connector,
            })),
        ),
    );
    return [...steps, ...customEntries(custom ?? [], functions), ...fragmentEntries, note, ...systems, ...fieldEntries];
  }, [active, custom, entities, fieldEntries, fragmentEntries, note, palette]);
}

export function useNoteEntry(): PaletteEntry {
  const { t } = useWords("sync");
  return useMemo(
    () => ({ key: "note", label: t("note.name"), words: t("note.help"), help: t("note.help"), item: { kind: "note" } }),
    [t],
  );
}

const CUSTOM_ACTION = "customAction";

/** Each custom action as a node that performs it. */
function customEntries(actions: readonly CustomAction[], functions: readonly FunctionDescription[]): PaletteEntry[] {
  const definition = functions.find(({ name }) => name === CUSTOM_ACTION);
  if (!definition) return [];
  const item = functionItem(definition, functions);
  return actions.map(({ id, apiName, displayName, description, iconPath, tags }) => ({
    key: `custom ${id}`,
    label: displayName,
    words: [apiName, description, ...tags].join(" "),
    help: description,
    item: { ...item, label: displayName, defaults: { ...item.defaults, actionId: id } },
    actionIcon: iconPath,
  }));
}

/** Entries that hold every word of the text; those whose name begins with it come first, then those whose name has it. */
export function searchEntries<Entry extends { label: string; words: string }>(
  entries: readonly Entry[],
  text: string,
): Entry[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [...entries];
  const parts = wanted.split(/\s+/);
  const rank = ({ label, words }: Entry): number => {
    const name = label.toLowerCase();
    if (name === wanted) return 0;
    if (name.startsWith(wanted)) return 1;
    if (parts.every((part) => name.includes(part))) return 2;
    return parts.every((part) => `${name} ${words.toLowerCase()}`.includes(part)) ? 3 : 4;
  };
  return entries
    .map((entry, index) => ({ entry, index, rank: rank(entry) }))
    .filter((each) => each.rank < 4)
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ entry }) => entry);
}
