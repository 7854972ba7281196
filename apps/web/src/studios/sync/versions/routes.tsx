/** Versions of a pipeline: their list, and two of them compared. One version opens in the editor. */
import type { Id } from "@accord/contracts";
import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

/** Ids in addresses are texts; the server refuses what is none. */
const ofPipeline = z.object({ entityId: z.custom<Id<"entity">>() });
const side = z.custom<Id<"pipelineVersion"> | "draft">();
const ofComparison = ofPipeline.extend({ versionId: side, otherId: side });

const listRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/versions",
  params: { parse: (params) => ofPipeline.parse(params) },
  component: lazyScreen(() => import("./versions-screen.tsx"), "VersionsScreen"),
});

/** What the second version has otherwise than the first; either may be `draft`. */
const compareRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/versions/$versionId/compare/$otherId",
  params: { parse: (params) => ofComparison.parse(params) },
  component: lazyScreen(() => import("./compare-screen.tsx"), "CompareScreen"),
});

export const versionRoutes = [listRoute, compareRoute] as const;
