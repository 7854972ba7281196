/** Ways between the pages of one pipeline. */
import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
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

/** The same ways where a row of links has no room: over the graph. */
export function EntityPagesMenu({ entityId }: { entityId: string }) {
  const { t } = useWords("sync");
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={t("addresses.pages")} openDelay={500}>
          <ActionIcon variant="default" size={30} aria-label={t("addresses.pages")}>
            <IconDots size={16} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {PAGES.filter((page) => page !== "pipeline").map((page) => (
          <Menu.Item
            key={page}
            renderRoot={(props) => (
              <Link to={`/sync-studio/entity/$entityId/${page}`} params={{ entityId }} {...props} />
            )}
          >
            {t(`addresses.page_${page}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
