/** Names the field pipelines whose drafts go along with the draft of their entity pipeline. */
import type { Id } from "@accord/contracts";
import { useWords } from "../../../../app/words.ts";
import { QueryError } from "../../../../shared/query-view.tsx";
import { useFieldPipelines } from "../queries.ts";

interface Props {
  entityId: Id<"entity">;
  by: "discard" | "restore";
}

/** Nothing where no field pipeline has a draft. */
export function FieldDraftsLost({ entityId, by }: Props) {
  const { t } = useWords("sync");
  const list = useFieldPipelines(entityId);
  if (list.isError) return <QueryError error={list.error} onRetry={() => void list.refetch()} />;
  const names = (list.data?.fields ?? []).filter(({ draft }) => draft !== null).map(({ displayName }) => displayName);
  if (names.length === 0) return null;
  const fields = names.join(", ");
  return <p>{t(by === "discard" ? "editor.discardFieldDrafts" : "versions.replaceFieldDrafts", { fields })}</p>;
}
