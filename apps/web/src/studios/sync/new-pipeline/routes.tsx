/** The page that makes a pipeline from an entity of a system: `/sync-studio/new-pipeline`, with the entity in its address. */
import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

/** What is chosen as the source. Ids in addresses are texts; what names nothing chooses nothing. */
const search = z.object({
  connectorId: z.string().optional().catch(undefined),
  entity: z.string().optional().catch(undefined),
});
export type NewPipelineSearch = z.output<typeof search>;

const newPipelineRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/new-pipeline",
  validateSearch: search,
  component: lazyScreen(() => import("./new-pipeline-screen.tsx"), "NewPipelineScreen"),
});

export const newPipelineRoutes = [newPipelineRoute] as const;
