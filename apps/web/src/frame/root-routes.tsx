/** The two parents of every route: `signedInRoute` (inside the frame) and `openRoute` (no session, no frame). */
import { createRootRoute, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { ApiError } from "../app/api-error.ts";
import { loadSession } from "../app/session.ts";
import { lazyScreen } from "../app/lazy-screen.ts";
import { signInAddress } from "../app/return-address.ts";
import { openStream } from "../app/realtime.ts";
import { NotFoundScreen, ScreenError } from "./error-screens/error-screens.tsx";

export const rootRoute = createRootRoute({
  component: Outlet,
  errorComponent: ScreenError,
  notFoundComponent: NotFoundScreen,
});

/** Parent of every screen for signed-in people: the guard loads the session, the frame stands around the screen. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  beforeLoad: async ({ location }) => {
    const session = await loadSession().catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401)
        throw redirect({ href: signInAddress(location.href, error.message) });
      throw error;
    });
    if (session.passwordExpired) throw redirect({ href: "/authentication/resetpassword" });
    openStream();
  },
  // Its own chunk: who signs in needs no frame yet.
  component: lazyScreen(() => import("./shell/shell.tsx"), "Shell"),
  errorComponent: ScreenError,
  notFoundComponent: NotFoundScreen,
});

/** Parent of screens without a session: sign-in, password recovery, outsiders' dashboards, error pages. */
export const openRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "open",
  component: Outlet,
  errorComponent: ScreenError,
});
