/** Settings of a pipeline: `/sync-studio/entity/{entityId}/settings`. */
import type { Id } from "@accord/contracts";
import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/settings",
  // Ids in addresses are texts; the server refuses what is none.
  params: { parse: (params) => z.object({ entityId: z.custom<Id<"entity">>() }).parse(params) },
  component: lazyScreen(() => import("./settings-screen.tsx"), "PipelineSettingsScreen"),
});

export const pipelineSettingsRoutes = [settingsRoute] as const;
