/** No such draft or published version: says so and offers the one next step. */
import { EmptyState } from "@accord/ui";
import { Button, Group } from "@mantine/core";
import { IconSchema } from "@tabler/icons-react";
import { createPipelineDraft, getPipeline, getPipelineGraph } from "@accord/contracts/sync/pipelines";
import type { Id } from "@accord/contracts";
import { useNavigate } from "@tanstack/react-router";
import { useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { useEntityPage } from "../addresses/use-entity-page.ts";
import type { Version } from "./address.ts";
import { NextStepButton } from "./next-step/next-step-button.tsx";
import { useCoreEntity, usePipelineRow } from "./queries.ts";

export function NoPipeline({ entityId, version }: { entityId: Id<"entity">; version: Version }) {
  const { t } = useWords("sync");
  const mayWrite = useCan("WRITE_STUDIO");
  const navigate = useNavigate();
  const entity = useCoreEntity(entityId);
  const row = usePipelineRow(entityId).data;
  const name = entity.data?.displayName ?? "";
  useEntityPage(entityId, t("editor.pageTitle", { name }), { label: t("editor.crumb") });
  const create = useCall(createPipelineDraft, {
    refreshes: [getPipelineGraph, getPipeline],
    onError: (error) => toast.failed(error),
    onSuccess: () => {
      toast.success(t("menu.draftCreated", { name }));
      return openVersion("draft");
    },
  });
  const openVersion = (graphVersion: Version) =>
    navigate({ to: "/sync-studio/entity/$entityId/pipeline/$graphVersion", params: { entityId, graphVersion } });
  if (entity.isError)
    return (
      <QueryView isScreen query={entity} skeleton={null}>
        {() => null}
      </QueryView>
    );
  const published = row?.pipelineStatus === "PUBLISHED";
  return (
    <EmptyState
      isPage
      icon={<IconSchema size={22} />}
      title={t(version === "draft" ? "editor.noDraft" : "editor.noPublished", { name })}
      body={t(published ? "editor.noDraftHint" : "editor.noPipelineHint", { name })}
      action={
        <Group gap={8} justify="center">
          {published && version === "draft" ? (
            <Button variant="default" onClick={() => void openVersion("published")}>
              {t("menu.goToPipeline")}
            </Button>
          ) : null}
          {mayWrite ? (
            <NextStepButton
              isPending={create.isPending}
              onPress={() => create.mutate({ params: { entityId }, body: {} })}
            >
              {t("editor.createDraft")}
            </NextStepButton>
          ) : null}
        </Group>
      }
    />
  );
}
