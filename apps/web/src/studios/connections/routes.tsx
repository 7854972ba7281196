/** Synapses: the list with the library, adding one, its page, and the description of one entity of a JSON API. */
import { CONNECTOR_STATUSES } from "@accord/contracts/connections/connector-shapes";
import { WebhookOutcome } from "@accord/contracts/connections/webhooks";
import { createRoute, redirect } from "@tanstack/react-router";
import { z } from "zod";
import { registerCrumbName } from "../../app/crumb-names.ts";
import { lazyScreen } from "../../app/lazy-screen.ts";
import { registerPalette } from "../../app/palette.ts";
import { openRoute, signedInRoute } from "../../frame/root-routes.tsx";
import { STEPS } from "./webhook/webhook-steps.ts";

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
    tab: z.enum(["posts", "files", "entities", "settings", "uses"]).optional().catch(undefined),
    q: z.string().max(200).optional().catch(undefined),
    entity: z.string().max(200).optional().catch(undefined),
    /** Of a webhook's posts. */
    outcome: WebhookOutcome.optional().catch(undefined),
    cursor: z.string().max(500).optional().catch(undefined),
    direction: z.literal("previous").optional().catch(undefined),
    /** The one that is open: `post-12`, `refusal-7`. */
    post: z.string().max(30).optional().catch(undefined),
  }),
  component: lazyScreen(() => import("./connection-screen.tsx"), "ConnectionScreen"),
});

const customSynapsesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/synapses/custom-synapses",
  validateSearch: z.object({ q: z.string().max(120).optional().catch(undefined) }),
  component: lazyScreen(() => import("./custom/custom-synapses-screen.tsx"), "CustomSynapsesScreen"),
});

/** Kinds of synapses that a person describes; each has steps of its own. */
const customSynapseRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/synapses/custom-synapses/$synapseType/$synapseId",
  validateSearch: z.object({
    step: z
      .enum([...STEPS, "sharing"])
      .optional()
      .catch(undefined),
    /** Number of a received post that is tried. */
    post: z.int().min(1).optional().catch(undefined),
  }),
  component: lazyScreen(() => import("./custom/custom-synapse-screen.tsx"), "CustomSynapseScreen"),
});

const synapseEntitiesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/synapses/custom-synapses/http/$synapseId/entities/$version",
  component: lazyScreen(() => import("./custom/entities-screen.tsx"), "SynapseEntitiesScreen"),
});

const synapseEntityRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/synapses/custom-synapses/http/$synapseId/entities/$version/$entityId",
  validateSearch: z.object({ step: z.enum(["basic", "configuration", "review"]).optional().catch(undefined) }),
  component: lazyScreen(() => import("./custom/entity-screen.tsx"), "SynapseEntityScreen"),
});

const httpEntityRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/synapses/connections/$connectorId/http-entity",
  validateSearch: z.object({ name: z.string().max(200).optional().catch(undefined) }),
  component: lazyScreen(() => import("./http-entity-screen.tsx"), "HttpEntityScreen"),
});

/** Without the frame: it is shown in a window that closes. */
export const signInResultRoute = createRoute({
  getParentRoute: () => openRoute,
  path: "/synapses/sign-in-result",
  validateSearch: z.object({
    connector: z.string().max(24).optional().catch(undefined),
    problem: z.enum(["state", "session"]).optional().catch(undefined),
  }),
  component: lazyScreen(() => import("./oauth/sign-in-result-screen.tsx"), "SignInResultScreen"),
});

export const connectorRoutes = [
  synapsesRoute,
  connectionsRoute,
  newConnectionRoute,
  connectionRoute,
  httpEntityRoute,
  customSynapsesRoute,
  customSynapseRoute,
  synapseEntitiesRoute,
  synapseEntityRoute,
] as const;

registerCrumbName("connector", async (id) => (await import("./queries.ts")).connectorName(id));

registerPalette("connectors", {
  group: "Synapses",
  permissions: ["READ_CONNECTOR"],
  find: async (text) => (await import("./queries.ts")).connectorPaletteEntries(text),
});
