/** The editor of a field pipeline: the graph of one core field, with its own palette, draft and problems. */
import { Skeleton } from "@mantine/core";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { OpenedFieldGraph } from "@accord/contracts/sync/field-pipelines";
import type { Graph } from "@accord/contracts/sync/graph";
import { id, type Id } from "@accord/contracts";
import { useParams, useSearch } from "@tanstack/react-router";
import { ReactFlowProvider } from "@xyflow/react";
import { useMemo, useState } from "react";
import { isNotFound } from "../../../../app/api-error.ts";
import { useCan, useSession } from "../../../../app/session.ts";
import { QueryError, QueryView } from "../../../../shared/query-view.tsx";
import { graphVersionOf, type Version } from "../../addresses/graph-version.ts";
import { StudioNotFound } from "../../addresses/studio-not-found.tsx";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import type { EditorSearch } from "../editor-search.ts";
import { useCoreEntity, useEntityGraph, useOpenedFieldGraph, usePipelineRowNow } from "../queries.ts";
import { TryProvider } from "../try/try-context.tsx";
import { fieldAsOpened } from "./field-as-opened.ts";
import { FieldEditor } from "./field-editor.tsx";
import { type FieldScope, FieldScopeProvider } from "./field-scope.ts";
import { NoFieldPipeline } from "./no-field-pipeline.tsx";

interface Address {
  entityId: Id<"entity">;
  fieldId: Id<"field">;
  version: Version;
}

export function FieldEditorScreen() {
  const params = useParams({ strict: false });
  const version = graphVersionOf(params.graphVersion ?? "");
  const entity = id("entity").safeParse(params.entityId);
  const field = id("field").safeParse(params.fieldId);
  if (!version || !entity.success || !field.success) return <StudioNotFound />;
  const address = { entityId: entity.data, fieldId: field.data, version };
  return <OfVersion key={`${address.entityId} ${address.fieldId} ${version}`} {...address} />;
}

const FrameSkeleton = () => <Skeleton height="100%" radius={0} />;

function OfVersion(address: Address) {
  const { entityId, fieldId, version } = address;
  const opened = useOpenedFieldGraph(entityId, fieldId, version, true);
  const entity = useCoreEntity(entityId);
  if (opened.isError && isNotFound(opened.error)) return <NoFieldPipeline {...address} />;
  // What other screens read of it may be older than what is saved by now.
  if (!opened.isFetchedAfterMount && !opened.isError) return <FrameSkeleton />;
  return (
    <QueryView isScreen query={opened} skeleton={<FrameSkeleton />}>
      {(graph) => (
        <QueryView isScreen query={entity} skeleton={<FrameSkeleton />}>
          {(core) => <BesideEntity {...address} opened={graph} entity={core} />}
        </QueryView>
      )}
    </QueryView>
  );
}

/** The entity pipeline says which systems there are: without it nothing of a field pipeline can be judged. */
function BesideEntity({ opened, entity, ...address }: Address & { opened: OpenedFieldGraph; entity: CoreEntity }) {
  const row = usePipelineRowNow(address.entityId);
  const hasDraft = row.data?.pipelineStatus === "DRAFT" || row.data?.pipelineStatus === "PUBLISHED_WITH_DRAFT";
  const isDraft = address.version === "draft" && hasDraft;
  const entityVersion: Version = isDraft || row.data?.pipelineStatus === "DRAFT" ? "draft" : "published";
  const entityGraph = useEntityGraph(address.entityId, entityVersion, row.isFetchedAfterMount);
  const beside = useLastBeside(entityGraph.data?.graph, entityVersion);
  const field = entity.fields.find((one) => one.id === address.fieldId);
  if (!field) return <NoFieldPipeline {...address} />;
  // The draft may have been made a moment ago.
  if (!row.isFetchedAfterMount && !row.isError) return <FrameSkeleton />;
  if (!beside)
    return (
      <QueryView isScreen query={row} skeleton={<FrameSkeleton />}>
        {() => (
          <QueryView isScreen query={entityGraph} skeleton={<FrameSkeleton />}>
            {() => null}
          </QueryView>
        )}
      </QueryView>
    );
  const failed = [row, entityGraph].find(({ isError }) => isError);
  return (
    <>
      {failed ? <QueryError error={failed.error} onRetry={() => void failed.refetch()} /> : null}
      <OpenEditor
        opened={opened}
        entityName={entity.displayName}
        {...address}
        scope={{ fieldId: address.fieldId, field, ...beside }}
      />
    </>
  );
}

type Beside = Pick<FieldScope, "entityGraph" | "entityVersion">;

/** The last entity graph that was read: the editor keeps its edits while another version of it is read, or that fails. */
function useLastBeside(entityGraph: Graph | undefined, entityVersion: Version): Beside | undefined {
  const [last, setLast] = useState<Beside>();
  if (!entityGraph || (last?.entityGraph === entityGraph && last.entityVersion === entityVersion)) return last;
  const next = { entityGraph, entityVersion };
  setLast(next);
  return next;
}

interface OpenEditorProps extends Address {
  opened: OpenedFieldGraph;
  entityName: string;
  scope: FieldScope;
}

function OpenEditor({ opened, scope: given, ...address }: OpenEditorProps) {
  const mayWrite = useCan("WRITE_STUDIO");
  const { id: userId } = useSession();
  const { beside }: EditorSearch = useSearch({ strict: false });
  const [store] = useState(() =>
    createEditorStore(fieldAsOpened(opened), {
      mayWrite,
      panel: beside === "try" || beside === "tests" ? beside : undefined,
    }),
  );
  const { fieldId, field, entityGraph, entityVersion } = given;
  const scope = useMemo(
    () => ({ fieldId, field, entityGraph, entityVersion }),
    [entityGraph, entityVersion, field, fieldId],
  );
  return (
    <FieldScopeProvider value={scope}>
      <EditorProvider value={store}>
        <TryProvider entityId={address.entityId} userId={userId} isOffered={mayWrite}>
          <ReactFlowProvider>
            <FieldEditor {...address} first={opened} mayWrite={mayWrite} scope={scope} />
          </ReactFlowProvider>
        </TryProvider>
      </EditorProvider>
    </FieldScopeProvider>
  );
}
