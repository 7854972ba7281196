/** Changes of records, newest first: `/logs/transactions`, narrowed to an entity by its api name. */
import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../app/root-routes.tsx";

const search = z.object({
  /** Api name of a core entity. */
  entity: z.string().max(120).optional().catch(undefined),
  cursor: z.string().optional().catch(undefined),
  direction: z.enum(["next", "previous"]).optional().catch(undefined),
});
export type TransactionsSearch = z.output<typeof search>;

const transactionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/logs/transactions",
  validateSearch: search,
  component: lazyScreen(() => import("./transactions-screen.tsx"), "TransactionsScreen"),
});

export const transactionsRoutes = [transactionsRoute] as const;
