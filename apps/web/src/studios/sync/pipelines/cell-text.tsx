/** Text of a cell of the pipelines table: two lines before it is cut, and the whole of it under the pointer. */
import { Tooltip } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

/** As long as the pointer rests on a cell before its tooltip shows. */
const TOOLTIP_DELAY_MS = 500;

/** `children`: one element that takes a ref. */
export function CellTip({ label, children }: { label: ReactNode; children: ReactElement }) {
  return (
    <Tooltip label={label} openDelay={TOOLTIP_DELAY_MS} multiline maw={320} disabled={!label}>
      {children}
    </Tooltip>
  );
}

export function CellText({ text }: { text: string }) {
  return (
    <CellTip label={text}>
      <span className="ac-pipelines__text">{text}</span>
    </CellTip>
  );
}
