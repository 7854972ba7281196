/** Pages of Settings: for its screen and for Ctrl-K. */
import type { Permission } from "@accord/contracts";
import {
  IconApi,
  IconBuildingCommunity,
  IconColumns3,
  IconExternalLink,
  IconHistory,
  IconMail,
  IconShare,
  IconUser,
  IconUsers,
  type Icon,
} from "@tabler/icons-react";
import type { PaletteEntry } from "../../../app/palette.ts";
import { can, loadSession, type Session } from "../../../app/session.ts";
import { words } from "../../../app/words.ts";

export interface SettingsPage {
  id: "users" | "instances" | "outbox" | "audit" | "sharing" | "mirror" | "external" | "profile" | "api";
  to: string;
  icon: Icon;
  permissions: readonly Permission[];
  /** A page of the server rather than a screen of the app. */
  external?: true;
}

export const SETTINGS_PAGES: readonly SettingsPage[] = [
  { id: "users", to: "/user", icon: IconUsers, permissions: ["LIST_USERS"] },
  { id: "instances", to: "/instance", icon: IconBuildingCommunity, permissions: ["LIST_INSTANCES"] },
  { id: "sharing", to: "/insights-studio/sharing", icon: IconShare, permissions: ["READ_ALLOWED_DOMAINS"] },
  { id: "mirror", to: "/insights-studio/mirror", icon: IconColumns3, permissions: ["READ_INSIGHTS"] },
  { id: "external", to: "/insights-studio/external-view", icon: IconExternalLink, permissions: ["SERVICE_CREDENTIAL"] },
  { id: "outbox", to: "/settings/outbox", icon: IconMail, permissions: ["READ_OUTBOX"] },
  { id: "audit", to: "/settings/audit-log", icon: IconHistory, permissions: ["LIST_USERS"] },
  { id: "profile", to: "/profile", icon: IconUser, permissions: [] },
  { id: "api", to: "/api/v1/reference", icon: IconApi, permissions: [], external: true },
];

export const maySee = (session: Session, { permissions }: SettingsPage): boolean =>
  permissions.length === 0 || can(session, ...permissions);

/** Those that this person may see, by part of their title or of what stands below it; none while nothing is typed. */
export async function settingsPaletteEntries(text: string): Promise<PaletteEntry[]> {
  const part = text.trim().toLowerCase();
  if (part === "") return [];
  const [session] = await Promise.all([loadSession(), words.loadNamespaces("identity")]);
  return SETTINGS_PAGES.filter((page) => maySee(session, page) && !page.external)
    .map(({ id, to, icon }) => ({
      ...{ id: `settings ${id}`, to, icon },
      label: words.t(`identity:settings.${id}`),
      description: words.t(`identity:settings.${id}Hint`),
    }))
    .filter(({ label, description }) => `${label} ${description}`.toLowerCase().includes(part));
}
