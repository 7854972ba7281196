/**
 * What Ctrl-K finds. Screens of the sidebar are there by themselves; a feature adds objects and actions with
 * `registerPalette("pipelines", { permissions: ["READ_STUDIO"], find: async (text) => [...] })` in its routes file.
 */
import type { Permission } from "@accord/contracts";
import type { Icon } from "@tabler/icons-react";

export interface PaletteEntry {
  id: string;
  label: string;
  description?: string;
  icon?: Icon;
  /** Where it leads, or what it does. */
  to?: string;
  run?: () => void;
}

export interface PaletteSource {
  /** Heading in the list; in words. */
  group: string;
  permissions: readonly Permission[];
  /** Entries for a search text ("" while nothing is typed); at most a handful. */
  find: (text: string) => Promise<readonly PaletteEntry[]> | readonly PaletteEntry[];
}

const sources = new Map<string, PaletteSource>();

export function registerPalette(id: string, source: PaletteSource): void {
  sources.set(id, source);
}

export const paletteSources = (): readonly [string, PaletteSource][] => [...sources];
