/** One's own profile: /profile, /profile/{type} (general or password). */
import { createRoute } from "@tanstack/react-router";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

const component = lazyScreen(() => import("./profile-screen.tsx"), "ProfileScreen");
const profileRoute = createRoute({ getParentRoute: () => signedInRoute, path: "/profile", component });
const profileTypeRoute = createRoute({ getParentRoute: () => signedInRoute, path: "/profile/$type", component });

export const profileRoutes = [profileRoute, profileTypeRoute] as const;
