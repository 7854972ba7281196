/** Draws a Bar card. */
import { CartesianView } from "../cartesian/cartesian.view.tsx";
import type { CardViewProps } from "../chart/view-props.ts";

export const BarView = (props: CardViewProps) => <CartesianView {...props} kind="bar" />;
