/** The icon of a metric, and its thumbnail. */
import { IconNumber123 } from "@tabler/icons-react";
import type { CardIcons, ThumbnailProps } from "../card-icons.ts";

export const metricIcons: CardIcons = { Icon: IconNumber123, Thumbnail: MetricThumbnail };

function MetricThumbnail({ left, top, width, height, color }: ThumbnailProps) {
  return (
    <rect x={left} y={top + height * 0.25} width={width * 0.5} height={Math.min(height * 0.4, 6)} rx={1} fill={color} />
  );
}
