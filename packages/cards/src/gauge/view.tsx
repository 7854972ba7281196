/** Draws a gauge: the value's place among its ranges. */
import { useCallback, useMemo } from "react";
import { Chart, type Size } from "../chart/chart.tsx";
import { paletteOf } from "../chart/palette.ts";
import { useScheme } from "../chart/scheme.ts";
import type { CardViewProps } from "../chart/view-props.ts";
import { gaugeModel } from "./model.ts";
import { gaugeOption } from "./option.ts";

export function GaugeView({ data, ...props }: CardViewProps) {
  const { card } = props;
  const scheme = useScheme();
  const model = useMemo(() => gaugeModel(card, data), [card, data]);
  const option = useCallback(
    (size: Size) => gaugeOption(model, { card, palette: paletteOf(scheme, card.colorTheme), size }),
    [model, card, scheme],
  );
  return <Chart {...props} option={option} model={model} kind="GAUGE" />;
}
