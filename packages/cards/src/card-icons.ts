/** How a card type is recognized at a glance: its icon, and a thumbnail of its marks. */
import type { ComponentType } from "react";

/** As those of the icon library. */
interface IconProps {
  size: number;
  stroke: number;
  "aria-hidden": boolean;
}

export interface ThumbnailProps {
  left: number;
  top: number;
  width: number;
  height: number;
  color: string;
}

export interface CardIcons {
  Icon: ComponentType<IconProps>;
  /** Drawn within an `svg`. */
  Thumbnail: ComponentType<ThumbnailProps>;
}
