/** The settings landing page. */
import { createRoute } from "@tanstack/react-router";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { registerPalette } from "../../../app/palette.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings",
  component: lazyScreen(() => import("./settings-screen.tsx"), "SettingsScreen"),
});

registerPalette("settings", {
  group: "Settings",
  permissions: [],
  find: async (text) => (await import("./settings-pages.ts")).settingsPaletteEntries(text),
});

export const settingsRoutes = [settingsRoute] as const;
