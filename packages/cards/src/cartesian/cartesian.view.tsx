/** Draws columns, bars and lines from one model. */
import { useCallback, useMemo } from "react";
import { Chart, type Size } from "../chart/chart.tsx";
import { paletteOf } from "../chart/palette.ts";
import { useScheme } from "../chart/scheme.ts";
import type { CardViewProps } from "../chart/view-props.ts";
import { cartesianModel, type CartesianModel } from "./cartesian.model.ts";
import type { CartesianKind } from "./axes.ts";
import { cartesianOption } from "./cartesian.option.ts";

const KINDS = { column: "COLUMN", bar: "BAR", line: "LINE" } as const;

export function CartesianView({ data, kind, ...props }: CardViewProps & { kind: CartesianKind }) {
  const { card, words } = props;
  const model = useMemo(() => cartesianModel(card, data, words), [card, data, words]);
  return <CartesianChart {...props} model={model} kind={kind} />;
}

export function CartesianChart({
  model,
  card,
  kind,
  ...props
}: Omit<CardViewProps, "data"> & { model: CartesianModel; kind: CartesianKind }) {
  const scheme = useScheme();
  const option = useCallback(
    (size: Size) => {
      const legendPosition = card.legendPosition === "TOP" ? "TOP" : "BOTTOM";
      return cartesianOption(model, { kind, card, legendPosition, palette: paletteOf(scheme, card.colorTheme), size });
    },
    [model, card, kind, scheme],
  );
  return <Chart {...props} option={option} model={model} kind={KINDS[kind]} />;
}
