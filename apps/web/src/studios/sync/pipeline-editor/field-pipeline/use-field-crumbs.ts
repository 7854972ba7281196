/** Title of a page of a field pipeline, and the way back to the entity pipeline and the node that led here. */
import type { Id } from "@accord/contracts";
import { useSearch } from "@tanstack/react-router";
import type { Crumb } from "../../../../app/page.ts";
import { useWords } from "../../../../app/words.ts";
import { useEntityPage } from "../../addresses/use-entity-page.ts";
import type { EditorSearch } from "../editor-search.ts";

export function useFieldCrumbs(entityId: Id<"entity">, title: string, field: string): void {
  const { t } = useWords("sync");
  const { fromNode }: EditorSearch = useSearch({ strict: false });
  const to = `/sync-studio/entity/${entityId}/pipeline`;
  const search: Crumb["search"] = fromNode ? { focusNodeId: fromNode } : {};
  useEntityPage(entityId, title, { label: t("editor.crumb"), to, search }, { label: field });
}
