/** Instances: /instance; and /switch-instance/{instanceId}, which switches and reloads at root. */
import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

const instancesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/instance",
  validateSearch: z.object({ q: z.string().optional().catch(undefined) }),
  component: lazyScreen(() => import("./instances-screen.tsx"), "InstancesScreen"),
});

const switchRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/switch-instance/$instanceId",
  component: lazyScreen(() => import("./switch-screen.tsx"), "SwitchScreen"),
});

export const instanceRoutes = [instancesRoute, switchRoute] as const;
