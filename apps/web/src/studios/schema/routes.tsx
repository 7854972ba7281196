/** Schema studio: the unified model and the schemas of connected systems, and one entity in one of its versions. */
import { createRoute, redirect } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../app/lazy-screen.ts";
import { signedInRoute } from "../../frame/root-routes.tsx";
import { CORE } from "./schema.model.ts";

const rootRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/schema-studio",
  beforeLoad: () => {
    redirect({ throw: true, to: "/schema-studio/synapse/$connectorId", params: { connectorId: CORE }, replace: true });
  },
});

const connectorRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/schema-studio/synapse/$connectorId",
  validateSearch: z.object({
    q: z.string().max(100).optional().catch(undefined),
    create: z.enum(["hand", "system"]).optional().catch(undefined),
  }),
  component: lazyScreen(() => import("./schema-screen.tsx"), "SchemaScreen"),
});

const entityRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/schema-studio/synapse/$connectorId/entity/$entityApiName/$version",
  validateSearch: z.object({
    q: z.string().max(100).optional().catch(undefined),
    field: z.string().max(60).optional().catch(undefined),
  }),
  component: lazyScreen(() => import("./entity-screen.tsx"), "EntityScreen"),
});

export const schemaRoutes = [rootRoute, connectorRoute, entityRoute] as const;
