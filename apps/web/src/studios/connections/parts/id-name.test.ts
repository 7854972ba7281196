/** Ids of several columns are named by their columns, whatever a single column is called. */
import { expect, test } from "vitest";
import { idName } from "./id-name.ts";

test.each([
  ["order_id", "order_id"],
  ['["order_id","line_no"]', "order_id + line_no"],
  ['["a b","c\\"d"]', 'a b + c"d'],
  ["[odd", "[odd"],
  ["[1,2]", "[1,2]"],
  ["[]", "[]"],
])("%s is shown as %s", (apiName, shown) => {
  expect(idName(apiName)).toBe(shown);
});
