/** The logs of the whole instance: `/logs`, `/logs/transactions` and `/logs/sync-errors`, narrowed by their addresses. */
import { Period, TransactionOperation } from "@accord/contracts/sync/monitoring/page-filters";
import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

const page = z.object({
  /** Api name of a core entity. */
  entity: z.string().max(120).optional().catch(undefined),
  cursor: z.string().optional().catch(undefined),
  direction: z.enum(["next", "previous"]).optional().catch(undefined),
});

const transactionsSearch = page.extend({
  operation: TransactionOperation.optional().catch(undefined),
  /** Up to now. */
  within: Period.optional().catch(undefined),
});
export type TransactionsSearch = z.output<typeof transactionsSearch>;

const errorsSearch = page.extend({
  side: z.enum(["source", "destination"]).optional().catch(undefined),
  /** The unresolved ones when absent. */
  status: z.enum(["RESOLVED", "all"]).optional().catch(undefined),
  text: z.string().max(200).optional().catch(undefined),
});
export type SyncErrorsSearch = z.output<typeof errorsSearch>;

const logsScreen = lazyScreen(() => import("./logs-screen.tsx"), "LogsScreen");
const logsRoute = createRoute({ getParentRoute: () => signedInRoute, path: "/logs", component: logsScreen });
/** Any other type: it says which there are. */
const typeRoute = createRoute({ getParentRoute: () => signedInRoute, path: "/logs/$type", component: logsScreen });

const transactionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/logs/transactions",
  validateSearch: transactionsSearch,
  component: lazyScreen(() => import("./transactions-screen.tsx"), "TransactionsScreen"),
});

const errorsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/logs/sync-errors",
  validateSearch: errorsSearch,
  component: lazyScreen(() => import("./sync-errors-screen.tsx"), "SyncErrorsScreen"),
});

export const logRoutes = [logsRoute, typeRoute, transactionsRoute, errorsRoute] as const;
