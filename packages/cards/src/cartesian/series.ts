/** One series of columns, bars or lines. */
import type { DisplayFormat } from "@accord/contracts/insights/cards";
import type { Cell, Group } from "../marks.ts";

export interface CartesianSeries extends Group {
  format: DisplayFormat;
  /** Which of the value axes it is measured on. */
  axisIndex: number;
  /** One per category; null where the answer has no row. */
  cells: (Cell | null)[];
  /** Drawn where there is no row: zero for what adds up, null for a gap. */
  missing: number | null;
}
