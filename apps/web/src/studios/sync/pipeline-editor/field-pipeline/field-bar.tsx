/** The bar over a field pipeline: versions, undo, what is saved, and whether it is ready to be published. */
import { BusyButton, PageHeader, StatusTag } from "@accord/ui";
import { Button, Group, Tooltip } from "@mantine/core";
import { IconArrowLeft, IconCheck, IconPlayerPlay, IconTestPipe } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Id } from "@accord/contracts";
import { useWords } from "../../../../app/words.ts";
import {
  DiscardButton,
  type GraphView,
  PanelButton,
  TestingTag,
  UndoButtons,
  VersionSwitch,
  ViewSwitch,
} from "../bar-parts.tsx";
import type { Draft } from "../draft/use-draft.ts";
import { SaveIndicator } from "../draft/save-indicator.tsx";
import { useEditor, useReadOnly } from "../editor-context.tsx";

interface FieldBarProps {
  entityId: Id<"entity">;
  field: string;
  /** Where the way back leads: the entity pipeline's version, and the node that led here. */
  back: { graphVersion: "draft" | "published"; nodeId: string | undefined; label: string };
  view: GraphView;
  draft: Draft;
  mayWrite: boolean;
  isReady: boolean;
  isMarking: boolean;
  onView: (view: GraphView) => void;
  onVersion: (version: "draft" | "published") => void;
  /** What stands beside the graph. */
  panel: string;
  onToggle: (beside: "try" | "tests") => void;
  onMark: (ready: boolean) => void;
  onDiscard: () => void;
  /** Two drafts stand against each other: which one stays? */
  onDecide: () => void;
}

export function FieldBar(props: FieldBarProps) {
  const { t } = useWords("sync");
  const opened = useEditor((state) => state.opened);
  const readOnly = useReadOnly();
  const isDraft = opened.graphVersion === "draft";
  return (
    <PageHeader
      title={t("fieldPipeline.pageTitle", { field: props.field })}
      tags={
        <>
          <StatusTag tone={isDraft ? "warn" : "ok"}>{t(isDraft ? "editor.draft" : "editor.published")}</StatusTag>
          {isDraft ? (
            <StatusTag tone={props.isReady ? "ok" : "idle"}>
              {t(props.isReady ? "fieldPipeline.ready" : "fieldPipeline.notReady")}
            </StatusTag>
          ) : null}
        </>
      }
      subtitle={<BackLink {...props} />}
      actions={
        <Group gap={6}>
          <VersionSwitch value={opened.graphVersion} mayWrite={props.mayWrite} onVersion={props.onVersion} />
          <ViewSwitch view={props.view} onView={props.onView} />
          <PanelButton name={t("tests.open")} isOpen={props.panel === "tests"} onPress={() => props.onToggle("tests")}>
            <IconTestPipe size={16} />
          </PanelButton>
          <PanelButton name={t("try.open")} isOpen={props.panel === "try"} onPress={() => props.onToggle("try")}>
            <IconPlayerPlay size={16} />
          </PanelButton>
          {readOnly ? <ReadOnlyActions {...props} /> : <DraftActions {...props} />}
        </Group>
      }
    />
  );
}

function BackLink({ entityId, back }: FieldBarProps) {
  const { t } = useWords("sync");
  return (
    <Link
      className="ac-field-back"
      to="/sync-studio/entity/$entityId/pipeline/$graphVersion"
      params={{ entityId, graphVersion: back.graphVersion }}
      search={back.nodeId ? { focusNodeId: back.nodeId } : {}}
    >
      <IconArrowLeft size={14} aria-hidden />
      {t("fieldPipeline.backTo", { label: back.label })}
    </Link>
  );
}

function ReadOnlyActions({ mayWrite, onVersion }: FieldBarProps) {
  const { t } = useWords("sync");
  const hasDraft = useEditor((state) => state.opened.hasDraft);
  if (!mayWrite) return <StatusTag tone="idle">{t("editor.noPermission")}</StatusTag>;
  return <Button onClick={() => onVersion("draft")}>{t(hasDraft ? "menu.goToDraft" : "editor.createDraft")}</Button>;
}

function DraftActions({ draft, isReady, isMarking, onMark, onDiscard, onDecide }: FieldBarProps) {
  const { t } = useWords("sync");
  const isTesting = useEditor((state) => state.isTesting);
  return (
    <>
      <TestingTag />
      <SaveIndicator saveState={draft.saveState} onRetry={() => void draft.save()} onDecide={onDecide} />
      <UndoButtons />
      <DiscardButton isBusy={draft.busy === "discarding"} onDiscard={onDiscard} />
      <BusyButton variant="default" onClick={() => void draft.validate()} busy={draft.busy === "validating"}>
        {t("editor.validate")}
      </BusyButton>
      <Tooltip label={t("fieldPipeline.markReadyHint")} multiline maw={280} openDelay={500}>
        <BusyButton
          variant={isReady ? "default" : "filled"}
          leftSection={isReady ? undefined : <IconCheck size={16} />}
          disabled={isTesting}
          busy={isMarking}
          onClick={() => onMark(!isReady)}
        >
          {t(isReady ? "fieldPipeline.markNotReady" : "fieldPipeline.markReady")}
        </BusyButton>
      </Tooltip>
    </>
  );
}
