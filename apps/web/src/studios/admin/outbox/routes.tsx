/** The outbox: mails the product wrote. */
import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

const outboxRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/outbox",
  validateSearch: z.object({
    mail: z.string().optional().catch(undefined),
    cursor: z.string().optional().catch(undefined),
  }),
  component: lazyScreen(() => import("./outbox-screen.tsx"), "OutboxScreen"),
});

export const outboxRoutes = [outboxRoute] as const;
