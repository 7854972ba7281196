/** The bar over every screen: where one is, search, live mark, bell, colour scheme, account. */
import { ActionIcon, Avatar, Menu, Tooltip, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { signOut } from "@accord/contracts/identity/sign-in";
import { ShortcutHint, StatusTag } from "@accord/ui";
import {
  IconChevronRight,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMenu2,
  IconMoon,
  IconSearch,
  IconSun,
  IconUser,
} from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { call } from "../../app/api.ts";
import { useCrumbName } from "../../app/crumb-names.ts";
import { usePageStore, type Crumb } from "../../app/page.ts";
import { closeStream, useStreamState } from "../../app/realtime.ts";
import { useSession } from "../../app/session.ts";
import { useWords } from "../../app/words.ts";
import { Bell } from "./bell.tsx";
import { openPalette } from "./palette-view.tsx";
import "./top-bar.css";

export interface TopBarProps {
  onOpenNav: () => void;
  onShortcuts: () => void;
}

export function TopBar({ onOpenNav, onShortcuts }: TopBarProps) {
  const { t } = useWords();
  return (
    <header className="ac-bar">
      <ActionIcon className="ac-bar__menu" aria-label={t("nav.open")} onClick={onOpenNav}>
        <IconMenu2 size={18} />
      </ActionIcon>
      <Crumbs />
      <div className="ac-bar__end">
        <LiveMark />
        <UnstyledButton className="ac-bar__search" onClick={() => openPalette()}>
          <IconSearch size={15} aria-hidden />
          <span>{t("bar.searchOrJump")}</span>
          <ShortcutHint keys="mod+k" />
        </UnstyledButton>
        <Bell />
        <SchemeSwitch />
        <Account onShortcuts={onShortcuts} />
      </div>
    </header>
  );
}

function CrumbWords({ crumb }: { crumb: Crumb }) {
  const named = "kind" in crumb;
  const name = useCrumbName(named ? crumb.kind : undefined, named ? crumb.id : crumb.label);
  return <>{name}</>;
}

function Crumbs() {
  const { t } = useWords();
  const crumbs = usePageStore(({ page }) => page.crumbs);
  return (
    <nav className="ac-crumbs" aria-label={t("bar.breadcrumbs")}>
      <ol>
        {crumbs.map((crumb, index) => {
          const last = index === crumbs.length - 1;
          const key = "kind" in crumb ? `${crumb.kind}:${crumb.id}` : crumb.label;
          return (
            <li key={`${index}:${key}`}>
              {index > 0 ? <IconChevronRight size={13} aria-hidden /> : null}
              {last || crumb.to === undefined ? (
                <span aria-current={last ? "page" : undefined}>
                  <CrumbWords crumb={crumb} />
                </span>
              ) : (
                <Link to={crumb.to} search={crumb.search ?? {}} activeOptions={{ exact: true }}>
                  <CrumbWords crumb={crumb} />
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function LiveMark() {
  const { t } = useWords();
  const state = useStreamState();
  if (state === "off") return null;
  const live = state === "live";
  return (
    <Tooltip label={live ? t("bar.liveHint") : t("bar.reconnectingHint")}>
      <span className="ac-bar__live" role="status" tabIndex={0}>
        <StatusTag tone={live ? "ok" : "warn"} plain busy={!live}>
          <span>{live ? t("bar.live") : t("bar.reconnecting")}</span>
        </StatusTag>
      </span>
    </Tooltip>
  );
}

const SCHEMES = [
  { value: "light", icon: IconSun },
  { value: "dark", icon: IconMoon },
  { value: "auto", icon: IconDeviceDesktop },
] as const;

function SchemeSwitch() {
  const { t } = useWords();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = SCHEMES.find(({ value }) => value === colorScheme)?.icon ?? IconDeviceDesktop;
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={t("bar.theme")}>
          <Current size={18} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map(({ value, icon: SchemeIcon }) => (
          <Menu.Item
            key={value}
            leftSection={<SchemeIcon size={16} />}
            aria-current={value === colorScheme || undefined}
            onClick={() => setColorScheme(value)}
          >
            {t(value === "auto" ? "bar.system" : `bar.${value}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Account({ onShortcuts }: { onShortcuts: () => void }) {
  const { t } = useWords();
  const session = useSession();
  const navigate = useNavigate();
  const name = `${session.firstName} ${session.lastName}`.trim();
  const leave = async () => {
    closeStream();
    // Signing out must get one out even when the call fails; a new page holds nothing of the old session.
    await call(signOut, { body: {} }).catch(() => {});
    location.assign("/login");
  };
  return (
    <Menu width={220}>
      <Menu.Target>
        <UnstyledButton className="ac-bar__account">
          <span className="ac-hidden">{t("bar.account", { name })}</span>
          <Avatar src={session.photo} alt="" size={28} color="brand" variant="light" aria-hidden>
            {`${session.firstName.slice(0, 1)}${session.lastName.slice(0, 1)}`.toUpperCase()}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className="ac-bar__who">
          <strong>{name}</strong>
          <span>{session.email}</span>
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<IconUser size={16} />} onClick={() => void navigate({ href: "/profile" })}>
          {t("bar.profile")}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKeyboard size={16} />}
          rightSection={<ShortcutHint keys="?" />}
          onClick={onShortcuts}
        >
          {t("bar.shortcuts")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
          {t("bar.signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
