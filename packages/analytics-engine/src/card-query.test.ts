/** Rows of a table come in the order that the card asks for, else in that of its dataset. */
import { CardConfiguration, type CardConfigurationInput } from "@accord/contracts/insights/cards";
import { expect, test } from "vitest";
import { cardQuery } from "./card-query.ts";
import { PRINT } from "./golden/case-parts.ts";
import { config, O, pick, shop } from "./golden/shop.ts";
import { resolveDataset } from "./resolve.ts";

const SORTED = config({
  sources: [O],
  selectedFields: [pick("status"), pick("quantity")],
  sort: [{ field: "quantity", ascending: false }],
});

function textOf(rowOrder?: CardConfigurationInput["rowOrder"]): string {
  const columns = [{ column: "status" }, { column: "" }];
  const card = CardConfiguration.parse({ vizType: "TABLE", columns, rowOrder });
  return cardQuery(card, resolveDataset(SORTED, shop()), PRINT).text;
}

test("an order by a place that no column stands in is none: the dataset's holds", () => {
  const usual = textOf();
  expect(usual).toMatch(/ORDER BY \d DESC NULLS LAST/);
  expect([1, 2, 49].map((column) => textOf({ column }))).toEqual([usual, usual, usual]);
  expect(textOf({ column: 0 })).not.toBe(usual);
});
