/** The dashboard grid: where a new card goes, and layouts that may not overlap or leave the grid. */
import { type CardLayout, type DashboardCard, GRID_COLUMNS } from "@accord/contracts/insights/dashboards";

export const NEW_CARD = { w: 4, h: 2 } as const;

/** A new card stands after the last one and wraps to the next row where it would not fit: x is 0, 4 or 8. */
export function placeNewCard(cards: readonly Pick<DashboardCard, "layout">[], cardId: string): CardLayout {
  const last = lastInReadingOrder(cards.map((card) => card.layout));
  const bottom = Math.max(0, ...cards.map(({ layout }) => layout.y + layout.h));
  if (!last) return { i: cardId, x: 0, y: 0, ...NEW_CARD };
  const x = last.x + last.w;
  return x > GRID_COLUMNS - NEW_CARD.w
    ? { i: cardId, x: 0, y: bottom, ...NEW_CARD }
    : { i: cardId, x, y: last.y, ...NEW_CARD };
}

function lastInReadingOrder(layouts: readonly CardLayout[]): CardLayout | undefined {
  return layouts.toSorted((one, other) => one.y - other.y || one.x - other.x).at(-1);
}

const overlap = (one: CardLayout, other: CardLayout): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

/** Cards pulled inside the grid, pushed below whatever they overlap, then up into free space. Order is kept. */
export function settleLayout<Card extends { layout: CardLayout }>(cards: readonly Card[]): Card[] {
  const placed: CardLayout[] = [];
  const settled = new Map<Card, CardLayout>();
  const order = cards.toSorted((one, other) => one.layout.y - other.layout.y || one.layout.x - other.layout.x);
  for (const card of order) {
    const w = Math.min(card.layout.w, GRID_COLUMNS);
    const layout = { ...card.layout, w, x: Math.min(card.layout.x, GRID_COLUMNS - w) };
    while (layout.y > 0 && !placed.some((other) => overlap({ ...layout, y: layout.y - 1 }, other))) layout.y--;
    for (
      let hit = placed.find((other) => overlap(layout, other));
      hit;
      hit = placed.find((other) => overlap(layout, other))
    )
      layout.y = hit.y + hit.h;
    placed.push(layout);
    settled.set(card, layout);
  }
  return cards.map((card) => ({ ...card, layout: settled.get(card)! }));
}

/** Ids that stand on a dashboard more than once. */
export function repeatedCards(cards: readonly Pick<DashboardCard, "id">[]): string[] {
  const seen = new Set<string>();
  return cards.flatMap(({ id }) => (seen.has(id) ? [id] : (seen.add(id), [])));
}
