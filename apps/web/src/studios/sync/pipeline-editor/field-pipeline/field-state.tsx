/** What is known of the pipeline of one field, in tags: published, draft, changed, ready. */
import { StatusTag, type Tone } from "@accord/ui";
import type { FieldPipelineRow } from "@accord/contracts/sync/field-pipelines";
import { useWords } from "../../../../app/words.ts";

type FieldState = Pick<FieldPipelineRow, "hasPublished" | "draft">;
type StateWord = "published" | "changed" | "draft" | "ready" | "notReady";

/** The states of a field pipeline in the order in which they are shown; none where there is no field pipeline. */
export function fieldStates({ hasPublished, draft }: FieldState): StateWord[] {
  return [
    ...(hasPublished ? (["published"] as const) : []),
    ...(draft ? ([hasPublished ? (draft.hasChanges ? "changed" : "draft") : "draft"] as const) : []),
    ...(draft ? ([draft.ready ? "ready" : "notReady"] as const) : []),
  ];
}

const TONES: Record<StateWord, Tone> = {
  published: "ok",
  changed: "warn",
  draft: "warn",
  ready: "ok",
  notReady: "idle",
};

export function FieldStateTags({ field }: { field: FieldState }) {
  const { t } = useWords("sync");
  return fieldStates(field).map((state) => (
    <StatusTag key={state} tone={TONES[state]} plain>
      {state === "draft" ? t("editor.draft") : t(`fieldPipeline.${state}`)}
    </StatusTag>
  ));
}
