/** The grid of cards: read on a plain grid that folds to one column, edited by dragging or by keys. */
import { settleLayout } from "@accord/analytics-engine";
import { type CardLayout, type DashboardCard, GRID_COLUMNS } from "@accord/contracts/insights/dashboards";
import type { ReactNode } from "react";
import { GridLayout, type LayoutItem, useContainerWidth } from "react-grid-layout";
import "react-grid-layout/css/styles.css";

/** Where a card stands. */
type Spot = Omit<CardLayout, "i">;

export interface BoardProps<Card extends { id: string; layout: Spot }> {
  cards: readonly Card[];
  vizTypeOf: (card: Card) => string;
  children: (card: Card) => ReactNode;
}

export function Board<Card extends { id: string; layout: Spot }>({ cards, vizTypeOf, children }: BoardProps<Card>) {
  const inOrder = cards.toSorted((one, other) => one.layout.y - other.layout.y || one.layout.x - other.layout.x);
  return (
    <div className="ac-board-box">
      <div className="ac-board">
        {inOrder.map((card) => (
          <div
            key={card.id}
            data-viz={vizTypeOf(card)}
            style={{
              gridColumn: `${card.layout.x + 1} / span ${card.layout.w}`,
              gridRow: `${card.layout.y + 1} / span ${card.layout.h}`,
            }}
          >
            {children(card)}
          </div>
        ))}
      </div>
    </div>
  );
}

const ROW_HEIGHT = 112;
const GAP = 16;

export function EditableBoard({
  cards,
  onChange,
  children,
}: {
  cards: readonly DashboardCard[];
  onChange: (cards: DashboardCard[]) => void;
  children: (card: DashboardCard) => ReactNode;
}) {
  const { width, containerRef, mounted } = useContainerWidth();
  const apply = (layout: readonly LayoutItem[]): void => {
    const byId = new Map(layout.map((item) => [item.i, item]));
    const moved = cards.map((card) => {
      const item = byId.get(card.id);
      return item ? { ...card, layout: { i: card.id, x: item.x, y: item.y, w: item.w, h: item.h } } : card;
    });
    if (JSON.stringify(moved.map(placeOf)) !== JSON.stringify(cards.map(placeOf))) onChange(moved);
  };
  return (
    <div ref={containerRef} className="ac-board-edit">
      {mounted ? (
        <GridLayout
          width={width}
          layout={cards.map(({ id, layout }) => ({ ...layout, i: id, minW: 2, minH: 1 }))}
          gridConfig={{ cols: GRID_COLUMNS, rowHeight: ROW_HEIGHT, margin: [GAP, GAP], containerPadding: [0, 0] }}
          dragConfig={{ enabled: true, handle: ".ac-tile__grip" }}
          resizeConfig={{ enabled: true, handles: ["se"] }}
          onDragStop={(layout) => apply(layout)}
          onResizeStop={(layout) => apply(layout)}
        >
          {cards.map((card) => (
            <div key={card.id}>{children(card)}</div>
          ))}
        </GridLayout>
      ) : null}
    </div>
  );
}

const placeOf = ({ id, layout }: DashboardCard): unknown[] => [id, layout.x, layout.y, layout.w, layout.h];

/** Moves or resizes one card by grid units; the others make room. */
export function nudged(
  cards: readonly DashboardCard[],
  id: string,
  by: { x: number; y: number; w: number; h: number },
): DashboardCard[] {
  const wanted = cards.map((card) => {
    if (card.id !== id) return card;
    const w = Math.min(Math.max(card.layout.w + by.w, 2), GRID_COLUMNS);
    const h = Math.min(Math.max(card.layout.h + by.h, 1), 40);
    const x = Math.min(Math.max(card.layout.x + by.x, 0), GRID_COLUMNS - w);
    const y = Math.max(card.layout.y + by.y, 0);
    return { ...card, layout: { i: id, x, y, w, h } };
  });
  const moved = wanted.find((card) => card.id === id)!.layout;
  // Going up, the card changes places with what it meets; settling alone would push it straight back down.
  const swapped =
    by.y >= 0
      ? wanted
      : wanted.map((card) =>
          card.id !== id && meets(card.layout, moved)
            ? { ...card, layout: { ...card.layout, y: moved.y + moved.h } }
            : card,
        );
  return settleLayout(swapped);
}

const meets = (one: CardLayout, other: CardLayout): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
