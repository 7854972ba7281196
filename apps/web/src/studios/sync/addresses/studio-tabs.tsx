/** Tabs of the studio; the entity that is looked at comes along where a tab is about entities. */
import type { Id } from "@accord/contracts";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../app/words.ts";
import { STUDIO_TABS, type StudioTab } from "./last-tab.ts";
import "./entity-pages.css";

interface StudioTabsProps {
  current: StudioTab | "actions";
  entityId: Id<"entity"> | undefined;
}

export function StudioTabs({ current, entityId }: StudioTabsProps) {
  const { t } = useWords("sync");
  return (
    <nav className="ac-entity-pages" aria-label={t("addresses.tabs")}>
      {STUDIO_TABS.map((tab) => {
        const isCurrent = tab === current ? "page" : undefined;
        return entityId ? (
          <Link key={tab} aria-current={isCurrent} to={`/sync-studio/${tab}/$entityId`} params={{ entityId }}>
            {t(`addresses.tab_${tab}`)}
          </Link>
        ) : (
          <Link key={tab} aria-current={isCurrent} to={`/sync-studio/${tab}`}>
            {t(`addresses.tab_${tab}`)}
          </Link>
        );
      })}
      <Link aria-current={current === "actions" ? "page" : undefined} to="/sync-studio/actions">
        {t("addresses.tab_actions")}
      </Link>
    </nav>
  );
}
