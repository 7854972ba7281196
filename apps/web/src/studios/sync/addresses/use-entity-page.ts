/** Title of a page of one pipeline, and the crumbs that lead to it. */
import { type Crumb, usePage } from "../../../app/page.ts";
import { useWords } from "../../../app/words.ts";

/** `crumbs`: what follows the entity, the page itself last. */
export function useEntityPage(entityId: string, title: string, ...crumbs: Crumb[]): void {
  const { t } = useWords("sync");
  usePage({
    title,
    crumbs: [
      { label: t("title"), to: "/sync-studio" },
      { kind: "entity", id: entityId, to: `/sync-studio/details/${entityId}` },
      ...crumbs,
    ],
  });
}
