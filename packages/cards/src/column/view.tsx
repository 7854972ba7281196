/** Draws a Column card. */
import { CartesianView } from "../cartesian/cartesian.view.tsx";
import type { CardViewProps } from "../chart/view-props.ts";

export const ColumnView = (props: CardViewProps) => <CartesianView {...props} kind="column" />;
