/** Draws a funnel; one with negative values as bars. */
import { useCallback, useMemo } from "react";
import { CartesianChart } from "../cartesian/cartesian.view.tsx";
import { Chart, type Size } from "../chart/chart.tsx";
import { paletteOf } from "../chart/palette.ts";
import { useScheme } from "../chart/scheme.ts";
import type { CardViewProps } from "../chart/view-props.ts";
import { ENGLISH } from "../chart/words.ts";
import { funnelOrBars } from "./drawn.ts";
import type { FunnelModel } from "./model.ts";
import { funnelOption } from "./option.ts";

export function FunnelView({ data, ...props }: CardViewProps) {
  const { card, words = ENGLISH } = props;
  const model = useMemo(() => funnelOrBars(card, data, words), [card, data, words]);
  if (model.kind === "cartesian") return <CartesianChart {...props} model={model} kind="bar" />;
  return <Funnel {...props} model={model} />;
}

function Funnel({ model, ...props }: Omit<CardViewProps, "data"> & { model: FunnelModel }) {
  const { card } = props;
  const scheme = useScheme();
  const option = useCallback(
    (size: Size) => {
      const legendPosition = card.legendPosition === "LEFT" ? "LEFT" : "RIGHT";
      return funnelOption(model, { card, legendPosition, palette: paletteOf(scheme, card.colorTheme), size });
    },
    [model, card, scheme],
  );
  return <Chart {...props} option={option} model={model} kind="FUNNEL" />;
}
