/** The icon of a line, and its thumbnail. */
import { IconChartLine } from "@tabler/icons-react";
import type { CardIcons, ThumbnailProps } from "../card-icons.ts";

export const lineIcons: CardIcons = { Icon: IconChartLine, Thumbnail: LineThumbnail };

function LineThumbnail({ left, top, width, height, color }: ThumbnailProps) {
  const at = (share: number, level: number): string => `${left + width * share},${top + height * (1 - level)}`;
  const points = [at(0, 0.2), at(0.25, 0.55), at(0.5, 0.4), at(0.75, 0.8), at(1, 0.7)];
  return <polyline points={points.join(" ")} fill="none" stroke={color} strokeWidth={1.4} />;
}
