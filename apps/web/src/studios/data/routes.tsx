/** Data studio: the entities, the records of one, and one record. */
import { createRoute, redirect } from "@tanstack/react-router";
import { z } from "zod";
import { registerCrumbName } from "../../app/crumb-names.ts";
import { lazyScreen } from "../../app/lazy-screen.ts";
import { registerPalette } from "../../app/palette.ts";
import { signedInRoute } from "../../frame/root-routes.tsx";
import { RecordsSearch } from "./records-search.ts";

const dataStudioRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/data-studio",
  validateSearch: z.object({ q: z.string().optional().catch(undefined) }),
  component: lazyScreen(() => import("./entities-screen.tsx"), "EntitiesScreen"),
});

const recordsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/data-studio/entity/$entityId",
  validateSearch: RecordsSearch,
  component: lazyScreen(() => import("./records-screen.tsx"), "RecordsScreen"),
});

const recordRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/data-studio/entity/$entityId/record/$recordId",
  component: lazyScreen(() => import("./record-screen.tsx"), "RecordScreen"),
});

const recordIndexRoute = createRoute({
  getParentRoute: () => recordRoute,
  path: "/",
  beforeLoad: ({ params }) => {
    redirect({ throw: true, to: "/data-studio/entity/$entityId/record/$recordId/fields", params, replace: true });
  },
});

const recordFieldsRoute = createRoute({
  getParentRoute: () => recordRoute,
  path: "/fields",
  validateSearch: z.object({
    q: z.string().max(100).optional().catch(undefined),
    empty: z.boolean().optional().catch(undefined),
    /** The record is shown as it was at this moment. */
    at: z.iso.datetime().optional().catch(undefined),
  }),
  component: lazyScreen(() => import("./record-fields.tsx"), "RecordFields"),
});

const recordLineageRoute = createRoute({
  getParentRoute: () => recordRoute,
  path: "/lineage",
  validateSearch: z.object({ field: z.string().max(60).optional().catch(undefined) }),
  component: lazyScreen(() => import("./record-lineage.tsx"), "RecordLineage"),
});

const recordExplainRoute = createRoute({
  getParentRoute: () => recordRoute,
  path: "/explain",
  validateSearch: z.object({ field: z.string().max(60).optional().catch(undefined) }),
  component: lazyScreen(() => import("./record-explain.tsx"), "RecordExplain"),
});

const recordActionsRoute = createRoute({
  getParentRoute: () => recordRoute,
  path: "/actions",
  component: lazyScreen(() => import("./record-actions.tsx"), "RecordActions"),
});

export const dataRoutes = [
  dataStudioRoute,
  recordsRoute,
  recordRoute.addChildren([
    recordIndexRoute,
    recordFieldsRoute,
    recordLineageRoute,
    recordExplainRoute,
    recordActionsRoute,
  ]),
] as const;

registerCrumbName("entity", async (id) => (await import("./queries.ts")).entityName(id));

registerPalette("records", {
  group: "Records",
  permissions: ["READ_DATA_STUDIO"],
  find: async (text) => (await import("./queries.ts")).entityPaletteEntries(text),
});
