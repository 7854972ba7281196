/** Relationships: `/sync-studio/relationships`, and with the id of an entity that is looked at. */
import type { Id } from "@accord/contracts";
import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

const component = lazyScreen(() => import("./relationships-screen.tsx"), "RelationshipsScreen");
const validateSearch = z.object({ view: z.enum(["graph", "list"]).optional().catch(undefined) });
export type RelationshipsSearch = z.output<typeof validateSearch>;

const allRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/relationships",
  validateSearch,
  component,
});

const oneRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/relationships/$entityId",
  // Ids in addresses are texts; what is none of an entity is not found.
  params: { parse: (params) => z.object({ entityId: z.custom<Id<"entity">>() }).parse(params) },
  validateSearch,
  component,
});

export const relationshipRoutes = [allRoute, oneRoute] as const;
