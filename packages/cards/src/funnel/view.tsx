/** Draws a funnel; one with negative values as bars. */
import { useCallback, useMemo } from "react";
import { funnelOrBars, modelSummary } from "../card-model.ts";
import { CartesianChart } from "../cartesian/cartesian.view.tsx";
import { funnelTarget } from "../mark-target.ts";
import { Chart, pickOf, type Size } from "../chart/chart.tsx";
import { paletteOf } from "../chart/palette.ts";
import { useScheme } from "../chart/scheme.ts";
import type { CardViewProps } from "../chart/view-props.ts";
import { ENGLISH } from "../chart/words.ts";
import type { FunnelModel } from "./model.ts";
import { funnelOption } from "./option.ts";

export function FunnelView({ card, data, words = ENGLISH, onMark }: CardViewProps) {
  const model = useMemo(() => funnelOrBars(card, data, words), [card, data, words]);
  if (model.kind === "cartesian")
    return <CartesianChart model={model} card={card} words={words} kind="bar" onMark={onMark} />;
  return <Funnel model={model} card={card} words={words} onMark={onMark} />;
}

function Funnel({ model, card, words = ENGLISH, onMark }: Omit<CardViewProps, "data"> & { model: FunnelModel }) {
  const scheme = useScheme();
  const option = useCallback(
    (size: Size) => {
      const legendPosition = card.legendPosition === "LEFT" ? "LEFT" : "RIGHT";
      return funnelOption(model, { card, legendPosition, palette: paletteOf(scheme, card.colorTheme), size });
    },
    [model, card, scheme],
  );
  const onPick = useMemo(() => pickOf(onMark, ({ index }) => funnelTarget(model, index)), [model, onMark]);
  return <Chart option={option} label={modelSummary(model, words)} onPick={onPick} />;
}
