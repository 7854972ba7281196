/** Draws a metric: the number as large as its box allows, its range in colour and in words. */
import { useMemo } from "react";
import { paletteOf } from "../chart/palette.ts";
import { useScheme } from "../chart/scheme.ts";
import type { CardViewProps } from "../chart/view-props.ts";
import { ENGLISH } from "../chart/words.ts";
import { MarkNumber } from "../table/mark-number.tsx";
import { metricModel } from "./model.ts";

export function MetricView({ card, data, words = ENGLISH, onMark }: CardViewProps) {
  const palette = paletteOf(useScheme(), card.colorTheme);
  const model = useMemo(() => metricModel(card, data), [card, data]);
  const isEmpty = model.text === "–";
  const color = isEmpty
    ? palette.token("text-3")
    : (palette.resolve(model.range?.color ?? model.color) ?? palette.token("text"));
  const length = Math.max(model.text.length, 4);
  return (
    <div className="ac-metric">
      <span
        className="ac-metric__value"
        data-empty={isEmpty || undefined}
        style={{ color, "--ac-metric-length": length } as React.CSSProperties}
      >
        <MarkNumber
          text={model.text}
          label={`${model.caption}: ${model.text}`}
          mark={model.mark}
          words={words}
          onMark={onMark}
        />
      </span>
      <span className="ac-metric__caption">
        {model.range?.name ? <span className="ac-metric__dot" style={{ background: color }} /> : null}
        {model.range?.name || model.caption}
      </span>
    </div>
  );
}
