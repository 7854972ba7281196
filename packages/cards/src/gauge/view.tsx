/** Draws a gauge: the value's place among its ranges. */
import { useCallback, useMemo } from "react";
import { Chart, pickOf, type Size } from "../chart/chart.tsx";
import { paletteOf } from "../chart/palette.ts";
import { useScheme } from "../chart/scheme.ts";
import type { CardViewProps } from "../chart/view-props.ts";
import { modelSummary } from "../card-model.ts";
import { metricModel } from "../metric/model.ts";
import { gaugeOption } from "./option.ts";

export function GaugeView({ card, data, onMark }: CardViewProps) {
  const scheme = useScheme();
  const model = useMemo(() => metricModel(card, data), [card, data]);
  const option = useCallback(
    (size: Size) => gaugeOption(model, { card, palette: paletteOf(scheme, card.colorTheme), size }),
    [model, card, scheme],
  );
  const onPick = useMemo(
    () => pickOf(onMark, () => (model.mark ? { mark: model.mark, label: `${model.caption}: ${model.text}` } : null)),
    [model, onMark],
  );
  return <Chart option={option} label={modelSummary(model)} onPick={onPick} />;
}
