/** Reconciliation of a pipeline: its reports, and one of them. */
import type { Id } from "@accord/contracts";
import { DifferenceKind, DifferenceReason } from "@accord/contracts/sync/reconciliation";
import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

const search = z.object({
  kind: DifferenceKind.optional().catch(undefined),
  reason: DifferenceReason.optional().catch(undefined),
  cursor: z.string().optional().catch(undefined),
  direction: z.enum(["next", "previous"]).optional().catch(undefined),
});
export type ReportSearch = z.output<typeof search>;

/** Ids in addresses are texts; the server refuses what is none. */
const ofPipeline = z.object({ entityId: z.custom<Id<"entity">>() });
const ofReport = ofPipeline.extend({ reconciliationId: z.custom<Id<"reconciliation">>() });

const listRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/reconciliation",
  params: { parse: (params) => ofPipeline.parse(params) },
  component: lazyScreen(() => import("./reconciliations-screen.tsx"), "ReconciliationsScreen"),
});

const reportRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/reconciliation/$reconciliationId",
  params: { parse: (params) => ofReport.parse(params) },
  validateSearch: search,
  component: lazyScreen(() => import("./report-screen.tsx"), "ReportScreen"),
});

export const reconciliationRoutes = [listRoute, reportRoute] as const;
