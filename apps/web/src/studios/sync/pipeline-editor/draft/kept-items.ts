/** Items made from parts, and made anew only when a part they are made from is another one, or when they are selected. */

/** Something to make, and everything that it is made from. */
export interface Part<Item> {
  id: string;
  from: readonly unknown[];
  make: () => Item;
}

export const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

export class KeptItems<Item> {
  #kept = new Map<string, { from: readonly unknown[]; made: Item }>();

  make(parts: readonly Part<Item>[]): Item[] {
    const items = parts.map(({ id, from, make }) => {
      const before = this.#kept.get(id);
      if (before && sameItems(before.from, from)) return before.made;
      const made = make();
      this.#kept.set(id, { from, made });
      return made;
    });
    if (this.#kept.size > 2 * parts.length + 100) this.#forget(new Set(parts.map(({ id }) => id)));
    return items;
  }

  #forget(present: ReadonlySet<string>): void {
    for (const id of this.#kept.keys()) if (!present.has(id)) this.#kept.delete(id);
  }
}

/** Items with those that are selected marked; an item that is selected again is the same object as before. */
export class SelectedItems<Item extends { id: string }> {
  #selected = new WeakMap<Item, Item>();

  mark(items: Item[], ids: ReadonlySet<string>): Item[] {
    return ids.size === 0 ? items : items.map((item) => (ids.has(item.id) ? this.#marked(item) : item));
  }

  #marked(item: Item): Item {
    const before = this.#selected.get(item);
    const marked = before ?? { ...item, selected: true };
    if (!before) this.#selected.set(item, marked);
    return marked;
  }
}
