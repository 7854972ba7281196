/** The icon of a donut, and its thumbnail. */
import { IconChartDonut } from "@tabler/icons-react";
import type { CardIcons, ThumbnailProps } from "../card-icons.ts";

export const pieIcons: CardIcons = { Icon: IconChartDonut, Thumbnail: PieThumbnail };

function PieThumbnail({ left, top, width, height, color }: ThumbnailProps) {
  return (
    <circle
      cx={left + width / 2}
      cy={top + height / 2}
      r={Math.max(Math.min(width, height) / 2 - 1, 1)}
      fill="none"
      stroke={color}
      strokeWidth={2.4}
    />
  );
}
