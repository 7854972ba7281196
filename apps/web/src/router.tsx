/**
 * All routes of the product, listed by feature.
 *
 * HOW TO ADD A SCREEN
 * 1. `studios/<area>/<feature>/routes.tsx` makes the routes and exports them as one tuple:
 *
 *      export const recordsRoute = createRoute({
 *        getParentRoute: () => signedInRoute,              // or openRoute: no session, no frame
 *        path: "/data-studio/entity/$entityId",
 *        // URL is state. Every key falls back, so that no bad value blanks the page.
 *        validateSearch: z.object({ q: z.string().catch(""), page: z.number().int().min(1).optional().catch(undefined) }),
 *        component: lazyScreen(() => import("./app/records-screen.tsx"), "RecordsScreen"),   // own chunk
 *      });
 *      export const recordRoutes = [recordsRoute, recordRoute] as const;
 *
 *    Then one import and one line in `children` below. Error, loading and not-found screens come from the router.
 * 2. The screen: `usePage({ title: t("records.title"), crumbs: [{ label: "Data studio", to: "/data-studio" },
 *    { kind: "entity", id: entityId }] })`. Names in crumbs, in routes.tsx:
 *    `registerCrumbName("entity", async (id) => (await import("./app/queries.ts")).entityName(id))`: routes are loaded before
 *    the first screen, queries and the schemas of their answers with the screen that needs them.
 *    Params and search: `recordsRoute.useParams()`, `recordsRoute.useSearch()`; change search with
 *    `const navigate = recordsRoute.useNavigate(); navigate({ search: (old) => ({ ...old, q }), replace: true })`.
 *    From a lazy screen use `getRouteApi("/signed-in/data-studio/entity/$entityId")`, so that chunks stay apart.
 * 3. Data: `queries.ts` → `useEndpoint(endpoint, { params, query })`, `useCall(endpoint, { refreshes: [list] })`,
 *    `refreshOn(event, [endpoints])` at module level, `polling()` as extra for data that changes by itself.
 *    Show it with `<QueryView query={q} skeleton={<TableSkeleton />}>{(data) => …}</QueryView>` (shared/query-view):
 *    skeleton after 150 ms, error box with request id, no-permission and not-found states.
 * 4. Permissions: `useCan("WRITE_STUDIO")` hides or explains; a whole screen: `<Demand anyOf={["READ_STUDIO"]}>`.
 * 5. Words: `packages/contracts/src/messages/en/<area>.ts` exports one const object, listed in `en/index.ts`;
 *    `const { t } = useWords("data")`, `t("records.title")`, `t("shell:action.save")`. Misspelt keys don't compile.
 * 6. Sidebar: a line in nav.ts. Ctrl-K: a line in palette.ts. Parts and tokens: `@accord/ui`; see `/dev/gallery`.
 *    Styles: a `.css` file beside the part, class names `ac-<part>__<bit>`, colours only as `var(--ac-…)`, inside
 *    `@layer accord`. Mantine's own components are themed and may be used directly.
 */
import { createRouter, parseSearchWith, stringifySearchWith } from "@tanstack/react-router";
import { insightsRoutes, sharedViewRoutes } from "./studios/insights/routes.tsx";
import { addressRoutes } from "./studios/sync/addresses/routes.tsx";
import { customActionRoutes } from "./studios/sync/custom-actions/routes.tsx";
import { pipelineEditorRoutes } from "./studios/sync/pipeline-editor/routes.tsx";
import { reconciliationRoutes } from "./studios/sync/reconciliation/routes.tsx";
import { newPipelineRoutes } from "./studios/sync/new-pipeline/routes.tsx";
import { pipelinesRoutes } from "./studios/sync/pipelines/routes.tsx";
import { pipelineMetricsRoutes } from "./studios/sync/pipeline-metrics/routes.tsx";
import { pipelineSettingsRoutes } from "./studios/sync/pipeline-settings/routes.tsx";
import { pipelineLogRoutes } from "./studios/sync/pipeline-logs/routes.tsx";
import { documentationRoutes } from "./studios/sync/documentation/routes.tsx";
import { relationshipRoutes } from "./studios/sync/relationships/routes.tsx";
import { logRoutes } from "./studios/sync/logs/routes.tsx";
import { versionRoutes } from "./studios/sync/versions/routes.tsx";
import { auditRoutes } from "./studios/admin/audit/routes.tsx";
import { connectorRoutes, signInResultRoute } from "./studios/connections/routes.tsx";
import { dataRoutes } from "./studios/data/routes.tsx";
import { galleryRoutes } from "./studios/gallery/routes.tsx";
import { homeRoutes } from "./studios/home/routes.tsx";
import { instanceRoutes } from "./studios/admin/instances/routes.tsx";
import { outboxRoutes } from "./studios/admin/outbox/routes.tsx";
import { profileRoutes } from "./studios/account/profile/routes.tsx";
import { schemaRoutes } from "./studios/schema/routes.tsx";
import { settingsRoutes } from "./studios/admin/settings/routes.tsx";
import { signInRoutes } from "./studios/account/sign-in/routes.tsx";
import { userRoutes } from "./studios/admin/users/routes.tsx";
import { errorRoutes } from "./frame/error-screens/routes.tsx";
import { NotFoundScreen, ScreenError } from "./frame/error-screens/error-screens.tsx";
import { keepScroll } from "./frame/shell/keep-scroll.ts";
import { ScreenPending } from "./frame/error-screens/screen-pending.tsx";
import { openRoute, rootRoute, signedInRoute } from "./frame/root-routes.tsx";

const routeTree = rootRoute.addChildren([
  openRoute.addChildren([...signInRoutes, signInResultRoute, ...errorRoutes, ...galleryRoutes, ...sharedViewRoutes]),
  signedInRoute.addChildren([
    ...homeRoutes,
    ...insightsRoutes,
    ...profileRoutes,
    ...userRoutes,
    ...instanceRoutes,
    ...settingsRoutes,
    ...outboxRoutes,
    ...auditRoutes,
    ...connectorRoutes,
    ...dataRoutes,
    ...schemaRoutes,
    ...addressRoutes,
    ...pipelinesRoutes,
    ...newPipelineRoutes,
    ...customActionRoutes,
    ...reconciliationRoutes,
    ...pipelineEditorRoutes,
    ...versionRoutes,
    ...relationshipRoutes,
    ...logRoutes,
    ...documentationRoutes,
    ...pipelineLogRoutes,
    ...pipelineMetricsRoutes,
    ...pipelineSettingsRoutes,
  ]),
]);

/** Search values are JSON where they are, else text; a number too long to keep (an id of digits) stays text. */
function readSearchValue(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return typeof value === "number" && String(value) !== text ? text : value;
}

export const router = createRouter({
  routeTree,
  parseSearch: parseSearchWith(readSearchValue),
  stringifySearch: stringifySearchWith(JSON.stringify, readSearchValue),
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultPendingComponent: ScreenPending,
  defaultErrorComponent: ScreenError,
  defaultNotFoundComponent: NotFoundScreen,
});
keepScroll(router);

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
