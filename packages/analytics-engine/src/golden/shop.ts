/** A small shop: two entities and their rows, so that what golden statements answer can be worked out by hand. */
import { DatasetConfig, type DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import { type CatalogueDataset, type CatalogueEntity, catalogueOf } from "../catalogue.ts";

export const SHOP_SCHEMA = "shop";
export const ORDERS = "0000000000000000000000a1";
export const CUSTOMERS = "0000000000000000000000a2";

export const orders: CatalogueEntity = {
  id: ORDERS,
  apiName: "Order",
  displayName: "Order",
  relation: { schema: SHOP_SCHEMA, name: "Order" },
  fields: [
    { apiName: "accord_id", displayName: "Id", dataType: "reference", unique: true },
    { apiName: "customer", displayName: "Customer", dataType: "reference", referenceTo: "Customer" },
    { apiName: "status", displayName: "Status", dataType: "picklist" },
    { apiName: "amount", displayName: "Amount", dataType: "decimal" },
    { apiName: "quantity", displayName: "Quantity", dataType: "integer" },
    { apiName: "placedAt", displayName: "Placed at", dataType: "datetime" },
    { apiName: "labels", displayName: "Labels", dataType: "string", isMultiValueField: true },
  ],
};

export const customers: CatalogueEntity = {
  id: CUSTOMERS,
  apiName: "Customer",
  displayName: "Customer",
  relation: { schema: SHOP_SCHEMA, name: "Customer" },
  fields: [
    { apiName: "accord_id", displayName: "Id", dataType: "reference", unique: true },
    { apiName: "name", displayName: "Name", dataType: "string" },
    { apiName: "country", displayName: "Country", dataType: "string" },
    { apiName: "status", displayName: "Status", dataType: "picklist" },
  ],
};

/** id, customer, status, amount, quantity, placedAt, labels */
export const ORDER_ROWS = [
  ["o1", "c1", "open", "10.50", 1, "2026-01-05T10:00:00Z", '["new"]'],
  ["o2", "c1", "paid", "20.00", 2, "2026-01-20T10:00:00Z", null],
  ["o3", "c2", "paid", "5.25", 3, "2026-02-01T00:00:00Z", '["new","gift"]'],
  ["o4", "c2", "open", "100.00", 4, "2026-02-28T23:59:59Z", null],
  ["o5", "c3", "paid", null, 5, "2026-03-15T12:00:00Z", null],
  ["o6", null, "lost", "7.00", 6, "2026-03-31T23:30:00Z", null],
] as const;

/** id, name, country, status; nobody has ordered for the fourth. */
export const CUSTOMER_ROWS = [
  ["c1", "Ada", "NL", "active"],
  ["c2", "Ben", "DE", "active"],
  ["c3", "Cas", "NL", "closed"],
  ["c4", "Dee", "FR", "active"],
] as const;

export const O = { datasetId: ORDERS, datasetType: "ENTITY", datasourceAlias: "orders" } as const;
export const C = { datasetId: CUSTOMERS, datasetType: "ENTITY", datasourceAlias: "customers" } as const;

/** A field of the orders, or with `from` of another source, as an output column of the same name. */
export const pick = (apiName: string, more: { as?: string; from?: string; aggregate?: string } = {}) =>
  ({
    alias: more.as ?? apiName,
    displayName: more.as ?? apiName,
    apiName,
    dataType: "string",
    datasourceAlias: more.from ?? "orders",
    ...(more.aggregate ? { aggregate: more.aggregate } : {}),
  }) as NonNullable<DatasetConfigInput["selectedFields"]>[number];

export const byCustomer = (joinType: "INNER" | "LEFT" | "RIGHT" | "FULL") => ({
  joinType,
  field1: { datasetId: ORDERS, datasourceAlias: "orders", apiName: "customer" },
  field2: { datasetId: CUSTOMERS, datasourceAlias: "customers", apiName: "accord_id" },
});

export const config = (input: DatasetConfigInput): DatasetConfig => DatasetConfig.parse(input);

export const dataset = (id: string, input: DatasetConfigInput): CatalogueDataset => ({
  id,
  name: id,
  displayName: `Dataset ${id}`,
  config: config(input),
});

export const shop = (...datasets: CatalogueDataset[]) => catalogueOf([orders, customers], datasets);
