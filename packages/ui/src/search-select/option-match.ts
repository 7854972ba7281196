/** Which options of a searchable select a text finds, the best first, and which it names in full. */
import type { ComboboxItem, ComboboxParsedItem } from "@mantine/core";

/** Smaller is better; undefined where the label doesn't contain the text. */
function rankOf({ label, value }: ComboboxItem, text: string, present: string | null): number | undefined {
  const [name, lower] = [label.trim().toLowerCase(), text.toLowerCase()];
  // Of options with one name the present one comes first: naming it again changes nothing.
  const ofPresent = value === present ? 0 : 0.5;
  if (label.trim() === text) return ofPresent;
  if (name === lower) return 1 + ofPresent;
  if (name.startsWith(lower)) return 2;
  return name.includes(lower) ? 3 : undefined;
}

interface Ranked<T> {
  option: T;
  rank: number;
}

const sorted = <T>(ranked: readonly Ranked<T>[]): Ranked<T>[] => ranked.toSorted((a, b) => a.rank - b.rank);

const ranked = (items: readonly ComboboxItem[], text: string, present: string | null): Ranked<ComboboxItem>[] =>
  sorted(
    items.flatMap((option) => {
      const rank = rankOf(option, text, present);
      return rank === undefined ? [] : [{ option, rank }];
    }),
  );

function limited(options: readonly ComboboxParsedItem[], limit: number): ComboboxParsedItem[] {
  const kept: ComboboxParsedItem[] = [];
  let left = limit;
  for (const option of options) {
    if (left <= 0) break;
    const part = "items" in option ? { ...option, items: option.items.slice(0, left) } : option;
    kept.push(part);
    left -= "items" in part ? part.items.length : 1;
  }
  return kept;
}

/** Exact matches, then those that begin with the text, then those that contain it; a group stands where its best does. */
export function bestFirst(
  options: readonly ComboboxParsedItem[],
  typed: string,
  present: string | null,
  limit = Infinity,
): ComboboxParsedItem[] {
  const text = typed.trim();
  if (text === "") return limited(options, limit);
  const found = options.flatMap((option): Ranked<ComboboxParsedItem>[] => {
    const items = ranked("items" in option ? option.items : [option], text, present);
    const [best] = items;
    if (!best) return [];
    const part = "items" in option ? { ...option, items: items.map((each) => each.option) } : option;
    return [{ option: part, rank: best.rank }];
  });
  return limited(
    sorted(found).map(({ option }) => option),
    limit,
  );
}

export const itemsOf = (options: readonly ComboboxParsedItem[]): ComboboxItem[] =>
  options.flatMap((option) => ("items" in option ? option.items : [option]));

/** Those whose label is the text: in the same case, else in any. */
export function namedBy(items: readonly ComboboxItem[], typed: string): ComboboxItem[] {
  const text = typed.trim();
  const exact = items.filter(({ label }) => label.trim() === text);
  return exact.length > 0 ? exact : items.filter(({ label }) => label.trim().toLowerCase() === text.toLowerCase());
}
