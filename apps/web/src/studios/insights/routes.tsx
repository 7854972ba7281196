/** Insights Studio: dashboards in both versions, the card wizard, the dataset editor, sharing; and the pages of people outside. */
import { createRoute } from "@tanstack/react-router";
import { CrossFilters } from "@accord/contracts/insights/cross-filter";
import { VariableValues } from "@accord/contracts/insights/variables";
import { z } from "zod";
import { registerCrumbName } from "../../app/crumb-names.ts";
import { lazyScreen } from "../../app/lazy-screen.ts";
import { registerPalette } from "../../app/palette.ts";
import { openRoute, signedInRoute } from "../../frame/root-routes.tsx";
import { externalViewRoutes } from "./external-view/routes.tsx";
import { SharingSettingsSearch } from "./sharing/settings/search.ts";

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio",
  validateSearch: z.object({
    q: z.string().max(200).optional().catch(undefined),
    category: z.enum(["published", "draft", "shared"]).optional().catch(undefined),
  }),
  component: lazyScreen(() => import("./dashboards/dashboards-screen.tsx"), "DashboardsScreen"),
});

const dashboard = lazyScreen(() => import("./dashboards/dashboard-screen.tsx"), "DashboardScreen");
const DashboardSearch = z.object({
  library: z.enum(["cards", "datasets"]).optional().catch(undefined),
  /** Chosen by whoever looks, so that coming back from records finds them as they were. */
  values: VariableValues.optional().catch(undefined),
  /** By marks of its cards. */
  filters: CrossFilters.optional().catch(undefined),
});

const publishedRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/$dashboardId",
  validateSearch: DashboardSearch,
  component: dashboard,
});
const versionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/$dashboardId/$version",
  validateSearch: DashboardSearch,
  component: dashboard,
});

const wizard = lazyScreen(() => import("./card-wizard/card-wizard-screen.tsx"), "CardWizardScreen");
/** `new`, an id, or an id and `copy` or `copy-add`. */
const cardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/$dashboardId/$version/datacard/$dataCardId",
  validateSearch: z.object({ dataset: z.string().max(24).optional().catch(undefined) }),
  component: wizard,
});
const cardCopyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/$dashboardId/$version/datacard/$dataCardId/$copy",
  validateSearch: z.object({ dataset: z.string().max(24).optional().catch(undefined) }),
  component: wizard,
});

const editor = lazyScreen(() => import("./dataset-screen/dataset-screen.tsx"), "DatasetScreen");
const datasetRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/$dashboardId/$version/dataset/$datasetId",
  component: editor,
});
const datasetModeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/$dashboardId/$version/dataset/$datasetId/$mode",
  component: editor,
});
const exploreRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/explore",
  // `dashboard`: whose draft gets the card.
  validateSearch: z.object({
    dataset: z.string().max(24).optional().catch(undefined),
    dashboard: z.string().max(24).optional().catch(undefined),
  }),
  component: lazyScreen(() => import("./card-wizard/explore-screen.tsx"), "ExploreScreen"),
});
const assistant = lazyScreen(() => import("./assistant/assistant-screen.tsx"), "AssistantScreen");
const assistedRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/$dashboardId/$version/aiassisted",
  component: assistant,
});
/** The same without a dashboard around it. */
const assistedAloneRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/aiassisted",
  component: assistant,
});
const ListSearch = z.object({ q: z.string().max(200).optional().catch(undefined) });
const definitions = () => import("./definitions/definitions-screen.tsx");
const datasetsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/datasets",
  // `exports`: id of the dataset whose exports are shown.
  validateSearch: ListSearch.extend({ exports: z.string().max(24).optional().catch(undefined) }),
  component: lazyScreen(definitions, "DatasetsScreen"),
});
const cardsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/cards",
  // `alerts`: id of the card whose alerts are shown.
  validateSearch: ListSearch.extend({ alerts: z.string().max(24).optional().catch(undefined) }),
  component: lazyScreen(definitions, "CardsScreen"),
});
/** A card without a dashboard around it: `new` or an id. */
const cardAloneRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/cards/$dataCardId",
  validateSearch: z.object({ dataset: z.string().max(24).optional().catch(undefined) }),
  component: wizard,
});
/** Where other studios lead to: a dataset without a dashboard around it. */
const datasetAloneRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/datasets/$datasetId",
  component: editor,
});

const shareRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/$dashboardId/published/share-with",
  component: lazyScreen(() => import("./sharing/share-with-screen.tsx"), "ShareWithScreen"),
});
const detailsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/$dashboardId/published/sharing-details",
  validateSearch: z.object({
    q: z.string().max(200).optional().catch(undefined),
    cursor: z.string().max(500).optional().catch(undefined),
    dir: z.literal("previous").optional().catch(undefined),
  }),
  component: lazyScreen(() => import("./sharing/sharing-details-screen.tsx"), "SharingDetailsScreen"),
});

const sharingSettingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/sharing",
  validateSearch: SharingSettingsSearch,
  component: lazyScreen(() => import("./sharing/settings/sharing-settings-screen.tsx"), "SharingSettingsScreen"),
});

const mirrorRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/mirror",
  component: lazyScreen(() => import("./mirror/mirror-screen.tsx"), "MirrorScreen"),
});

export const insightsRoutes = [
  homeRoute,
  datasetsRoute,
  exploreRoute,
  assistedAloneRoute,
  assistedRoute,
  cardsRoute,
  publishedRoute,
  versionRoute,
  cardRoute,
  cardCopyRoute,
  datasetRoute,
  datasetModeRoute,
  datasetAloneRoute,
  cardAloneRoute,
  shareRoute,
  sharingSettingsRoute,
  mirrorRoute,
  detailsRoute,
  ...externalViewRoutes,
] as const;

const sharedRoute = createRoute({
  getParentRoute: () => openRoute,
  path: "/insightssharing/user/$email/dashboard/$dashboardId",
  validateSearch: DashboardSearch.pick({ filters: true }),
  component: lazyScreen(() => import("./shared-view/shared-dashboard-screen.tsx"), "SharedDashboardScreen"),
});
const enterRoute = createRoute({
  getParentRoute: () => openRoute,
  path: "/insightssharing/enter-password/user/$email/dashboard/$dashboardId",
  component: lazyScreen(() => import("./shared-view/enter-password-screen.tsx"), "EnterPasswordScreen"),
});
const expiredRoute = createRoute({
  getParentRoute: () => openRoute,
  path: "/insightssharing/expired-dashboard/user/$email/dashboard/$dashboardId",
  component: lazyScreen(() => import("./shared-view/expired-screen.tsx"), "ExpiredScreen"),
});

export const sharedViewRoutes = [sharedRoute, enterRoute, expiredRoute] as const;

registerCrumbName("dashboard", async (id) => (await import("./parts/queries.ts")).dashboardName(id));
registerCrumbName("dataset", async (id) => (await import("./parts/queries.ts")).datasetName(id));
registerCrumbName("dataCard", async (id) => (await import("./parts/queries.ts")).cardName(id));
registerPalette("dashboards", {
  group: "Dashboards",
  permissions: ["READ_DASHBOARD"],
  find: async (text) => (await import("./parts/queries.ts")).dashboardPaletteEntries(text),
});
