/** Zooming with the mouse at hand: in, out, everything; and tidying up a draft. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconLayoutDistributeVertical, IconMaximize, IconMinus, IconPlus } from "@tabler/icons-react";
import { Panel, useReactFlow, type FitViewOptions } from "@xyflow/react";
import { flushSync } from "react-dom";
import { useWords } from "../../../../../app/words.ts";

export const MIN_ZOOM = 0.05;
/**
 * Everything means everything, however small it gets; a small graph is not blown up. At the left there is room for these
 * controls, at the right for what adds a node behind the last ones.
 */
export const FIT: FitViewOptions = {
  padding: { top: 0.06, bottom: 0.06, left: "62px", right: "46px" },
  maxZoom: 1,
  minZoom: MIN_ZOOM,
};

const GLIDE_MS = 140;
/** Of the view, when it is zoomed; none for who wants no motion. */
const motion = (): { duration?: number } =>
  matchMedia("(prefers-reduced-motion: reduce)").matches ? {} : { duration: GLIDE_MS };

interface Props {
  onShowEverything: () => void;
  /** Answers whether the graph was tidied up. */
  onTidy: (() => Promise<boolean>) | undefined;
}

export function ZoomControls({ onShowEverything, onTidy }: Props) {
  const { t } = useWords("sync");
  const flow = useReactFlow();
  const actions = [
    { words: t("editor.zoomIn"), icon: <IconPlus size={15} />, run: () => void flow.zoomIn(motion()) },
    { words: t("editor.zoomOut"), icon: <IconMinus size={15} />, run: () => void flow.zoomOut(motion()) },
    { words: `${t("editor.fit")} · 1`, icon: <IconMaximize size={15} />, run: onShowEverything },
  ];
  const tidy = {
    words: `${t("editor.tidy")} · T`,
    icon: <IconLayoutDistributeVertical size={15} />,
    run: () =>
      void onTidy?.().then((isTidied) => {
        if (!isTidied) return;
        // Drawn first: everything is where the moved nodes are.
        flushSync(() => {});
        onShowEverything();
      }),
  };
  return (
    <Panel position="top-left">
      <ActionIcon.Group orientation="vertical">
        {[...actions, ...(onTidy ? [tidy] : [])].map((action) => (
          <Tooltip key={action.words} label={action.words} openDelay={500} position="right">
            <ActionIcon variant="default" size={30} aria-label={action.words} onClick={action.run}>
              {action.icon}
            </ActionIcon>
          </Tooltip>
        ))}
      </ActionIcon.Group>
    </Panel>
  );
}
