/** No such field, or a field without this version of a pipeline: says so and offers the one next step. */
import { EmptyState } from "@accord/ui";
import { Button, Group } from "@mantine/core";
import { IconMoodPuzzled, IconRoute } from "@tabler/icons-react";
import { createFieldDraft, getFieldGraph, listFieldPipelines } from "@accord/contracts/sync/field-pipelines";
import { getPipeline, getPipelineGraph } from "@accord/contracts/sync/pipelines";
import type { Id } from "@accord/contracts";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCall } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { toast } from "../../../../shared/toast.tsx";
import type { Version } from "../../addresses/graph-version.ts";
import { useEntityPage } from "../../addresses/use-entity-page.ts";
import type { EditorSearch } from "../editor-search.ts";
import { NextStepButton } from "../next-step/next-step-button.tsx";
import { useCoreEntity, useFieldPipelines } from "../queries.ts";
import { useFieldCrumbs } from "./use-field-crumbs.ts";

interface Props {
  entityId: Id<"entity">;
  fieldId: Id<"field">;
  version: Version;
}

/** The entity pipeline, where no field has this address. */
export function UnknownField({ entityId, name }: { entityId: Id<"entity">; name: string }) {
  const { t } = useWords("sync");
  const title = t("fieldPipeline.unknown", { name });
  useEntityPage(
    entityId,
    title,
    { label: t("editor.crumb"), to: `/sync-studio/entity/${entityId}/pipeline` },
    { label: title },
  );
  return (
    <EmptyState
      isPage
      icon={<IconMoodPuzzled size={22} />}
      title={title}
      body={t("fieldPipeline.unknownHint")}
      action={
        <Button component={Link} to={`/sync-studio/entity/${entityId}/pipeline`}>
          {t("fieldPipeline.openEntity")}
        </Button>
      }
    />
  );
}

export function NoFieldPipeline({ entityId, fieldId, version }: Props) {
  const entity = useCoreEntity(entityId);
  const pipelines = useFieldPipelines(entityId);
  return (
    <QueryView isScreen query={entity} skeleton={null}>
      {({ displayName, fields }) => {
        const field = fields.find(({ id }) => id === fieldId);
        if (!field) return <UnknownField entityId={entityId} name={displayName} />;
        return (
          <QueryView isScreen query={pipelines} skeleton={null}>
            {({ fields: rows }) => {
              const row = rows.find(({ id }) => id === fieldId);
              const has = { draft: Boolean(row?.draft), published: row?.hasPublished === true };
              return <Missing {...{ entityId, fieldId, version, has }} field={field.displayName} />;
            }}
          </QueryView>
        );
      }}
    </QueryView>
  );
}

interface MissingProps extends Props {
  field: string;
  has: { draft: boolean; published: boolean };
}

function Missing({ entityId, fieldId, version, field, has }: MissingProps) {
  const { t } = useWords("sync");
  const mayWrite = useCan("WRITE_STUDIO");
  const navigate = useNavigate();
  const { fromNode }: EditorSearch = useSearch({ strict: false });
  const title = t("fieldPipeline.pageTitle", { field });
  useFieldCrumbs(entityId, title, field);
  const open = (graphVersion: Version) =>
    navigate({
      to: "/sync-studio/entity/$entityId/field/$fieldId/pipeline/$graphVersion",
      params: { entityId, fieldId, graphVersion },
      search: { fromNode },
    });
  const create = useCall(createFieldDraft, {
    refreshes: [getFieldGraph, listFieldPipelines, getPipeline, getPipelineGraph],
    onError: (error) => toast.failed(error),
    onSuccess: () => open("draft"),
  });
  const other: Version = version === "draft" ? "published" : "draft";
  const state = has.published ? "noDraft" : has.draft ? "nonePublished" : "none";
  return (
    <EmptyState
      isPage
      icon={<IconRoute size={22} />}
      title={t(`fieldPipeline.${state}`, { field })}
      body={t(`fieldPipeline.${state}Hint`, { field })}
      action={
        <Group gap={8} justify="center">
          {has[other] ? (
            <Button variant="default" onClick={() => void open(other)}>
              {t(other === "draft" ? "menu.goToDraft" : "conflict.takeTheirs_published")}
            </Button>
          ) : null}
          {mayWrite && !has.draft ? (
            <NextStepButton
              isPending={create.isPending}
              onPress={() => create.mutate({ params: { entityId, fieldId }, body: {} })}
            >
              {t(has.published ? "editor.createDraft" : "fieldPipeline.create")}
            </NextStepButton>
          ) : null}
        </Group>
      }
    />
  );
}
