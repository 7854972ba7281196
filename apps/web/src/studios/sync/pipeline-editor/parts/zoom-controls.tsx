/** Zooming with the mouse at hand: in, out, everything; and tidying up a draft. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconLayoutDistributeVertical, IconMaximize, IconMinus, IconPlus } from "@tabler/icons-react";
import { Panel, useReactFlow, type FitViewOptions } from "@xyflow/react";
import { useWords } from "../../../../app/words.ts";

/** On a narrow screen the middle is shown at a size that can be read, rather than everything too small. */
export const FIT: FitViewOptions = { padding: 0.06, maxZoom: 1, minZoom: 0.5 };
const MOTION = { duration: 140 };

/** The moved nodes are drawn before the view follows them. */
const DRAWN_MS = 50;

export function ZoomControls({ onTidy }: { onTidy: (() => void) | undefined }) {
  const { t } = useWords("sync");
  const flow = useReactFlow();
  const deeds = [
    { words: t("editor.zoomIn"), icon: <IconPlus size={15} />, run: () => flow.zoomIn(MOTION) },
    { words: t("editor.zoomOut"), icon: <IconMinus size={15} />, run: () => flow.zoomOut(MOTION) },
    { words: t("editor.fit"), icon: <IconMaximize size={15} />, run: () => flow.fitView({ ...FIT, ...MOTION }) },
  ];
  const tidy = {
    words: `${t("editor.tidy")} · T`,
    icon: <IconLayoutDistributeVertical size={15} />,
    run: async () => {
      onTidy?.();
      await new Promise((drawn) => setTimeout(drawn, DRAWN_MS));
      return flow.fitView({ ...FIT, ...MOTION });
    },
  };
  return (
    <Panel position="bottom-left">
      <ActionIcon.Group orientation="vertical">
        {[...deeds, ...(onTidy ? [tidy] : [])].map((deed) => (
          <Tooltip key={deed.words} label={deed.words} openDelay={500} position="right">
            <ActionIcon variant="default" size={30} aria-label={deed.words} onClick={() => void deed.run()}>
              {deed.icon}
            </ActionIcon>
          </Tooltip>
        ))}
      </ActionIcon.Group>
    </Panel>
  );
}
