/** One cycle of the log: the records that it changed and what it met. */
import type { Id } from "@accord/contracts";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { Drawer } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import { CycleById } from "../../pipelines/parts/cycles/cycle-by-id.tsx";

const WIDTH = 900;

interface Props {
  row: PipelineRow;
  cycleId: Id<"run"> | undefined;
  onClose: () => void;
}

export function CycleDrawer({ row, cycleId, onClose }: Props) {
  const { t } = useWords("sync");
  return (
    <Drawer opened={cycleId !== undefined} onClose={onClose} size={WIDTH} position="right" title={t("logs.cycle")}>
      {cycleId ? <CycleById key={cycleId} row={row} cycleId={cycleId} /> : null}
    </Drawer>
  );
}
