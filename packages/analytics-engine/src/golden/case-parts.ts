/** What golden cases are made of: fields, conditions, and datasets and cards with their statement. */
import type { Predicate } from "@accord/contracts/data/predicate";
import { CardConfiguration, type CardConfigurationInput } from "@accord/contracts/insights/cards";
import type { DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import { cardQuery } from "../card-query.ts";
import type { CatalogueDataset } from "../catalogue.ts";
import { postgres } from "../dialect.ts";
import { planQuery } from "../plan.ts";
import { type PrintOptions, printQuery, type Statement } from "../print.ts";
import { resolveDataset } from "../resolve.ts";
import { byCustomer, C, config, O, pick, shop } from "./shop.ts";

export interface GoldenCase {
  name: string;
  statement: Statement;
  rows: unknown[][];
}

export const PAID = "0000000000000000000000b1";
export const TOTALS = "0000000000000000000000b2";

/** Noon on 1 April 2026. */
export const PRINT: PrintOptions = { dialect: postgres, timeZone: "UTC", now: Date.UTC(2026, 3, 1, 12) };

export const field = (name: string, operator: string, ...right: (string | number)[]): Predicate =>
  ({
    type: "condition",
    left: { kind: "field", field: name },
    operator,
    right: right.map((value) => ({ kind: "literal", value })),
  }) as Predicate;
export const all = (...children: Predicate[]): Predicate => ({ type: "group", combinator: "and", children });
export const any = (...children: Predicate[]): Predicate => ({ type: "group", combinator: "or", children });
export const variable = (name: string, operator: string, apiName: string): Predicate =>
  ({
    type: "condition",
    left: { kind: "field", field: name },
    operator,
    right: [{ kind: "variable", apiName }],
  }) as Predicate;

export function ofDataset(
  name: string,
  input: DatasetConfigInput,
  rows: unknown[][],
  more: { datasets?: CatalogueDataset[]; values?: Record<string, string | number>; timeZone?: string } = {},
): GoldenCase {
  const { datasets = [], values = {}, timeZone = PRINT.timeZone } = more;
  const query = planQuery(resolveDataset(config(input), shop(...datasets), { values, timeZone }));
  return { name, statement: printQuery(query, { ...PRINT, timeZone }), rows };
}

export function ofCard(
  name: string,
  card: CardConfigurationInput,
  input: DatasetConfigInput,
  rows: unknown[][],
): GoldenCase {
  const query = resolveDataset(config(input), shop());
  return { name, statement: cardQuery(CardConfiguration.parse(card), query, PRINT), rows };
}

export const picked = [pick("accord_id", { as: "id" }), pick("name", { from: "customers" })];
export const joined = (type: "INNER" | "LEFT" | "RIGHT" | "FULL"): DatasetConfigInput => ({
  sources: [O, C],
  selectedFields: picked,
  joins: [byCustomer(type)],
  sort: [{ field: "id" }],
});
export const plain: DatasetConfigInput = {
  sources: [O],
  selectedFields: [pick("status"), pick("amount"), pick("quantity"), pick("placedAt", { as: "placed" })],
};
export const paid: Predicate = field("status", "equals", "paid");
export const several = { apiName: "statuses", displayName: "Statuses", multiValueField: true };
export const SEVERAL = [several as never];
