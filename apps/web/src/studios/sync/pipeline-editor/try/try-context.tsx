/** Hands what is tried to the parts of the editor, keeps the choice for the tab, and runs it again after each edit. */
import type { Id } from "@accord/contracts";
import {
  tryFieldRecord,
  tryRecord,
  type TriedRecord,
  type TryRecordBody,
} from "@accord/contracts/sync/tests/try-record";
import { nodeById } from "@accord/sync-engine/graph";
import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from "react";
import { useStore } from "zustand";
import { call, type CallOptions } from "../../../../app/api.ts";
import { keepInTab, readInTab } from "../../../../shared/browser-storage.ts";
import { useEditorStore } from "../editor-context.tsx";
import type { EditorStore } from "../editor.model.ts";
import { type FieldScope, useFieldScope } from "../field-pipeline/field-scope.ts";
import { KeptChoice, runsAlike } from "./try.model.ts";
import { createTryStore, type TryActions, type TryState, type TryStore } from "./try-store.ts";

const TryContext = createContext<TryStore | null>(null);

/** Stands where nothing can be tried: an older version, or a test of another part. */
const NEVER_TRIED = createTryStore();

export const useTryStore = (): TryStore => useContext(TryContext) ?? NEVER_TRIED;

/** Whether what is shown can be tried by this person. */
export const useMayTry = (): boolean => useContext(TryContext) !== null;

/** One slice; the component renders again only when it changes. */
export function useTried<Slice>(select: (state: TryState & TryActions) => Slice): Slice {
  return useStore(useTryStore(), select);
}

/** Ends the run at a node, and shows what comes of it there; undefined where nothing can be tried. */
export function useRunTo(): ((nodeId: string) => void) | undefined {
  const store = useTryStore();
  const editor = useEditorStore();
  const mayTry = useMayTry();
  const runTo = useCallback(
    (nodeId: string) => {
      store.getState().runTo(nodeId);
      editor.getState().select([nodeId]);
      editor.getState().show(store.getState().chosen ? "configure" : "try");
    },
    [editor, store],
  );
  return mayTry ? runTo : undefined;
}

/** A pause in typing. */
const DEBOUNCE_MS = 350;

/** What was tried on a draft is nothing that the published version did: each has a choice of its own. */
const keyOf = (userId: string, of: string, graphVersion: string): string =>
  `accord-tried-record ${userId} ${of} ${graphVersion}`;

interface ProviderProps {
  entityId: Id<"entity">;
  /** Whose choice is kept. */
  userId: string;
  /** The version that is shown can be tried by this person. */
  isOffered: boolean;
  children: ReactNode;
}

export function TryProvider({ entityId, userId, isOffered, children }: ProviderProps) {
  const editor = useEditorStore();
  const scope = useFieldScope();
  const [graphVersion] = useState(() => editor.getState().opened.graphVersion);
  const key = keyOf(userId, scope?.fieldId ?? entityId, graphVersion);
  const [store] = useState(() => createTryStore(readInTab(key, KeptChoice)));
  useEffect(() => {
    if (!isOffered) return;
    const run = (body: TryRecordBody, options: CallOptions) => tryIn(entityId, scope, body, options);
    return followEdits({ run, editor, store, onChosen: (kept) => keepInTab(key, kept) });
  }, [editor, entityId, isOffered, key, scope, store]);
  return <TryContext value={isOffered ? store : null}>{children}</TryContext>;
}

/** A field pipeline is tried beside the version of the entity pipeline that it is edited beside. */
function tryIn(
  entityId: Id<"entity">,
  scope: FieldScope | null,
  body: TryRecordBody,
  options: CallOptions,
): Promise<TriedRecord> {
  if (!scope) return call(tryRecord, { params: { id: entityId }, body }, options);
  const { fieldId, entityVersion } = scope;
  return call(tryFieldRecord, { params: { id: fieldId }, body: { ...body, graphVersion: entityVersion } }, options);
}

interface Follow {
  run: (body: TryRecordBody, options: CallOptions) => Promise<TriedRecord>;
  editor: EditorStore;
  store: TryStore;
  onChosen: (kept: KeptChoice | null) => void;
}

/** Answers how to stop. Runs nothing while a node is dragged, and cancels the older run where a newer one begins. */
function followEdits({ run: tryOn, editor, store, onChosen }: Follow): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;

  const cancel = (): void => {
    clearTimeout(timer);
    running?.abort();
    running = undefined;
  };
  const run = async (): Promise<void> => {
    const { chosen, untilNodeId } = store.getState();
    if (!chosen) return;
    const { graph, opened } = editor.getState();
    // Of a node that was removed since, the whole graph is run.
    const until = untilNodeId !== null && nodeById(graph, untilNodeId) ? { untilNodeId } : {};
    const own = new AbortController();
    running = own;
    store.getState().begin();
    try {
      const body = { graph, nodeId: chosen.nodeId, record: chosen.record, graphVersion: opened.graphVersion, ...until };
      const options = { background: true, signal: own.signal };
      const result = await tryOn(body, options);
      if (running === own) store.getState().done(result);
    } catch (error) {
      if (running === own) store.getState().failed(error);
    }
  };
  const schedule = (pauseMs: number): void => {
    cancel();
    if (!store.getState().chosen) return;
    timer = setTimeout(() => void run(), pauseMs);
  };

  const stopEditing = editor.subscribe((state, before) => {
    if (state.graph === before.graph || !store.getState().chosen) return;
    if (runsAlike(state.graph, before.graph)) return;
    store.getState().outdate();
    schedule(DEBOUNCE_MS);
  });
  const stopChoosing = store.subscribe((state, before) => {
    const { chosen: record, untilNodeId } = state;
    const isOther = record !== before.chosen || untilNodeId !== before.untilNodeId;
    if (isOther) onChosen(record && { record, untilNodeId });
    if (isOther || state.asked !== before.asked) schedule(0);
  });
  schedule(0);
  return () => {
    stopEditing();
    stopChoosing();
    cancel();
  };
}
