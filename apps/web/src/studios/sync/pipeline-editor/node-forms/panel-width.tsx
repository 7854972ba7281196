/** How wide the form of a node is beside the graph: narrow, or extra large for conditions and tables. Kept in the browser. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowsDiagonal, IconArrowsDiagonalMinimize2 } from "@tabler/icons-react";
import { useState } from "react";
import { z } from "zod";
import { useWords } from "../../../../app/words.ts";
import { keepInBrowser, readInBrowser } from "../../../../shared/browser-storage.ts";

export const NARROW_PX = 420;
/** As wide as an extra large drawer. */
export const EXTRA_LARGE_PX = 780;
const KEY = "accord.pipeline.formWidth";
const Kept = z.literal("xl");

/** Of the form that opens next. */
export const formWidth = (): number => (readInBrowser(KEY, Kept) === null ? NARROW_PX : EXTRA_LARGE_PX);

export function usePanelWidth(): [number, (width: number) => void] {
  const [width, setWidth] = useState(formWidth);
  const change = (next: number) => {
    setWidth(next);
    keepInBrowser(KEY, next === EXTRA_LARGE_PX ? "xl" : null);
  };
  return [width, change];
}

export function PanelWidthSwitch({ width, onChange }: { width: number; onChange: (width: number) => void }) {
  const { t } = useWords("sync");
  const isWide = width === EXTRA_LARGE_PX;
  const label = t(isWide ? "configure.narrow" : "configure.widen");
  const Icon = isWide ? IconArrowsDiagonalMinimize2 : IconArrowsDiagonal;
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        aria-pressed={isWide}
        onClick={() => onChange(isWide ? NARROW_PX : EXTRA_LARGE_PX)}
      >
        <Icon size={17} />
      </ActionIcon>
    </Tooltip>
  );
}
