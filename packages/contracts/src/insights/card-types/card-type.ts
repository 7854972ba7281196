/** What a card type states for every part of the product: which settings hold its columns, and which options it obeys. */
import type { CardOption } from "./options.ts";

/**
 * How an answer is asked for, and what its rows are.
 * `chart`: one row for each category, perhaps split in series, with folded values. The settings that hold them are named.
 * `number`: one row with one value, in `columns`.
 * `rows`: rows of the dataset, or folded ones, by `columns`.
 */
export type CardShape =
  | {
      kind: "chart";
      category: "xaxis" | "category" | "dataField";
      values: "yaxis" | "value" | "measure";
      /** Null where values can't be split. */
      series: "series" | "subCategory" | null;
    }
  | { kind: "number" }
  | { kind: "rows" };

export interface CardType {
  type: string;
  shape: CardShape;
  options: readonly CardOption[];
}

export const cardType = <const Type extends CardType>(type: Type): Type => type;
