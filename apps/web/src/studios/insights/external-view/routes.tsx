/** Addresses of the external view, and of its settings. */
import { createRoute } from "@tanstack/react-router";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";
import { ExternalSearch } from "./external-search-schema.ts";

const lists = () => import("./list-screens.tsx");
const frames = () => import("./frame-screens.tsx");
const datasets = () => import("./dataset-screens.tsx");

const dashboardsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/ts/dashboards",
  validateSearch: ExternalSearch,
  component: lazyScreen(lists, "ExternalDashboardsScreen"),
});
const dashboard = lazyScreen(frames, "ExternalDashboardScreen");
const dashboardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/ts/dashboards/$key",
  component: dashboard,
});
/** The same under the name that other links use. */
const oneDashboardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/ts/dashboard/$key",
  component: dashboard,
});
const datasetsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/ts/datasets",
  validateSearch: ExternalSearch,
  component: lazyScreen(lists, "ExternalDatasetsScreen"),
});
const datasetRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/ts/datasets/$key",
  component: lazyScreen(datasets, "ExternalDatasetScreen"),
});
const datasetCopyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/ts/datasets/$key/copy",
  component: lazyScreen(frames, "ExternalDatasetCopyScreen"),
});
const datasetPreviewRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/ts/datasets/$key/preview",
  component: lazyScreen(datasets, "ExternalPreviewScreen"),
});
const searchRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/ts/search",
  validateSearch: ExternalSearch,
  component: lazyScreen(lists, "ExternalSearchScreen"),
});
const dataCardsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/ts/datacards",
  validateSearch: ExternalSearch,
  component: lazyScreen(lists, "ExternalDataCardsScreen"),
});
const dataCardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/ts/datacards/$key",
  component: lazyScreen(frames, "ExternalDataCardScreen"),
});
/** Any other path below it, and none. */
const pathRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/ts/$",
  component: lazyScreen(frames, "ExternalPathScreen"),
});
const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/insights-studio/external-view",
  component: lazyScreen(() => import("./settings/external-settings-screen.tsx"), "ExternalSettingsScreen"),
});

export const externalViewRoutes = [
  dashboardsRoute,
  dashboardRoute,
  oneDashboardRoute,
  datasetsRoute,
  datasetRoute,
  datasetCopyRoute,
  datasetPreviewRoute,
  searchRoute,
  dataCardsRoute,
  dataCardRoute,
  pathRoute,
  settingsRoute,
] as const;
