/** The lines between the two columns: those there are, those that are proposed, and the one being drawn. */
import type { FieldMapping } from "@accord/contracts/sync/graph";
import { lineShape, type Column, type Line, type ProposedLine } from "./mapper.model.ts";

interface Props {
  lines: readonly Line[];
  proposals: readonly ProposedLine[];
  system: Column;
  core: Column;
  width: number;
  isCurrent: (pair: FieldMapping) => boolean;
  /** From a field to the pointer, in px of this layer. */
  drawn: { from: { x: number; y: number }; to: { x: number; y: number } } | undefined;
  onPick: (pair: FieldMapping) => void;
}

const bent = (x1: number, y1: number, x2: number, y2: number): string => {
  const middle = (x1 + x2) / 2;
  return `M ${x1} ${y1} C ${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
};

/** Not read out: each line is said by its fields. Its bar below the columns has what can be done with it. */
export function LineLayer({ lines, proposals, system, core, width, isCurrent, drawn, onPick }: Props) {
  const shapes = [
    ...proposals.map((line) => ({ line, kind: "proposed" as const })),
    ...lines.map((line) => ({ line, kind: line.direction })),
  ].flatMap(({ line, kind }) => {
    const shape = lineShape(line, system, core);
    return shape ? [{ ...shape, line, kind }] : [];
  });
  return (
    <svg className="ac-mapper__lines" width={width} height={Math.max(system.height, core.height)} aria-hidden>
      <defs>
        <marker
          id="ac-mapper-end"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerUnits="userSpaceOnUse"
          markerWidth="10"
          markerHeight="10"
          orient="auto-start-reverse"
        >
          <path d="M 0 0 L 8 4 L 0 8 z" />
        </marker>
      </defs>
      {shapes.map(({ from, to, isCut, line, kind }) => {
        const way = bent(2, from, width - 2, to);
        const [begins, ends] = [kind === "sink" || kind === "both", kind === "source" || kind === "both"];
        return (
          <g key={`${line.connectorField} ${line.coreField}`}>
            <path
              d={way}
              className="ac-mapper__line"
              data-kind={kind}
              data-cut={isCut || undefined}
              data-current={isCurrent(line) || undefined}
              {...(begins && !isCut ? { markerStart: "url(#ac-mapper-end)" } : {})}
              {...(ends && !isCut ? { markerEnd: "url(#ac-mapper-end)" } : {})}
            />
            <path d={way} className="ac-mapper__grip" onClick={() => onPick(line)} />
          </g>
        );
      })}
      {drawn ? (
        <path
          d={bent(drawn.from.x, drawn.from.y, drawn.to.x, drawn.to.y)}
          className="ac-mapper__line"
          data-kind="drawn"
        />
      ) : null}
    </svg>
  );
}
