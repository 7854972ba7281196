/** The sidebar: product, working instance, studios; folds to icons, and lies over the page on narrow screens. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";
import { isWithin, NAV, type NavEntry } from "../../app/nav.ts";
import { can, useSession } from "../../app/session.ts";
import { useWords } from "../../app/words.ts";
import { InstanceSwitcher } from "./instance-switcher.tsx";
import { Mark, ProductName } from "./mark.tsx";
import "./sidebar.css";

export interface SidebarProps {
  folded: boolean;
  onFold: () => void;
  /** Closes the overlay on narrow screens after something was chosen. */
  onChosen: () => void;
}

export function Sidebar({ folded, onFold, onChosen }: SidebarProps) {
  const { t } = useWords();
  const session = useSession();
  const { pathname } = useLocation();
  const shown = NAV.filter((entry) => entry.permissions.length === 0 || can(session, ...entry.permissions));
  const entryOf = (entry: NavEntry) => {
    const here = isWithin(pathname, entry);
    return (
      <li key={entry.to}>
        <Tooltip label={t(entry.label)} position="right" disabled={!folded} openDelay={200}>
          <Link
            to={entry.to}
            className="ac-nav__entry"
            data-here={here || undefined}
            aria-current={here ? "page" : undefined}
            onClick={onChosen}
          >
            <entry.icon size={18} stroke={1.7} aria-hidden />
            <span>{t(entry.label)}</span>
          </Link>
        </Tooltip>
      </li>
    );
  };
  return (
    <nav className="ac-nav" aria-label={t("nav.label")} data-folded={folded || undefined}>
      <div className="ac-nav__product">
        <Link to="/" className="ac-nav__home" onClick={onChosen}>
          <Mark />
          <ProductName />
        </Link>
      </div>
      <InstanceSwitcher folded={folded} />
      <ul className="ac-nav__list">{shown.filter(({ place }) => place === "main").map(entryOf)}</ul>
      <ul className="ac-nav__list ac-nav__foot">{shown.filter(({ place }) => place === "foot").map(entryOf)}</ul>
      <Tooltip label={folded ? t("nav.expand") : t("nav.collapse")} position="right">
        <ActionIcon
          className="ac-nav__fold"
          variant="transparent"
          aria-label={folded ? t("nav.expand") : t("nav.collapse")}
          aria-expanded={!folded}
          onClick={onFold}
        >
          {folded ? <IconLayoutSidebarLeftExpand size={18} /> : <IconLayoutSidebarLeftCollapse size={18} />}
        </ActionIcon>
      </Tooltip>
    </nav>
  );
}
