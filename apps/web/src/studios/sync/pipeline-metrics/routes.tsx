/** Metrics of a pipeline over time: `/sync-studio/entity/{entityId}/metrics`. */
import type { Id } from "@accord/contracts";
import { Period } from "@accord/contracts/sync/monitoring/page-filters";
import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

const metricsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/metrics",
  // Ids in addresses are texts; the server refuses what is none.
  params: { parse: (params) => z.object({ entityId: z.custom<Id<"entity">>() }).parse(params) },
  validateSearch: z.object({
    period: Period.optional().catch(undefined),
    shownAs: z.literal("table").optional().catch(undefined),
  }),
  component: lazyScreen(() => import("./metrics-screen.tsx"), "MetricsScreen"),
});

export const pipelineMetricsRoutes = [metricsRoute] as const;
