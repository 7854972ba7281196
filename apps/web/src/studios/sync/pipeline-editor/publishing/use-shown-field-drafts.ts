/** The field drafts that the publish dialog shows: they stay as they were read until the person looks at what changed since. */
import type { Id } from "@accord/contracts";
import { type FieldChoice, FieldDraftChange, type FieldDraftRevisions } from "@accord/contracts/sync/field-choice";
import type { FieldPipelineRow } from "@accord/contracts/sync/field-pipelines";
import { useState } from "react";
import { z } from "zod";
import { isStale } from "../../../../app/api-error.ts";
import { useFieldPipelinesNow } from "../queries.ts";
import { changesSince, draftsIn, takenOf } from "./shown-field-drafts.ts";

/** What the server refuses to publish because it is not what was shown. */
const Refusal = z.object({ fieldPipelines: z.array(FieldDraftChange) });

const changesIn = (error: Error | null): readonly FieldDraftChange[] | undefined =>
  isStale(error) ? Refusal.safeParse(error.details).data?.fieldPipelines : undefined;

/** Said beside the drafts themselves, until they were looked at. */
export const isOfFieldDrafts = (error: Error | null): boolean => changesIn(error) !== undefined;

export interface ShownFieldDrafts {
  /** Undefined until they are read. */
  rows: readonly FieldPipelineRow[] | undefined;
  /** What became of those that would be published. */
  changes: readonly FieldDraftChange[];
  /** What is published with this choice. */
  revisions: FieldDraftRevisions;
  /** Shows them as they stand now. */
  lookAgain: () => Promise<void>;
}

/** `error`: of the last try at publishing; it may name drafts that changed before this window was notified. */
export function useShownFieldDrafts(
  entityId: Id<"entity">,
  choice: FieldChoice,
  error: Error | null,
): ShownFieldDrafts {
  const list = useFieldPipelinesNow(entityId);
  const [shown, setShown] = useState<readonly FieldPipelineRow[]>();
  const [seenError, setSeenError] = useState<Error | null>(null);
  const now = draftsIn(list.data?.fields);
  const isRead = list.isFetchedAfterMount || list.isError;
  if (!shown && isRead) setShown(now);
  const named = error === seenError ? undefined : changesIn(error);
  const rows = shown ?? [];
  return {
    rows: shown,
    changes: named ?? (shown ? changesSince(rows, now, choice) : []),
    revisions: takenOf(rows, choice).map(({ id, draft }) => ({ fieldId: id, revision: draft?.revision ?? 0 })),
    lookAgain: async () => {
      const { data } = await list.refetch();
      setSeenError(error);
      setShown(draftsIn(data?.fields));
    },
  };
}
