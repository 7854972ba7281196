/** Controls that the bars over an entity pipeline and over a field pipeline share. */
import { StatusTag } from "@accord/ui";
import { ActionIcon, SegmentedControl, Tooltip, VisuallyHidden } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp, IconLayoutList, IconSchema, IconTrash } from "@tabler/icons-react";
import { useWords } from "../../../app/words.ts";
import { useEditor } from "./editor-context.tsx";

interface VersionSwitchProps {
  /** Empty: neither of them is shown. */
  value: "draft" | "published" | "";
  mayWrite: boolean;
  onVersion: (version: "draft" | "published") => void;
}

export function VersionSwitch({ value, mayWrite, onVersion }: VersionSwitchProps) {
  const { t } = useWords("sync");
  const opened = useEditor((state) => state.opened);
  return (
    <SegmentedControl
      aria-label={t("editor.version")}
      data={[
        { value: "draft", label: t("editor.draft"), disabled: !opened.hasDraft && !mayWrite },
        { value: "published", label: t("editor.published"), disabled: !opened.hasPublished },
      ]}
      value={value}
      onChange={(next) => onVersion(next === "published" ? "published" : "draft")}
    />
  );
}

export type GraphView = "graph" | "list";

export function ViewSwitch({ view, onView }: { view: GraphView; onView: (view: GraphView) => void }) {
  const { t } = useWords("sync");
  return (
    <SegmentedControl
      aria-label={t("editor.view")}
      data={[
        { value: "graph", label: <ViewLabel icon={<IconSchema size={15} />} text={t("editor.graphView")} /> },
        { value: "list", label: <ViewLabel icon={<IconLayoutList size={15} />} text={t("editor.listView")} /> },
      ]}
      value={view}
      onChange={(value) => onView(value === "list" ? "list" : "graph")}
    />
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

/** Says that nothing can be changed while a test runs. */
export function TestingTag() {
  const { t } = useWords("sync");
  const isTesting = useEditor((state) => state.isTesting);
  if (!isTesting) return null;
  return (
    <StatusTag tone="info" busy title={t("tests.running")}>
      {t("tests.locked")}
    </StatusTag>
  );
}

export function UndoButtons() {
  const { t } = useWords("sync");
  const canUndo = useEditor((state) => state.past.length > 0);
  const canRedo = useEditor((state) => state.future.length > 0);
  const undo = useEditor((state) => state.undo);
  const redo = useEditor((state) => state.redo);
  const isTesting = useEditor((state) => state.isTesting);
  return (
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
  );
}

export function DiscardButton({ isBusy, onDiscard }: { isBusy: boolean; onDiscard: () => void }) {
  const { t } = useWords("sync");
  return (
    <Tooltip label={t("editor.discardDraft")} openDelay={500}>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={t("editor.discardDraft")}
        onClick={onDiscard}
        loading={isBusy}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </Tooltip>
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
export function PanelButton({ name, isOpen, onPress, children }: PanelButtonProps) {
  return (
    <Tooltip label={name} openDelay={500}>
      <ActionIcon variant="default" size={30} aria-label={name} aria-expanded={isOpen} onClick={onPress}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
