/** Rules of datasets: what is refused, and that each refusal names what to mend. */
import type { Predicate } from "@accord/contracts/data/predicate";
import { DATASET_LIMITS, type DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import { expect, test } from "vitest";
import { byCustomer, C, config, dataset, O, pick, shop } from "./golden/shop.ts";
import { checkDataset, resolveDataset } from "./resolve.ts";
import { type CatalogueField, catalogueOf } from "./catalogue.ts";
import { suggestJoinsBetween } from "./suggest-joins.ts";

const problemsOf = (input: DatasetConfigInput, catalogue = shop()) => checkDataset(config(input), catalogue);
const equals = (field: string, value: string): Predicate => ({
  type: "condition",
  left: { kind: "field", field },
  operator: "equals",
  right: [{ kind: "literal", value }],
});

test("a dataset needs sources and fields", () => {
  expect(problemsOf({})).toMatchObject([{ path: "sources", code: "sources_missing" }]);
  expect(problemsOf({ sources: [O] })).toMatchObject([{ path: "selectedFields", code: "fields_missing" }]);
});

test("an unknown field is refused by its name", () => {
  const problems = problemsOf({ sources: [O], selectedFields: [pick("colour")] });
  expect(problems).toEqual([{ path: "selectedFields.0", code: "field_unknown", facts: { name: "orders.colour" } }]);
});

test("a filter on a name that two sources share has to say which", () => {
  const base = { sources: [O, C], joins: [byCustomer("INNER")], selectedFields: [pick("accord_id")] };
  expect(problemsOf({ ...base, filter: equals("status", "open") })).toMatchObject([{ code: "field_ambiguous" }]);
  expect(problemsOf({ ...base, filter: equals("orders.status", "open") })).toEqual([]);
});

test("[INS-072] in a grouped dataset each field is grouped by or folded", () => {
  const grouped = { sources: [O], group: true, groupBy: [{ datasetField: "status" }] };
  expect(problemsOf({ ...grouped, selectedFields: [pick("status"), pick("amount")] })).toEqual([
    { path: "selectedFields.1", code: "aggregate_missing", facts: { name: "amount" } },
  ]);
  const summed = [pick("status"), pick("customer", { aggregate: "sum" })];
  expect(problemsOf({ ...grouped, selectedFields: summed })).toMatchObject([{ code: "aggregate_not_for_type" }]);
});

test("every source has to be joined, and both sides of a join have to be comparable", () => {
  expect(problemsOf({ sources: [O, C], selectedFields: [pick("status")] })).toMatchObject([
    { path: "sources.1", code: "source_not_joined", facts: { name: "customers" } },
  ]);
  const join = { ...byCustomer("INNER"), field1: { ...byCustomer("INNER").field1, apiName: "amount" } };
  expect(problemsOf({ sources: [O, C], joins: [join], selectedFields: [pick("status")] })[0]).toMatchObject({
    path: "joins.0",
    code: "join_field_types",
  });
});

test("a dataset cannot be built on itself, nor on more than five others", () => {
  const idOf = (number: number): string => String(number).padStart(24, "0");
  const on = (id: string, from: string) =>
    dataset(id, {
      sources: [{ datasetId: from, datasetType: "DATASET", datasourceAlias: "d" }],
      selectedFields: [pick("status", { from: "d" })],
    });
  const [a, b] = [on(idOf(1), idOf(2)), on(idOf(2), idOf(1))];
  expect(checkDataset(a.config, shop(b, a), { datasetId: a.id })).toMatchObject([{ code: "source_cycle" }]);
  const tower = Array.from({ length: DATASET_LIMITS.depth + 2 }, (_, at) =>
    at === 0 ? dataset(idOf(0), { sources: [O], selectedFields: [pick("status")] }) : on(idOf(at), idOf(at - 1)),
  );
  expect(checkDataset(tower[DATASET_LIMITS.depth]!.config, shop(...tower))).toEqual([]);
  expect(checkDataset(tower[DATASET_LIMITS.depth + 1]!.config, shop(...tower))).toMatchObject([
    { code: "source_too_deep" },
  ]);
});

test("[INS-060] a required variable without a value blocks the run with its name", () => {
  const variable = { apiName: "country", displayName: "Country" };
  const input = {
    sources: [C],
    selectedFields: [pick("name", { from: "customers" })],
    filter: {
      type: "condition",
      left: { kind: "field", field: "country" },
      operator: "equals",
      right: [{ kind: "variable", apiName: "country" }],
    } as Predicate,
  };
  const required = config({ ...input, variables: [variable] });
  required.variables[0]!.required = true;
  expect(checkDataset(required, shop())).toEqual([
    { path: "variables.country", code: "variable_required", facts: { name: "Country" } },
  ]);
  expect(checkDataset(required, shop(), { values: { country: "NL" } })).toEqual([]);
  expect(problemsOf(input)).toMatchObject([{ code: "variable_unknown", facts: { name: "country" } }]);
});

test("hostile names stay quoted text", () => {
  const name = 'x" FROM pg_shadow --';
  const hostile = {
    ...shop().entity(O.datasetId)!,
    fields: [{ apiName: name, displayName: "x", dataType: "string" as const }],
  };
  const query = resolveDataset(config({ sources: [O], selectedFields: [pick(name, { as: "x" })] }), {
    entity: () => hostile,
    dataset: () => undefined,
  });
  expect(query.columns[0]!.expr).toMatchObject({ name });
});

test("[INS-135] join suggestions start with references between the sources", () => {
  const [first] = suggestJoinsBetween([O, C], shop());
  expect(first).toMatchObject({
    field1: { apiName: "customer" },
    field2: { apiName: "accord_id" },
    reason: "reference",
  });
});

test("[INS-135] fields of one name suggest a join only where a record is known by them", () => {
  const entity = (id: string, fields: CatalogueField[]) => ({
    ...{ id, apiName: id, displayName: id, fields },
    relation: { schema: "public", name: id },
  });
  const field = (apiName: string, more: Partial<CatalogueField> = {}): CatalogueField => ({
    ...{ apiName, displayName: apiName, dataType: "string" },
    ...more,
  });
  const suggested = (one: CatalogueField, other = one): string[] =>
    suggestJoinsBetween([O, C], catalogueOf([entity(O.datasetId, [one]), entity(C.datasetId, [other])])).map(
      ({ field1, field2, reason }) => `${field1.apiName} = ${field2.apiName}: ${reason}`,
    );
  for (const name of [
    "status",
    "name",
    "amount",
    "paid",
    "valid",
    "monkey",
    "country_code",
    "postalCode",
    "phone_number",
  ])
    expect(suggested(field(name))).toEqual([]);
  expect(suggested(field("active", { dataType: "boolean" }))).toEqual([]);
  expect(suggested(field("email", { unique: true }), field("email"))).toEqual(["email = email: id"]);
  for (const name of ["customer_id", "customerId", "ID", "order_number", "AccountNumber"])
    expect(suggested(field(name))).toEqual([`${name} = ${name}: id`]);
  const owner = (referenceTo: string) => field("owner", { dataType: "reference", referenceTo });
  expect(suggested(owner("user"))).toEqual(["owner = owner: sameName"]);
  expect(suggested(owner("user"), owner("team"))).toEqual([]);
});
