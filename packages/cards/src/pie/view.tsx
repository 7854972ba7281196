/** Draws a donut; one with negative values as bars. */
import { useCallback, useMemo } from "react";
import { modelSummary, pieOrBars } from "../card-model.ts";
import { CartesianChart } from "../cartesian/cartesian.view.tsx";
import { pieTarget } from "../mark-target.ts";
import { Chart, pickOf, type Size } from "../chart/chart.tsx";
import { paletteOf } from "../chart/palette.ts";
import { useScheme } from "../chart/scheme.ts";
import type { CardViewProps } from "../chart/view-props.ts";
import { ENGLISH } from "../chart/words.ts";
import type { PieModel } from "./model.ts";
import { pieOption } from "./option.ts";

export function PieView({ card, data, words = ENGLISH, onMark }: CardViewProps) {
  const model = useMemo(() => pieOrBars(card, data, words), [card, data, words]);
  if (model.kind === "cartesian")
    return <CartesianChart model={model} card={card} words={words} kind="bar" onMark={onMark} />;
  return <Donut model={model} card={card} words={words} onMark={onMark} />;
}

function Donut({ model, card, words = ENGLISH, onMark }: Omit<CardViewProps, "data"> & { model: PieModel }) {
  const scheme = useScheme();
  const option = useCallback(
    (size: Size) => {
      const legendPosition = card.legendPosition === "LEFT" ? "LEFT" : "RIGHT";
      return pieOption(model, { card, legendPosition, palette: paletteOf(scheme, card.colorTheme), size, words });
    },
    [model, card, scheme, words],
  );
  const onPick = useMemo(() => pickOf(onMark, ({ series, index }) => pieTarget(model, series, index)), [model, onMark]);
  return <Chart option={option} label={modelSummary(model, words)} onPick={onPick} />;
}
