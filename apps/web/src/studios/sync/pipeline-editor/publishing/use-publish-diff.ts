/** Compares the draft with what is published, page by page, as long as it is shown. */
import type { Id } from "@accord/contracts";
import type { FieldChoice } from "@accord/contracts/sync/field-choice";
import { type DIFF_ORDERS, diffBeforePublish, type PublishDiff } from "@accord/contracts/sync/tests/publish-diff";
import { useEffect, useState } from "react";
import { call } from "../../../../app/api.ts";
import { isThrough, joinPages, nextCount } from "./publish-diff.model.ts";

export interface PublishDiffState {
  status: "computing" | "done" | "stopped" | "failed" | "changed";
  /** As far as it is computed. */
  diff: PublishDiff | null;
  error: unknown;
}

/** Which records, and how many. */
export interface Chosen {
  wanted: number;
  order: (typeof DIFF_ORDERS)[number];
  /** Drafts of field pipelines that would be published. */
  fieldPipelines: FieldChoice;
}

export interface Comparison extends PublishDiffState, Chosen {
  /** Begins anew. */
  compare: (change: Partial<Chosen>) => void;
  stop: () => void;
}

const BEGUN: PublishDiffState = { status: "computing", diff: null, error: null };

export const FIRST_CHOSEN: Chosen = { wanted: 100, order: "latest", fieldPipelines: "ready" };

/** Each new object in `run` begins anew. `isHeld`: waits before the first call. */
export function usePublishDiff(
  entityId: Id<"entity">,
  run: Chosen,
  setRun: (run: Chosen) => void,
  { isHeld = false }: { isHeld?: boolean } = {},
): Comparison {
  const [state, setState] = useState(BEGUN);
  const [shownRun, setShownRun] = useState(run);
  if (shownRun !== run) {
    setShownRun(run);
    setState(BEGUN);
  }
  const isRunning = state.status === "computing" && !isHeld;
  useEffect(() => {
    if (!isRunning) return;
    const controller = new AbortController();
    void compareAll(entityId, run, controller.signal, (next) => controller.signal.aborted || setState(next));
    return () => controller.abort();
  }, [entityId, run, isRunning]);
  return {
    ...state,
    ...run,
    compare: (change) => setRun({ ...run, ...change }),
    stop: () => setState((now) => (now.status === "computing" ? { ...now, status: "stopped" } : now)),
  };
}

async function compareAll(
  entityId: Id<"entity">,
  { wanted, order, fieldPipelines }: Chosen,
  signal: AbortSignal,
  show: (state: PublishDiffState) => void,
): Promise<void> {
  let diff: PublishDiff | null = null;
  try {
    do {
      const cursor: string | null = diff?.cursor ?? null;
      const body = { order, fieldPipelines, records: nextCount(diff, wanted), ...(cursor === null ? {} : { cursor }) };
      const page: PublishDiff = await call(
        diffBeforePublish,
        { params: { id: entityId }, body },
        { background: true, signal },
      );
      if (diff && page.versions !== diff.versions) return show({ status: "changed", diff, error: null });
      diff = joinPages(diff, page);
      show({ status: "computing", diff, error: null });
    } while (!isThrough(diff, wanted));
    show({ status: "done", diff, error: null });
  } catch (error) {
    show({ status: "failed", diff, error });
  }
}
