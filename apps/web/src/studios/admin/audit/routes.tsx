/** The audit log of the administration. */
import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

const auditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/audit-log",
  validateSearch: z.object({ cursor: z.string().optional().catch(undefined) }),
  component: lazyScreen(() => import("./audit-screen.tsx"), "AuditScreen"),
});

export const auditRoutes = [auditRoute] as const;
