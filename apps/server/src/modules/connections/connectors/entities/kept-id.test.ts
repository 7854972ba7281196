/** The id of a table that was read before stays what it is when its schema is read again. */
import { EntitySchema } from "@accord/contracts/data/schema";
import { expect, test } from "vitest";
import { idCandidates, mergeSchemas } from "./entity-view.ts";

const KEY = '["shop","sku"]';
const column = (apiName: string, rest: object = {}) => ({ apiName, displayName: apiName, dataType: "string", ...rest });
const schema = (...fields: object[]) => EntitySchema.parse({ apiName: "goods", displayName: "Goods", fields });
const known = schema(
  column("shop"),
  column("sku"),
  column("code", { unique: true, isIdField: true, updateable: false }),
);
const key = column(KEY, { calculated: true, isIdField: true, unique: true, updateable: false, initializable: false });
const ofKey = { updateable: false };
const found = schema(key, column("shop", ofKey), column("sku", ofKey), column("code", { unique: true }));
const idsOf = ({ fields }: EntitySchema) => fields.filter(({ isIdField }) => isIdField).map(({ apiName }) => apiName);

test("a schema refresh changes no id field: the key of several columns is offered beside it", () => {
  const once = mergeSchemas(known, found);
  const twice = mergeSchemas(once, found);
  for (const merged of [once, twice]) {
    expect(idsOf(merged)).toEqual(["code"]);
    expect(idCandidates(merged)).toEqual([KEY, "shop", "sku", "code"]);
    const updateable = merged.fields.filter((field) => field.updateable).map(({ apiName }) => apiName);
    expect(updateable).toEqual(["shop", "sku"]);
  }
});

test("a table that is read for the first time, or whose column is no longer unique, has the primary key as id", () => {
  expect(idsOf(mergeSchemas(undefined, found))).toEqual([KEY]);
  const plain = schema(key, column("shop", ofKey), column("sku", ofKey), column("code"));
  expect(idsOf(mergeSchemas(known, plain))).toEqual([KEY]);
});
