/** People and roles: /user, and the same under /settings/access-control. */
import { createRoute, redirect } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

const usersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/user",
  validateSearch: z.object({ q: z.string().optional().catch(undefined) }),
  component: lazyScreen(() => import("./users-screen.tsx"), "UsersScreen"),
});

const accessRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/access-control",
  beforeLoad: () => {
    throw redirect({ href: "/settings/access-control/role-based" });
  },
});

const rolesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/access-control/role-based",
  validateSearch: z.object({ role: z.string().optional().catch(undefined) }),
  component: lazyScreen(() => import("./roles-screen.tsx"), "RolesScreen"),
});

export const userRoutes = [usersRoute, accessRoute, rolesRoute] as const;
