/** Fragments that the open graph can take, as entries of palette and search. */
import { type Fragment, listFragments } from "@accord/contracts/sync/fragments";
import { useMemo } from "react";
import { useEndpoint } from "../../../../app/queries.ts";
import { useFieldScope } from "../field-pipeline/field-scope.ts";
import type { PaletteEntry } from "../palette/palette-entry.ts";

const NONE: readonly Fragment[] = [];

/** Of the kind of pipeline that is open, hidden ones included. */
export function useFragments(): readonly Fragment[] {
  const context = useFieldScope() ? "field" : "entity";
  return useEndpoint(listFragments, { query: { context } }).data?.fragments ?? NONE;
}

export const fragmentEntry = ({ id, name, description, context, content }: Fragment): PaletteEntry => ({
  key: `fragment ${id}`,
  label: name,
  words: [description, ...content.copyNodes.map(({ label }) => label)].join(" "),
  help: description,
  item: { kind: "fragment", name, context, content },
});

/** Those that are not hidden. */
export function useFragmentEntries(): readonly PaletteEntry[] {
  const fragments = useFragments();
  return useMemo(() => fragments.filter(({ hidden }) => !hidden).map(fragmentEntry), [fragments]);
}
