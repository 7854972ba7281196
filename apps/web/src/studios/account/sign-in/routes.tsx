/** Signing in, and everything about passwords for people without a session. */
import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { openRoute } from "../../../frame/root-routes.tsx";

const text = z.string().optional().catch(undefined);

const loginRoute = createRoute({
  getParentRoute: () => openRoute,
  path: "/login",
  validateSearch: z.object({ redirectTo: text, errorMessage: text }),
  component: lazyScreen(() => import("./login-screen.tsx"), "LoginScreen"),
});

const forgotRoute = createRoute({
  getParentRoute: () => openRoute,
  path: "/authentication/forgotpassword",
  component: lazyScreen(() => import("./forgot-screens.tsx"), "ForgotScreen"),
});

const forgotSentRoute = createRoute({
  getParentRoute: () => openRoute,
  path: "/authentication/forgotpasswordsent",
  component: lazyScreen(() => import("./forgot-screens.tsx"), "ForgotSentScreen"),
});

const resetRoute = createRoute({
  getParentRoute: () => openRoute,
  path: "/authentication/resetpassword",
  validateSearch: z.object({ token: text }),
  component: lazyScreen(() => import("./reset-screens.tsx"), "ResetScreen"),
});

const resetDoneRoute = createRoute({
  getParentRoute: () => openRoute,
  path: "/authentication/passwordresetsuccess",
  component: lazyScreen(() => import("./reset-screens.tsx"), "ResetDoneScreen"),
});

const invitedRoute = createRoute({
  getParentRoute: () => openRoute,
  path: "/invited-user/setpassword/$invitationId",
  component: lazyScreen(() => import("./invited-screen.tsx"), "InvitedScreen"),
});

export const signInRoutes = [
  loginRoute,
  forgotRoute,
  forgotSentRoute,
  resetRoute,
  resetDoneRoute,
  invitedRoute,
] as const;
