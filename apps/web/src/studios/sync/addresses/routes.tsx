/** Addresses of Sync Studio without a screen of their own: they lead to the one that is meant, with their query. */
import { id } from "@accord/contracts";
import { createRoute, redirect } from "@tanstack/react-router";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { endpointQuery, queryClient } from "../../../app/queries.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";
import type { Version } from "./graph-version.ts";
import { lastTab } from "./last-tab.ts";

const component = lazyScreen(() => import("./studio-not-found.tsx"), "StudioNotFound");

/** The version to open where an address names none: what runs, unless there is only a draft. */
export async function versionToOpen(entityId: string): Promise<Version> {
  const known = id("entity").safeParse(entityId);
  if (!known.success) return "draft";
  // Only these addresses need the call: it is no part of the first screen.
  const { getPipeline } = await import("@accord/contracts/sync/pipelines");
  const row = await queryClient
    .ensureQueryData(endpointQuery(getPipeline, { params: { entityId: known.data } }))
    .catch(() => undefined);
  return row?.pipelineStatus === "PUBLISHED" || row?.pipelineStatus === "PUBLISHED_WITH_DRAFT" ? "published" : "draft";
}

/** The address keeps its query on the way. */
function lead(path: string, { searchStr }: { searchStr: string }): void {
  redirect({ href: `${path}${searchStr}`, replace: true, throw: true });
}

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio",
  beforeLoad: ({ location }) => lead(`/sync-studio/${lastTab()}`, location),
});

const entitiesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity",
  beforeLoad: ({ location }) => lead(`/sync-studio/${lastTab()}`, location),
});

const entityRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId",
  beforeLoad: ({ params, location }) =>
    lead(`/sync-studio/${lastTab()}/${encodeURIComponent(params.entityId)}`, location),
});

/** Pages of an entity, under the address of the tab that leads to them. */
const underTabRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/details/$entityId/$page/$",
  beforeLoad: ({ location }) =>
    lead(location.pathname.replace("/sync-studio/details/", "/sync-studio/entity/"), location),
});

// Without a part of their own before the rest, these would take the addresses above as well.
const unknownTabRoute = createRoute({ getParentRoute: () => signedInRoute, path: "/sync-studio/$tabId/$", component });
const unknownPageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/$page/$",
  component,
});

export const addressRoutes = [
  homeRoute,
  entitiesRoute,
  entityRoute,
  underTabRoute,
  unknownTabRoute,
  unknownPageRoute,
] as const;
