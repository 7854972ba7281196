/** A dashboard's layout in small: one mark per card, by its type. */
import { CARD_ICONS } from "@accord/cards/icons";
import { VIZ_TYPES, type VizType } from "@accord/contracts/insights/card-configuration";

interface Placed {
  /** Empty where nothing is known of the card. */
  vizType: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Drawn for a card that nothing is known of. */
const PLAIN: VizType = "METRIC";

const WIDTH = 120;
const HEIGHT = 62;

export function LayoutThumbnail({ layout }: { layout: readonly Placed[] }) {
  const rows = Math.max(4, ...layout.map(({ y, h }) => y + h));
  const unit = { x: WIDTH / 12, y: HEIGHT / Math.min(rows, 8) };
  return (
    <svg
      className="ac-picture"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
      preserveAspectRatio="xMidYMin slice"
    >
      {layout.map((card, at) => {
        const box = {
          x: card.x * unit.x + 1.5,
          y: card.y * unit.y + 1.5,
          w: card.w * unit.x - 3,
          h: card.h * unit.y - 3,
        };
        const { Thumbnail } = CARD_ICONS[VIZ_TYPES.find((one) => one === card.vizType) ?? PLAIN];
        return (
          <g key={at}>
            <rect x={box.x} y={box.y} width={box.w} height={box.h} rx={2.5} className="ac-picture__card" />
            <Thumbnail
              left={box.x + 3}
              top={box.y + 3}
              width={Math.max(box.w - 6, 1)}
              height={Math.max(box.h - 6, 1)}
              color={`var(--ac-chart-${(at % 4) + 1})`}
            />
          </g>
        );
      })}
    </svg>
  );
}
