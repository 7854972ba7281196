/** Checks the draft as it is edited, shortly after the latest edit and never during a drag. */
import { type ConnectorEntity, getConnectorEntity } from "@accord/contracts/connections/connectors";
import { type CustomAction, listCustomActions } from "@accord/contracts/sync/actions";
import type { Graph } from "@accord/contracts/sync/graph";
import type { Id } from "@accord/contracts";
import { isCustomAction, isSink, isSource } from "@accord/sync-engine/graph";
import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { endpointQuery, useEndpoint } from "../../../../app/queries.ts";
import { useEditor, useEditorStore, useReadOnly } from "../editor-context.tsx";
import { useFieldScope } from "../field-pipeline/field-scope.ts";
import { useConnectors, useCoreEntity } from "../queries.ts";
import { placeKey, type KnownPlace, type KnownWorld } from "./check-graph.ts";
import type { CheckRequest } from "./check-graph.worker.ts";
import { type Found, isOnlyMoved } from "./shown-problems.ts";

/** A word is typed to its end first. */
const PAUSE_MS = 300;

export function useLiveCheck(entityId: Id<"entity">): void {
  const store = useEditorStore();
  const readOnly = useReadOnly();
  const isDragging = useEditor((state) => state.isDragging);
  const graph = useEditor((state) => state.graph);
  const world = useKnownWorld(entityId);
  const checked = useRef<{ graph: Graph; world: KnownWorld }>(undefined);
  const checker = useRef<Checker>(undefined);
  /** Found during a drag: shown after it, because drawing anew would take the node out of the hand. */
  const held = useRef<Found>(undefined);
  useEffect(() => {
    if (isDragging || !held.current) return;
    store.getState().setFound(held.current);
    held.current = undefined;
  }, [isDragging, store]);
  useEffect(
    () => () => {
      checker.current?.stop();
      checker.current = undefined;
      checked.current = undefined;
    },
    [],
  );
  useEffect(() => {
    if (readOnly || isDragging || !world) return;
    const before = checked.current;
    if (before?.world === world && isOnlyMoved(before.graph, graph)) return;
    const timer = setTimeout(() => {
      checked.current = { graph, world };
      checker.current ??= new Checker((found) => {
        if (store.getState().isDragging) held.current = found;
        else store.getState().setFound(found);
      });
      checker.current.check({ graph, world });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [graph, isDragging, readOnly, store, world]);
}

/** One check at a time; of graphs that come meanwhile only the newest is checked next. */
class Checker {
  readonly #worker = new Worker(new URL("./check-graph.worker.ts", import.meta.url), { type: "module" });
  #isBusy = false;
  #next: CheckRequest | undefined;

  constructor(onFound: (found: Found) => void) {
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Found>) => {
      this.#isBusy = false;
      const next = this.#next;
      this.#next = undefined;
      // An answer about a graph that is no longer there is not shown.
      if (next) this.check(next);
      else onFound(data);
    });
    // Without the worker the server is asked, as for publishing.
    this.#worker.addEventListener("error", () => (this.#isBusy = false));
  }

  check(request: CheckRequest): void {
    if (this.#isBusy) {
      this.#next = request;
      return;
    }
    this.#isBusy = true;
    this.#worker.postMessage(request);
  }

  stop(): void {
    this.#worker.terminate();
  }
}

const together = (results: readonly UseQueryResult<ConnectorEntity, Error>[]) => ({
  isPending: results.some(({ isPending }) => isPending),
  isKnown: results.every(({ isSuccess }) => isSuccess),
  found: results.map(({ data }) => data),
});

/** What the rules must know; undefined until it has been read. */
function useKnownWorld(entityId: Id<"entity">): KnownWorld | undefined {
  const scope = useFieldScope();
  const entityGraph = scope?.entityGraph;
  const field = scope?.field;
  const ownKeys = useEditor((state) => placesIn(state.graph));
  const keys = entityGraph ? placesIn(entityGraph) : ownKeys;
  const wanted = useMemo(() => keys.split("\n").flatMap((key) => (key === "" ? [] : [key])), [keys]);
  const entity = useCoreEntity(entityId).data;
  const connectors = useConnectors();
  const places = useQueries({
    queries: wanted.map((key) => {
      const [connectorId = "", entityApiName = ""] = key.split(" ");
      return { ...endpointQuery(getConnectorEntity, { params: { connectorId, entityApiName } }), staleTime: 60_000 };
    }),
    combine: together,
  });
  const performsActions = useEditor((state) => state.graph.nodes.some(isCustomAction));
  const actions = useEndpoint(listCustomActions, {}, { enabled: performsActions });
  const isPending = !entity || connectors.isPending || places.isPending || (performsActions && actions.isPending);
  const list = connectors.data?.connectors;
  const listed = actions.data?.actions;
  return useMemo(() => {
    if (!entity || isPending) return undefined;
    const known = new Map<string, KnownPlace>();
    for (const [index, found] of places.found.entries()) {
      const connector = list?.find(({ id }) => id === found?.connectorId);
      const key = wanted[index];
      if (found && connector && key)
        known.set(key, { connectorName: connector.name, status: connector.status, entity: found });
    }
    const { apiName, displayName, fields } = entity;
    const isKnown = list !== undefined && places.isKnown;
    const ofField = field && entityGraph && { field, entityGraph };
    const customActions = performsActions ? factsOf(listed) : NO_ACTIONS;
    return { coreEntity: { apiName, displayName, fields }, places: isKnown ? known : null, customActions, ofField };
  }, [entity, entityGraph, field, isPending, list, listed, performsActions, places, wanted]);
}

const NO_ACTIONS: KnownWorld["customActions"] = new Map();

/** What the rules need of them: the worker gets a copy. */
const factsOf = (actions: readonly CustomAction[] | undefined): KnownWorld["customActions"] =>
  actions ? new Map(actions.map(({ id, displayName, variables }) => [id, { displayName, variables }])) : null;

/** Keys of the places that a graph reads and writes, one a line: compared by value. */
function placesIn(graph: Graph): string {
  const keys = graph.nodes.flatMap((node) => {
    const { connectorId, entityDefinition } = node.configuration;
    return (isSource(node) || isSink(node)) && connectorId && entityDefinition
      ? [placeKey(connectorId, entityDefinition)]
      : [];
  });
  return [...new Set(keys)].sort().join("\n");
}
