/** Field pipelines: `/sync-studio/entity/{entityId}/field/{fieldId}/pipeline/{graphVersion}` and its problem views. */
import { id } from "@accord/contracts";
import { createRoute, redirect } from "@tanstack/react-router";
import { lazyScreen } from "../../../../app/lazy-screen.ts";
import { endpointQuery, queryClient } from "../../../../app/queries.ts";
import { signedInRoute } from "../../../../frame/root-routes.tsx";
import { respelled, type Version } from "../../addresses/graph-version.ts";
import { type EditorSearch, editorSearch } from "../editor-search.ts";

const component = lazyScreen(() => import("./field-editor-screen.tsx"), "FieldEditorScreen");

const PATH = "/sync-studio/entity/$entityId/field/$fieldId/pipeline";

interface FieldParams {
  entityId: string;
  fieldId: string;
}

/** The version to open where an address names none: what runs, unless there is only a draft. */
async function versionToOpen({ entityId, fieldId }: FieldParams): Promise<Version> {
  const known = id("entity").safeParse(entityId);
  if (!known.success) return "draft";
  // Only this address needs the call: it is no part of the first screen.
  const { listFieldPipelines } = await import("@accord/contracts/sync/field-pipelines");
  const list = await queryClient
    .ensureQueryData(endpointQuery(listFieldPipelines, { params: { entityId: known.data } }))
    .catch(() => undefined);
  return list?.fields.find((field) => field.id === fieldId)?.hasPublished ? "published" : "draft";
}

type End = "" | "/validation" | "/pipeline-error";

/** Leads to the address with the version in its one form; does nothing where it stands there already. */
function lead(end: End, { entityId, fieldId }: FieldParams, graphVersion: Version | null): void {
  if (graphVersion)
    redirect({
      to: `${PATH}/$graphVersion${end}`,
      params: { entityId, fieldId, graphVersion },
      search: (old: EditorSearch) => old,
      replace: true,
      throw: true,
    });
}

const anyVersionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: PATH,
  beforeLoad: async ({ params }) => lead("", params, await versionToOpen(params)),
});

/** Without a version: of what can still be changed. */
const anyValidationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: `${PATH}/validation`,
  beforeLoad: ({ params }) => lead("/validation", params, "draft"),
});

const anyErrorRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: `${PATH}/pipeline-error`,
  beforeLoad: async ({ params }) => lead("/pipeline-error", params, await versionToOpen(params)),
});

const graphRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: `${PATH}/$graphVersion`,
  validateSearch: editorSearch,
  beforeLoad: ({ params }) => lead("", params, respelled(params.graphVersion)),
  component,
});

const validationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: `${PATH}/$graphVersion/validation`,
  validateSearch: editorSearch,
  beforeLoad: ({ params }) => lead("/validation", params, respelled(params.graphVersion)),
  component,
});

const pipelineErrorRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: `${PATH}/$graphVersion/pipeline-error`,
  validateSearch: editorSearch,
  beforeLoad: ({ params }) => lead("/pipeline-error", params, respelled(params.graphVersion)),
  component,
});

export const fieldPipelineRoutes = [
  anyVersionRoute,
  anyValidationRoute,
  anyErrorRoute,
  graphRoute,
  validationRoute,
  pipelineErrorRoute,
] as const;
