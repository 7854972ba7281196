/** The log of a pipeline: `/sync-studio/entity/{entityId}/pipeline-logs/{graphVersion}`, narrowed by its query. */
import { id, type Id } from "@accord/contracts";
import { LogKind, LogSeverity, Period } from "@accord/contracts/sync/monitoring/page-filters";
import { createRoute, redirect } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";
import { respelled } from "../addresses/graph-version.ts";
import { versionToOpen } from "../addresses/routes.tsx";

/** Ids in addresses are texts; the server refuses what is none. */
const ofPipeline = z.object({ entityId: z.custom<Id<"entity">>() });
const ofLog = ofPipeline.extend({ graphVersion: z.string() });

const text = z.string().optional().catch(undefined);
const time = z.iso.datetime().optional().catch(undefined);

const validateSearch = z.object({
  severity: LogSeverity.optional().catch(undefined),
  kind: LogKind.optional().catch(undefined),
  node: text,
  text,
  /** Up to now; `from` and `to` narrow as well. */
  within: Period.optional().catch(undefined),
  from: time,
  to: time,
  /** The page: nothing for the newest entries. */
  cursor: text,
  direction: z.literal("previous").optional().catch(undefined),
  /** The cycle that is looked at. */
  cycle: id("run").optional().catch(undefined),
});
export type LogSearch = z.output<typeof validateSearch>;

const newestRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/pipeline-logs",
  params: { parse: (params) => ofPipeline.parse(params) },
  validateSearch,
  beforeLoad: async ({ params: { entityId }, search }) => {
    redirect({
      to: "/sync-studio/entity/$entityId/pipeline-logs/$graphVersion",
      params: { entityId, graphVersion: await versionToOpen(entityId) },
      search,
      replace: true,
      throw: true,
    });
  },
});

const logRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/pipeline-logs/$graphVersion",
  params: { parse: (params) => ofLog.parse(params) },
  validateSearch,
  beforeLoad: ({ params: { entityId, graphVersion }, search }) => {
    const version = respelled(graphVersion);
    if (version)
      redirect({
        to: "/sync-studio/entity/$entityId/pipeline-logs/$graphVersion",
        params: { entityId, graphVersion: version },
        search,
        replace: true,
        throw: true,
      });
  },
  component: lazyScreen(() => import("./logs-screen.tsx"), "LogsScreen"),
});

export const pipelineLogRoutes = [newestRoute, logRoute] as const;
