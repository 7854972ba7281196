/** The bar over the graph: versions, undo, what is saved, and the way to publishing. */
import { PageHeader, StatusTag } from "@accord/ui";
import { ActionIcon, Button, Group, SegmentedControl, Tooltip, VisuallyHidden } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconHistory,
  IconLayoutList,
  IconRocket,
  IconSchema,
  IconTestPipe,
} from "@tabler/icons-react";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { useWords } from "../../../../app/words.ts";
import { useEditor, useReadOnly } from "../editor-context.tsx";
import type { Draft } from "../use-draft.ts";
import { RunStatusBar } from "./run-strip.tsx";
import { SaveIndicator } from "./save-indicator.tsx";

interface Props {
  row: PipelineRow | undefined;
  name: string;
  view: "graph" | "list";
  draft: Draft;
  mayWrite: boolean;
  /** Id of an older version that is looked at. */
  versionId: string | undefined;
  onVersions: () => void;
  onTests: () => void;
  onView: (view: "graph" | "list") => void;
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
  const versions = [
    { value: "draft", label: t("editor.draft"), disabled: !opened.hasDraft && !props.mayWrite },
    { value: "published", label: t("editor.published"), disabled: !opened.hasPublished },
  ];
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
        <Group gap={8}>
          <SegmentedControl
            aria-label={t("editor.version")}
            data={versions}
            value={props.versionId ? "" : opened.graphVersion}
            onChange={(value) => props.onVersion(value === "published" ? "published" : "draft")}
          />
          <SegmentedControl
            aria-label={t("editor.view")}
            data={[
              { value: "graph", label: <ViewLabel icon={<IconSchema size={15} />} text={t("editor.graphView")} /> },
              { value: "list", label: <ViewLabel icon={<IconLayoutList size={15} />} text={t("editor.listView")} /> },
            ]}
            value={props.view}
            onChange={(value) => props.onView(value === "list" ? "list" : "graph")}
          />
          <PanelButton name={t("versions.open")} isOpen={panel === "versions"} onPress={props.onVersions}>
            <IconHistory size={16} />
          </PanelButton>
          {props.versionId ? null : (
            <PanelButton name={t("tests.open")} isOpen={panel === "tests"} onPress={props.onTests}>
              <IconTestPipe size={16} />
            </PanelButton>
          )}
          {readOnly ? <ReadOnlyActions {...props} /> : <DraftActions {...props} />}
        </Group>
      }
    />
  );
}

interface PanelButtonProps {
  name: string;
  isOpen: boolean;
  onPress: () => void;
  /** Its icon. */
  children: React.ReactNode;
}

/** Opens and closes a panel beside the graph. */
function PanelButton({ name, isOpen, onPress, children }: PanelButtonProps) {
  return (
    <Tooltip label={name} openDelay={500}>
      <ActionIcon variant="default" size={30} aria-label={name} aria-expanded={isOpen} onClick={onPress}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

/** An icon whose words are for screen readers and the tooltip. */
function ViewLabel({ icon, text }: { icon: React.ReactNode; text: string }) {
  return (
    <span className="ac-view-label" title={text}>
      {icon}
      <VisuallyHidden>{text}</VisuallyHidden>
    </span>
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
  const canUndo = useEditor((state) => state.past.length > 0);
  const canRedo = useEditor((state) => state.future.length > 0);
  const undo = useEditor((state) => state.undo);
  const redo = useEditor((state) => state.redo);
  const hasPublished = useEditor((state) => state.opened.hasPublished);
  const isTesting = useEditor((state) => state.isTesting);
  return (
    <>
      {isTesting ? (
        <StatusTag tone="info" busy title={t("tests.running")}>
          {t("tests.locked")}
        </StatusTag>
      ) : null}
      <SaveIndicator saveState={draft.saveState} onRetry={() => void draft.save()} onDecide={onDecide} />
      <ActionIcon.Group>
        <Tooltip label={`${t("editor.undo")} · Ctrl Z`} openDelay={500}>
          <ActionIcon
            variant="default"
            size={30}
            onClick={undo}
            disabled={!canUndo || isTesting}
            aria-label={t("editor.undo")}
          >
            <IconArrowBackUp size={16} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={`${t("editor.redo")} · Shift Ctrl Z`} openDelay={500}>
          <ActionIcon
            variant="default"
            size={30}
            onClick={redo}
            disabled={!canRedo || isTesting}
            aria-label={t("editor.redo")}
          >
            <IconArrowForwardUp size={16} />
          </ActionIcon>
        </Tooltip>
      </ActionIcon.Group>
      {hasPublished ? (
        <Button variant="subtle" color="gray" onClick={onDiscard} loading={draft.busy === "discarding"}>
          {t("editor.discardDraft")}
        </Button>
      ) : null}
      <Button variant="default" onClick={() => void draft.validate()} loading={draft.busy === "validating"}>
        {t("editor.validate")}
      </Button>
      <Button leftSection={<IconRocket size={16} />} onClick={onPublish} loading={draft.busy === "publishing"}>
        {t("editor.publish")}
      </Button>
    </>
  );
}
