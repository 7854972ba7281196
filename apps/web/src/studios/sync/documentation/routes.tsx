/** Documentation of a pipeline: `/sync-studio/entity/{entityId}/documentation/{graphVersion}`. */
import { createRoute, redirect } from "@tanstack/react-router";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../app/root-routes.tsx";
import { respelled } from "../addresses/graph-version.ts";
import { versionToOpen } from "../addresses/routes.tsx";

const newestRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/documentation",
  beforeLoad: async ({ params: { entityId } }) => {
    redirect({
      to: "/sync-studio/entity/$entityId/documentation/$graphVersion",
      params: { entityId, graphVersion: await versionToOpen(entityId) },
      replace: true,
      throw: true,
    });
  },
});

const documentationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/documentation/$graphVersion",
  beforeLoad: ({ params: { entityId, graphVersion } }) => {
    const version = respelled(graphVersion);
    if (version)
      redirect({
        to: "/sync-studio/entity/$entityId/documentation/$graphVersion",
        params: { entityId, graphVersion: version },
        replace: true,
        throw: true,
      });
  },
  component: lazyScreen(() => import("./documentation-screen.tsx"), "DocumentationScreen"),
});

export const documentationRoutes = [newestRoute, documentationRoute] as const;
