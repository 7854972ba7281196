/** Documentation of a pipeline: `/sync-studio/entity/{entityId}/documentation/{graphVersion}`. */
import type { Id } from "@accord/contracts";
import { createRoute, redirect } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";
import { respelled } from "../addresses/graph-version.ts";
import { versionToOpen } from "../addresses/routes.tsx";

/** Ids in addresses are texts; the server refuses what is none. */
const ofPipeline = z.object({ entityId: z.custom<Id<"entity">>() });
const ofDocument = ofPipeline.extend({ graphVersion: z.string() });

const newestRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/documentation",
  params: { parse: (params) => ofPipeline.parse(params) },
  beforeLoad: async ({ params: { entityId } }) => {
    redirect({
      to: "/sync-studio/entity/$entityId/documentation/$graphVersion",
      params: { entityId, graphVersion: await versionToOpen(entityId) },
      search: (old) => old,
      replace: true,
      throw: true,
    });
  },
});

const documentationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/documentation/$graphVersion",
  params: { parse: (params) => ofDocument.parse(params) },
  beforeLoad: ({ params: { entityId, graphVersion } }) => {
    const version = respelled(graphVersion);
    if (version)
      redirect({
        to: "/sync-studio/entity/$entityId/documentation/$graphVersion",
        params: { entityId, graphVersion: version },
        search: (old) => old,
        replace: true,
        throw: true,
      });
  },
  component: lazyScreen(() => import("./documentation-screen.tsx"), "DocumentationScreen"),
});

export const documentationRoutes = [newestRoute, documentationRoute] as const;
