/** Draws a Line card. */
import { CartesianView } from "../cartesian/cartesian.view.tsx";
import type { CardViewProps } from "../chart/view-props.ts";

export const LineView = (props: CardViewProps) => <CartesianView {...props} kind="line" />;
