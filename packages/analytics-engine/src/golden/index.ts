/** Golden statements with the rows they must give, for whoever has a database to run them on. */
export type { GoldenCase } from "./case-parts.ts";
export { CASES } from "./cases.ts";
export { CUSTOMER_ROWS, ORDER_ROWS, SHOP_SCHEMA } from "./shop.ts";
