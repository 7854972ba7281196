/** The bar over the graph: versions, undo, what is saved, and the way to publishing. */
import { BusyButton, PageHeader, StatusTag } from "@accord/ui";
import { Button, Group, Tooltip } from "@mantine/core";
import { IconHistory, IconPlayerPlay, IconRocket, IconTestPipe } from "@tabler/icons-react";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { useWords } from "../../../app/words.ts";
import { EntityPagesMenu } from "../addresses/entity-pages.tsx";
import {
  DiscardButton,
  type GraphView,
  PanelButton,
  TestingTag,
  UndoButtons,
  VersionSwitch,
  ViewSwitch,
} from "./bar-parts.tsx";
import { useEditor, useReadOnly } from "./editor-context.tsx";
import type { Draft } from "./draft/use-draft.ts";
import { RunStatusBar } from "./flow/run-strip.tsx";
import { SaveIndicator } from "./draft/save-indicator.tsx";

interface Props {
  row: PipelineRow | undefined;
  name: string;
  view: GraphView;
  draft: Draft;
  mayWrite: boolean;
  /** Id of an older version that is looked at. */
  versionId: string | undefined;
  onVersions: () => void;
  onTests: () => void;
  onTry: () => void;
  onView: (view: GraphView) => void;
  onVersion: (version: "draft" | "published") => void;
  onPublish: () => void;
  onDiscard: () => void;
  /** Two drafts stand against each other: which one stays? */
  onDecide: () => void;
}

export function EditorBar(props: Props) {
  const { t } = useWords("sync");
  const opened = useEditor((state) => state.opened);
  const panel = useEditor((state) => state.panel);
  const readOnly = useReadOnly();
  return (
    <PageHeader
      title={t("editor.pageTitle", { name: props.name })}
      tags={
        props.versionId ? (
          <StatusTag tone="info" title={opened.versionName ?? undefined}>
            {t("versions.older", { number: opened.versionNumber })}
          </StatusTag>
        ) : (
          props.row?.pipelineStatusTagData.map((tag) => (
            <StatusTag key={tag} tone={tag === "Draft" ? "warn" : tag === "Published" ? "ok" : "idle"}>
              {tag}
            </StatusTag>
          ))
        )
      }
      subtitle={
        props.row && opened.hasPublished ? <RunStatusBar row={props.row} mayWrite={props.mayWrite} /> : undefined
      }
      actions={
        <Group gap={6}>
          <VersionSwitch
            value={props.versionId ? "" : opened.graphVersion}
            mayWrite={props.mayWrite}
            onVersion={props.onVersion}
          />
          <ViewSwitch view={props.view} onView={props.onView} />
          <PanelButton name={t("versions.open")} isOpen={panel === "versions"} onPress={props.onVersions}>
            <IconHistory size={16} />
          </PanelButton>
          {props.versionId ? null : (
            <>
              <PanelButton name={t("tests.open")} isOpen={panel === "tests"} onPress={props.onTests}>
                <IconTestPipe size={16} />
              </PanelButton>
              <PanelButton name={t("try.open")} isOpen={panel === "try"} onPress={props.onTry}>
                <IconPlayerPlay size={16} />
              </PanelButton>
            </>
          )}
          <EntityPagesMenu entityId={opened.entityId} />
          {readOnly ? <ReadOnlyActions {...props} /> : <DraftActions {...props} />}
        </Group>
      }
    />
  );
}

function ReadOnlyActions({ mayWrite, onVersion, versionId }: Props) {
  const { t } = useWords("sync");
  const opened = useEditor((state) => state.opened);
  if (versionId)
    return (
      <Button variant="default" onClick={() => onVersion(opened.hasPublished ? "published" : "draft")}>
        {t(opened.hasPublished ? "versions.backToNow" : "menu.goToDraft")}
      </Button>
    );
  if (!mayWrite) return <StatusTag tone="idle">{t("editor.noPermission")}</StatusTag>;
  return (
    <Tooltip label={opened.readOnlyReason ?? t("editor.readOnly")} openDelay={500}>
      <Button onClick={() => onVersion("draft")}>{t(opened.hasDraft ? "menu.goToDraft" : "editor.createDraft")}</Button>
    </Tooltip>
  );
}

function DraftActions({ draft, onPublish, onDiscard, onDecide }: Props) {
  const { t } = useWords("sync");
  const hasPublished = useEditor((state) => state.opened.hasPublished);
  return (
    <>
      <TestingTag />
      <SaveIndicator saveState={draft.saveState} onRetry={() => void draft.save()} onDecide={onDecide} />
      <UndoButtons />
      {hasPublished ? <DiscardButton isBusy={draft.busy === "discarding"} onDiscard={onDiscard} /> : null}
      <BusyButton variant="default" onClick={() => void draft.validate()} busy={draft.busy === "validating"}>
        {t("editor.validate")}
      </BusyButton>
      <BusyButton leftSection={<IconRocket size={16} />} onClick={onPublish} busy={draft.busy === "publishing"}>
        {t("editor.publish")}
      </BusyButton>
    </>
  );
}
