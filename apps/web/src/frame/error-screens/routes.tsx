/** The error addresses: /errors/error-404, /errors/error-504, /errors/error-ui; anything else under /errors is a 404. */
import { createRoute } from "@tanstack/react-router";
import { openRoute } from "../root-routes.tsx";
import { NotFoundScreen, TimeoutScreen, UiErrorScreen } from "./error-screens.tsx";

export const errorRoutes = [
  createRoute({ getParentRoute: () => openRoute, path: "/errors/error-504", component: TimeoutScreen }),
  createRoute({ getParentRoute: () => openRoute, path: "/errors/error-ui", component: UiErrorScreen }),
  createRoute({ getParentRoute: () => openRoute, path: "/errors/$", component: NotFoundScreen }),
] as const;
