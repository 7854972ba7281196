/** The icon of a metric, and its picture in small. */
import { IconNumber123 } from "@tabler/icons-react";
import type { CardPictures, ThumbnailProps } from "../card-pictures.ts";

export const metricPictures: CardPictures = { Icon: IconNumber123, Thumbnail: MetricThumbnail };

function MetricThumbnail({ left, top, width, height, color }: ThumbnailProps) {
  return (
    <rect x={left} y={top + height * 0.25} width={width * 0.5} height={Math.min(height * 0.4, 6)} rx={1} fill={color} />
  );
}
