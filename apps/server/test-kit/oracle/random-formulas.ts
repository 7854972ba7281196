/** Calculated fields on the sales of random datasets. */
import type { DataType } from "@accord/contracts/data/values";
import { pickOf, type Rng } from "../mirror/odd-records.ts";

const FORMULAS: readonly (readonly [DataType, string])[] = [
  ["decimal", "[m.amount] * 2 + [m.pieces]"],
  ["decimal", "round([m.amount] / 3, 2)"],
  ["decimal", "abs([m.amount])"],
  ["decimal", "coalesce([m.amount], 0)"],
  ["integer", "length([m.label])"],
  ["integer", "if([m.isOpen], 1, 0)"],
  ["integer", "year([m.day])"],
  ["integer", "nullif([m.pieces], 0)"],
  ["double", "[m.weight] * 2"],
  ["string", "upper([m.note])"],
  ["string", "concat([m.label], '-', [m.note])"],
  ["string", "case when [m.pieces] > 5 then 'many' when is_null([m.pieces]) then 'none' else 'few' end"],
  ["boolean", "[m.amount] > [m.pieces] and not [m.isOpen]"],
  ["date", "[m.day]"],
];

export interface RandomFormula {
  name: string;
  dataType: DataType;
  formula: string;
}

export const randomFormulas = (rng: Rng): RandomFormula[] =>
  Array.from({ length: 1 + Math.floor(rng() * 2) }, (_, at) => {
    const [dataType, formula] = pickOf(rng, FORMULAS);
    return { name: `f${at}`, dataType, formula };
  });
