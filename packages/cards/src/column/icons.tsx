/** The icon of upright columns, and its thumbnail. */
import { IconChartBar } from "@tabler/icons-react";
import type { CardIcons, ThumbnailProps } from "../card-icons.ts";

export const columnIcons: CardIcons = { Icon: IconChartBar, Thumbnail: ColumnThumbnail };

const LEVELS = [0.5, 0.8, 0.35, 1, 0.65];

function ColumnThumbnail({ left, top, width, height, color }: ThumbnailProps) {
  return LEVELS.map((level, bar) => (
    <rect
      key={bar}
      x={left + (width / LEVELS.length) * bar}
      y={top + height * (1 - level)}
      width={width / 8}
      height={height * level}
      fill={color}
    />
  ));
}
