/** State of trying a record in one open editor: what was chosen, what came of it, and whether that still holds. Pure. */
import type { TriedRecord } from "@accord/contracts/sync/tests/try-record";
import { createStore } from "zustand/vanilla";
import type { ChosenRecord, KeptChoice } from "./try.model.ts";

export interface TryState {
  chosen: ChosenRecord | null;
  /** The node at which the run ends; null: it goes through the whole graph. */
  untilNodeId: string | null;
  /** The newest one; of an older graph or record while it is not current. */
  result: TriedRecord | null;
  /** It was made of the graph and the record on screen. */
  isCurrent: boolean;
  isComputing: boolean;
  error: unknown;
  /** Counts the times that a person asked to run it again. */
  asked: number;
}

export interface TryActions {
  choose(chosen: ChosenRecord | null): void;
  runTo(nodeId: string | null): void;
  runAgain(): void;
  /** The graph was edited: what is shown is older than it. */
  outdate(): void;
  begin(): void;
  done(result: TriedRecord): void;
  failed(error: unknown): void;
}

export type TryStore = ReturnType<typeof createTryStore>;

/** What is shown is older than what was asked for. */
const OLDER = { isCurrent: false, error: null };
const NOTHING = { result: null, isCurrent: false, isComputing: false, error: null };

export function createTryStore(kept: KeptChoice | null = null) {
  return createStore<TryState & TryActions>((set) => ({
    ...NOTHING,
    chosen: kept?.record ?? null,
    untilNodeId: kept?.untilNodeId ?? null,
    asked: 0,
    choose: (next) => set({ ...NOTHING, chosen: next }),
    runTo: (untilNodeId) => set((state) => (state.untilNodeId === untilNodeId ? state : { ...OLDER, untilNodeId })),
    runAgain: () => set(({ asked }) => ({ asked: asked + 1 })),
    outdate: () => set((state) => (state.isCurrent || state.error ? { isCurrent: false, error: null } : state)),
    begin: () => set({ isCurrent: false, isComputing: true, error: null }),
    done: (result) => set({ result, isCurrent: true, isComputing: false, error: null }),
    failed: (error) => set({ isCurrent: false, isComputing: false, error }),
  }));
}
