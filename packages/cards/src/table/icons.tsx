/** The icon of a table, and its thumbnail. */
import { IconTable } from "@tabler/icons-react";
import type { CardIcons, ThumbnailProps } from "../card-icons.ts";

export const tableIcons: CardIcons = { Icon: IconTable, Thumbnail: TableThumbnail };

function TableThumbnail({ left, top, width, height }: ThumbnailProps) {
  return [0, 1, 2, 3].map((row) => (
    <rect key={row} x={left} y={top + (height / 4) * row} width={width} height={0.8} fill="var(--ac-hairline)" />
  ));
}
