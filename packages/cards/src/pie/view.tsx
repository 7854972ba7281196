/** Draws a donut; one with negative values as bars. */
import { useCallback, useMemo } from "react";
import { CartesianChart } from "../cartesian/cartesian.view.tsx";
import { Chart, type Size } from "../chart/chart.tsx";
import { paletteOf } from "../chart/palette.ts";
import { useScheme } from "../chart/scheme.ts";
import type { CardViewProps } from "../chart/view-props.ts";
import { ENGLISH } from "../chart/words.ts";
import { pieOrBars } from "./drawn.ts";
import type { PieModel } from "./model.ts";
import { pieOption } from "./option.ts";

export function PieView({ data, ...props }: CardViewProps) {
  const { card, words = ENGLISH } = props;
  const model = useMemo(() => pieOrBars(card, data, words), [card, data, words]);
  if (model.kind === "cartesian") return <CartesianChart {...props} model={model} kind="bar" />;
  return <Donut {...props} model={model} />;
}

function Donut({ model, ...props }: Omit<CardViewProps, "data"> & { model: PieModel }) {
  const { card, words = ENGLISH } = props;
  const scheme = useScheme();
  const option = useCallback(
    (size: Size) => {
      const legendPosition = card.legendPosition === "LEFT" ? "LEFT" : "RIGHT";
      return pieOption(model, { card, legendPosition, palette: paletteOf(scheme, card.colorTheme), size, words });
    },
    [model, card, scheme, words],
  );
  return <Chart {...props} option={option} model={model} kind="PIE" />;
}
