/** Zooming with the mouse at hand: in, out, everything. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconMaximize, IconMinus, IconPlus } from "@tabler/icons-react";
import { Panel, useReactFlow, type FitViewOptions } from "@xyflow/react";
import { useWords } from "../../../../app/words.ts";

export const FIT: FitViewOptions = { padding: 0.06, maxZoom: 1 };
const MOTION = { duration: 140 };

export function ZoomControls() {
  const { t } = useWords("sync");
  const flow = useReactFlow();
  const deeds = [
    { words: t("editor.zoomIn"), icon: <IconPlus size={15} />, run: () => flow.zoomIn(MOTION) },
    { words: t("editor.zoomOut"), icon: <IconMinus size={15} />, run: () => flow.zoomOut(MOTION) },
    { words: t("editor.fit"), icon: <IconMaximize size={15} />, run: () => flow.fitView({ ...FIT, ...MOTION }) },
  ];
  return (
    <Panel position="bottom-left">
      <ActionIcon.Group orientation="vertical">
        {deeds.map((deed) => (
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
