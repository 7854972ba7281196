/** Draws columns, bars and lines from one model. */
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import { useCallback, useMemo } from "react";
import { modelSummary } from "../card-model.ts";
import { cartesianTarget, type OnMark } from "../mark-target.ts";
import { Chart, pickOf, type Size } from "../chart/chart.tsx";
import { paletteOf } from "../chart/palette.ts";
import { useScheme } from "../chart/scheme.ts";
import type { CardViewProps } from "../chart/view-props.ts";
import type { ChartWords } from "../chart/words.ts";
import { cartesianModel, type CartesianModel } from "./cartesian.model.ts";
import type { CartesianKind } from "./axes.ts";
import { cartesianOption } from "./cartesian.option.ts";

export function CartesianView({ card, data, words, kind, onMark }: CardViewProps & { kind: CartesianKind }) {
  const model = useMemo(() => cartesianModel(card, data, words), [card, data, words]);
  return <CartesianChart model={model} card={card} words={words} kind={kind} onMark={onMark} />;
}

export function CartesianChart({
  model,
  card,
  words,
  kind,
  onMark,
}: {
  model: CartesianModel;
  card: CardConfiguration;
  words: ChartWords | undefined;
  kind: CartesianKind;
  onMark: OnMark | undefined;
}) {
  const scheme = useScheme();
  const option = useCallback(
    (size: Size) => {
      const legendPosition = card.legendPosition === "TOP" ? "TOP" : "BOTTOM";
      return cartesianOption(model, { kind, card, legendPosition, palette: paletteOf(scheme, card.colorTheme), size });
    },
    [model, card, kind, scheme],
  );
  const onPick = useMemo(
    () => pickOf(onMark, ({ series, index }) => cartesianTarget(model, series, index)),
    [model, onMark],
  );
  return <Chart option={option} label={modelSummary(model, words)} onPick={onPick} />;
}
