/** Ways between the pages of one pipeline. */
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../app/words.ts";
import "./entity-pages.css";

const PAGES = ["pipeline", "versions", "documentation", "pipeline-logs", "metrics", "settings"] as const;
export type EntityPage = (typeof PAGES)[number];

export function EntityPages({ entityId, current }: { entityId: string; current: EntityPage }) {
  const { t } = useWords("sync");
  return (
    <nav className="ac-entity-pages" aria-label={t("addresses.pages")}>
      {PAGES.map((page) => (
        <Link
          key={page}
          to={`/sync-studio/entity/$entityId/${page}`}
          params={{ entityId }}
          aria-current={page === current ? "page" : undefined}
        >
          {t(`addresses.page_${page}`)}
        </Link>
      ))}
    </nav>
  );
}
