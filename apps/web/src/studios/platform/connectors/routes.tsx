/** Synapses: the list with the library, adding one, its page, and the description of one entity of a JSON API. */
import { CONNECTOR_STATUSES } from "@accord/contracts/connections/connector-shapes";
import { createRoute, redirect } from "@tanstack/react-router";
import { z } from "zod";
import { registerCrumbName } from "../../../app/crumb-names.ts";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { registerPalette } from "../../../app/palette.ts";
import { signedInRoute } from "../../../app/root-routes.tsx";

const synapsesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/synapses",
  beforeLoad: () => {
    redirect({ throw: true, to: "/synapses/connections", replace: true });
  },
});

const connectionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/synapses/connections",
  validateSearch: z.object({
    q: z.string().max(120).optional().catch(undefined),
    status: z.enum(CONNECTOR_STATUSES).optional().catch(undefined),
    view: z.literal("list").optional().catch(undefined),
  }),
  component: lazyScreen(() => import("./connections-screen.tsx"), "ConnectionsScreen"),
});

const newConnectionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/synapses/connections/new",
  validateSearch: z.object({
    type: z.string().max(60).optional().catch(undefined),
    step: z.enum(["kind", "connection", "signIn", "activate"]).optional().catch(undefined),
    /** Set once it is created. */
    id: z.string().max(24).optional().catch(undefined),
  }),
  component: lazyScreen(() => import("./new-connection-screen.tsx"), "NewConnectionScreen"),
});

const connectionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/synapses/connections/$connectorId",
  validateSearch: z.object({
    tab: z.enum(["settings", "uses"]).optional().catch(undefined),
    q: z.string().max(200).optional().catch(undefined),
    entity: z.string().max(200).optional().catch(undefined),
  }),
  component: lazyScreen(() => import("./connection-screen.tsx"), "ConnectionScreen"),
});

const httpEntityRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/synapses/connections/$connectorId/http-entity",
  validateSearch: z.object({ name: z.string().max(200).optional().catch(undefined) }),
  component: lazyScreen(() => import("./http-entity-screen.tsx"), "HttpEntityScreen"),
});

export const connectorRoutes = [
  synapsesRoute,
  connectionsRoute,
  newConnectionRoute,
  connectionRoute,
  httpEntityRoute,
] as const;

registerCrumbName("connector", async (id) => (await import("./queries.ts")).connectorName(id));

registerPalette("connectors", {
  group: "Synapses",
  permissions: ["READ_CONNECTOR"],
  find: async (text) => (await import("./queries.ts")).connectorPaletteEntries(text),
});
