/** The control of each option of cards. A tab shows those that the type of the card obeys. */
import type { CardTab } from "@accord/cards/definitions";
import { type CardOption, optionsOf } from "@accord/contracts/insights/card-configuration";
import type { ComponentType } from "react";
import { AxisTitles, ReferenceLine, Stacking } from "./axes.tsx";
import { Legend, Values } from "./legend.tsx";
import type { OptionProps } from "./option-props.ts";
import { Ranges } from "./ranges.tsx";
import { SmallSlices } from "./small-slices.tsx";
import { Stages } from "./stages.tsx";

interface OptionControl {
  tab: CardTab;
  Control: ComponentType<OptionProps>;
}

const CONTROLS: Record<CardOption, OptionControl> = {
  ranges: { tab: "setup", Control: Ranges },
  stacking: { tab: "style", Control: Stacking },
  axisTitles: { tab: "style", Control: AxisTitles },
  referenceLine: { tab: "style", Control: ReferenceLine },
  smallSlices: { tab: "style", Control: SmallSlices },
  stages: { tab: "style", Control: Stages },
  legend: { tab: "appearance", Control: Legend },
  values: { tab: "appearance", Control: Values },
};

/** In the order in which the type names its options. */
export function OptionControls({ tab, ...props }: OptionProps & { tab: CardTab }) {
  return optionsOf(props.card.vizType).map((option) => {
    const { tab: its, Control } = CONTROLS[option];
    return its === tab ? <Control key={option} {...props} /> : null;
  });
}
