/** Custom actions: `/sync-studio/actions`, the page of a new one, and of one by its id. */
import { id, type Id } from "@accord/contracts";
import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { registerPalette } from "../../../app/palette.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

const listRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/actions",
  validateSearch: z.object({ search: z.string().optional().catch(undefined) }),
  component: lazyScreen(() => import("./actions-screen.tsx"), "ActionsScreen"),
});

/** `pipeline`: the entity whose pipeline editor led here. */
const fromPipeline = z.object({ pipeline: id("entity").optional().catch(undefined) });

const newRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/actions/new",
  validateSearch: fromPipeline,
  component: lazyScreen(() => import("./action-screen.tsx"), "NewActionScreen"),
});

const actionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/actions/$actionId",
  // Ids in addresses are texts; the server refuses what is none.
  params: { parse: (params) => z.object({ actionId: z.custom<Id<"customAction">>() }).parse(params) },
  validateSearch: fromPipeline,
  component: lazyScreen(() => import("./action-screen.tsx"), "ActionScreen"),
});

registerPalette("customActions", {
  group: "Actions",
  permissions: ["READ_STUDIO"],
  find: async (text) => (await import("./queries.ts")).actionPaletteEntries(text),
});

export const customActionRoutes = [listRoute, newRoute, actionRoute] as const;
