/** Sync Studio's home: the Pipeline Details table. */
import { id, type Id } from "@accord/contracts";
import { Transaction } from "@accord/contracts/sync/monitoring/transactions";
import { PipelineSort } from "@accord/contracts/sync/pipeline-sort";
import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import { ACTIVITY_TABS } from "./activity-tabs.ts";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

const text = z.string().optional().catch(undefined);

/** Lists are comma-separated in the address, as links to this page spell them. */
const search = z.object({
  panel: z.enum(["activity", "filter"]).optional().catch(undefined),
  /** Id of the pipeline whose activity is shown. */
  activity: id("entity").optional().catch(undefined),
  tab: z.enum(ACTIVITY_TABS).optional().catch(undefined),
  /** Narrows what the activity lists to one node. */
  node: text,
  /** Narrows refused values to one field of the core. */
  field: text,
  /** Cycle that is opened, and what of its changes is listed. */
  cycle: text,
  change: Transaction.shape.operation.optional().catch(undefined),
  /** Entities without a pipeline are listed too. */
  unmapped: z.literal("show").optional().catch(undefined),
  search: text,
  pipelineState: text,
  pipelineStatus: text,
  sources: text,
  destinations: text,
  agreement: text,
  sort: PipelineSort.optional().catch(undefined),
  page: z.number().int().min(1).optional().catch(undefined),
  pageSize: z.number().int().optional().catch(undefined),
});
export type PipelinesSearch = z.output<typeof search>;

const component = lazyScreen(() => import("./pipelines-screen.tsx"), "PipelinesScreen");

const detailsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/details",
  validateSearch: search,
  component,
});

/** The same table, with the row of one entity in view. */
const entityDetailsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/details/$entityId",
  // Ids in addresses are texts; the server refuses what is none.
  params: { parse: (params) => z.object({ entityId: z.custom<Id<"entity">>() }).parse(params) },
  validateSearch: search,
  component,
});

export const pipelinesRoutes = [detailsRoute, entityDetailsRoute] as const;
