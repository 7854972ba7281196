/** The icon of lying bars, and their thumbnail. */
import { IconChartBar } from "@tabler/icons-react";
import type { CardIcons, ThumbnailProps } from "../card-icons.ts";

export const barIcons: CardIcons = {
  Icon: (props) => <IconChartBar {...props} style={{ transform: "rotate(90deg)" }} />,
  Thumbnail: BarThumbnail,
};

function BarThumbnail({ left, top, width, height, color }: ThumbnailProps) {
  return [1, 0.7, 0.45].map((level, bar) => (
    <rect key={bar} x={left} y={top + (height / 3) * bar} width={width * level} height={height / 5} fill={color} />
  ));
}
