/** A dashboard's layout in small: one mark per card, by its type. */
interface Placed {
  vizType: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

const WIDTH = 120;
const HEIGHT = 62;

export function LayoutPicture({ layout }: { layout: readonly Placed[] }) {
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
        return (
          <g key={at}>
            <rect x={box.x} y={box.y} width={box.w} height={box.h} rx={2.5} className="ac-picture__card" />
            <Mark type={card.vizType} {...box} color={`var(--ac-chart-${(at % 4) + 1})`} />
          </g>
        );
      })}
    </svg>
  );
}

function Mark({
  type,
  x,
  y,
  w,
  h,
  color,
}: {
  type: string;
  x: number;
  y: number;
  w: number;
  h: number;
  color: string;
}) {
  const [left, top, width, height] = [x + 3, y + 3, Math.max(w - 6, 1), Math.max(h - 6, 1)];
  const at = (share: number, level: number): string => `${left + width * share},${top + height * (1 - level)}`;
  switch (type) {
    case "COLUMN":
      return [0.5, 0.8, 0.35, 1, 0.65].map((level, bar) => (
        <rect
          key={bar}
          x={left + (width / 5) * bar}
          y={top + height * (1 - level)}
          width={width / 8}
          height={height * level}
          fill={color}
        />
      ));
    case "BAR":
      return [1, 0.7, 0.45].map((level, bar) => (
        <rect key={bar} x={left} y={top + (height / 3) * bar} width={width * level} height={height / 5} fill={color} />
      ));
    case "LINE":
      return (
        <polyline
          points={[at(0, 0.2), at(0.25, 0.55), at(0.5, 0.4), at(0.75, 0.8), at(1, 0.7)].join(" ")}
          fill="none"
          stroke={color}
          strokeWidth={1.4}
        />
      );
    case "TABLE":
      return [0, 1, 2, 3].map((row) => (
        <rect key={row} x={left} y={top + (height / 4) * row} width={width} height={0.8} className="ac-picture__line" />
      ));
    case "PIE":
    case "GAUGE":
      return (
        <circle
          cx={x + w / 2}
          cy={y + h / 2}
          r={Math.max(Math.min(width, height) / 2 - 1, 1)}
          fill="none"
          stroke={color}
          strokeWidth={2.4}
        />
      );
    default:
      return (
        <rect
          x={left}
          y={top + height * 0.25}
          width={width * 0.5}
          height={Math.min(height * 0.4, 6)}
          rx={1}
          fill={color}
        />
      );
  }
}
