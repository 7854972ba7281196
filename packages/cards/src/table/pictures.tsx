/** The icon of a table, and its picture in small. */
import { IconTable } from "@tabler/icons-react";
import type { CardPictures, ThumbnailProps } from "../card-pictures.ts";

export const tablePictures: CardPictures = { Icon: IconTable, Thumbnail: TableThumbnail };

function TableThumbnail({ left, top, width, height }: ThumbnailProps) {
  return [0, 1, 2, 3].map((row) => (
    <rect key={row} x={left} y={top + (height / 4) * row} width={width} height={0.8} fill="var(--ac-hairline)" />
  ));
}
