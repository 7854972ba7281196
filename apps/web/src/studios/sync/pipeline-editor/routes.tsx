/** The pipeline editor: `/sync-studio/entity/{entityId}/pipeline/{graphVersion}`, its problem views, and older versions. */
import type { Id } from "@accord/contracts";
import { createRoute, redirect } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";
import { respelled } from "../addresses/graph-version.ts";
import { versionToOpen } from "../addresses/routes.tsx";
import { type EditorSearch, editorSearch } from "./editor-search.ts";
import { fieldPipelineRoutes } from "./field-pipeline/routes.tsx";

const component = lazyScreen(() => import("./editor-screen.tsx"), "EditorScreen");

/** Ids in addresses are texts; the server refuses what is none. */
const ofVersion = z.object({ entityId: z.string(), versionId: z.custom<Id<"pipelineVersion">>() });

export type { EditorSearch } from "./editor-search.ts";

const pipelineRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/pipeline",
  beforeLoad: async ({ params }) => {
    redirect({
      to: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
      params: { ...params, graphVersion: await versionToOpen(params.entityId) },
      search: (old) => old,
      replace: true,
      throw: true,
    });
  },
});

/** `approved`, `new` and capitals lead to the address in its one form. */
function respell(
  to: `/sync-studio/entity/$entityId/pipeline/$graphVersion${"" | "/validation" | "/pipeline-error"}`,
  params: { entityId: string; graphVersion: string },
): void {
  const graphVersion = respelled(params.graphVersion);
  if (graphVersion)
    redirect({
      to,
      params: { ...params, graphVersion },
      search: (old: EditorSearch) => old,
      replace: true,
      throw: true,
    });
}

export const editorRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
  validateSearch: editorSearch,
  beforeLoad: ({ params: { entityId, graphVersion }, search: { version, ...rest } }) => {
    if (version)
      redirect({
        to: "/sync-studio/entity/$entityId/versions/$versionId",
        params: { entityId, versionId: version },
        search: rest,
        replace: true,
        throw: true,
      });
    respell("/sync-studio/entity/$entityId/pipeline/$graphVersion", { entityId, graphVersion });
  },
  component,
});

/** A version as it was published. */
export const versionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/versions/$versionId",
  params: { parse: (params) => ofVersion.parse(params) },
  validateSearch: editorSearch,
  component,
});

export const validationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/pipeline/$graphVersion/validation",
  validateSearch: editorSearch,
  beforeLoad: ({ params }) => respell("/sync-studio/entity/$entityId/pipeline/$graphVersion/validation", params),
  component,
});

export const pipelineErrorRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sync-studio/entity/$entityId/pipeline/$graphVersion/pipeline-error",
  validateSearch: editorSearch,
  beforeLoad: ({ params }) => respell("/sync-studio/entity/$entityId/pipeline/$graphVersion/pipeline-error", params),
  component,
});

export const pipelineEditorRoutes = [
  ...fieldPipelineRoutes,
  pipelineRoute,
  editorRoute,
  versionRoute,
  validationRoute,
  pipelineErrorRoute,
] as const;
