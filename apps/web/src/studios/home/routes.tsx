/** Home. */
import { createRoute } from "@tanstack/react-router";
import { lazyScreen } from "../../app/lazy-screen.ts";
import { signedInRoute } from "../../frame/root-routes.tsx";

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/",
  component: lazyScreen(() => import("./home-screen.tsx"), "HomeScreen"),
});

export const homeRoutes = [homeRoute] as const;
