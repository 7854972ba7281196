/** What the palette and quick-add show of one thing that can be placed. */
import type { Connector } from "@accord/contracts/connections/connectors";
import type { PaletteItem } from "../canvas/new-node.ts";
import type { Family } from "../cards/node-icon.tsx";

export interface PaletteEntry {
  key: string;
  label: string;
  /** What else it is found by. */
  words: string;
  help: string;
  item: PaletteItem;
  family?: Family;
  connector?: Connector;
  /** Icon of a custom action; only those have one. */
  actionIcon?: string;
}
