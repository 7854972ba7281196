/** Entries of the sidebar, in order. An entry shows only to people who hold one of its permissions. */
import type { en } from "@accord/contracts/messages/en/index";
import type { Permission } from "@accord/contracts";
import {
  IconChartHistogram,
  IconDatabaseCog,
  IconHome,
  IconPlug,
  IconSchema,
  IconSettings,
  IconTable,
  IconUsers,
  type Icon,
} from "@tabler/icons-react";

export interface NavEntry {
  label: `nav.${keyof (typeof en)["shell"]["nav"]}`;
  to: string;
  icon: Icon;
  /** Any one of these; nobody's permission is asked when empty. */
  permissions: readonly Permission[];
  place: "main" | "foot";
}

export const NAV: readonly NavEntry[] = [
  { label: "nav.home", to: "/", icon: IconHome, permissions: [], place: "main" },
  { label: "nav.sync", to: "/sync-studio", icon: IconSchema, permissions: ["READ_STUDIO"], place: "main" },
  {
    label: "nav.insights",
    to: "/insights-studio",
    icon: IconChartHistogram,
    permissions: ["READ_DASHBOARD"],
    place: "main",
  },
  { label: "nav.data", to: "/data-studio", icon: IconTable, permissions: ["READ_DATA_STUDIO"], place: "main" },
  { label: "nav.schema", to: "/schema-studio", icon: IconDatabaseCog, permissions: ["READ_STUDIO"], place: "main" },
  { label: "nav.connectors", to: "/synapses", icon: IconPlug, permissions: ["READ_CONNECTOR"], place: "main" },
  { label: "nav.users", to: "/user", icon: IconUsers, permissions: ["LIST_USERS"], place: "foot" },
  { label: "nav.settings", to: "/settings", icon: IconSettings, permissions: [], place: "foot" },
];

/** Whether a path belongs to an entry: for the mark in the sidebar. */
export const isWithin = (path: string, entry: NavEntry): boolean =>
  entry.to === "/" ? path === "/" : path === entry.to || path.startsWith(`${entry.to}/`);
