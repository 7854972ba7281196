/** What the dataset editor does to a configuration. */
import type { DataSourceField } from "@accord/contracts/insights/dataset-config";
import { expect, test } from "vitest";
import { emptyConfig, folded, grouped, toggled, withGrain, withoutSource, withSource } from "./dataset.model.ts";

const ENTITY = { datasetId: "0000000000000000000000a1", datasetType: "ENTITY" } as const;
const field = (apiName: string, dataType: DataSourceField["dataType"], datasourceAlias = "Order"): DataSourceField => ({
  ...ENTITY,
  apiName,
  dataType,
  datasourceAlias,
  fieldId: apiName,
  displayName: apiName,
  fieldAlias: `${datasourceAlias}.${apiName}`,
});

test("[INS-068] one source used twice gets two names, and both can be told apart", () => {
  const config = withSource(withSource(emptyConfig(), ENTITY, "Order"), ENTITY, "Order");
  expect(config.sources.map(({ datasourceAlias }) => datasourceAlias)).toEqual(["Order", "Order2"]);
  expect(config.fromDataset).toBe(`${ENTITY.datasetId}::Order`);
});

test("grouping sums the numbers, groups by all else, and can be taken back", () => {
  let config = withSource(emptyConfig(), ENTITY, "Order");
  config = toggled(toggled(config, field("status", "string")), field("amount", "decimal"));
  const on = grouped(config, true);
  expect(on.groupBy).toEqual([{ datasetField: "status" }]);
  expect(on.selectedFields.map(({ aggregate }) => aggregate)).toEqual([undefined, "sum"]);
  expect(grouped(on, false)).toMatchObject({ group: false, groupBy: [] });
});

test("a column is either grouped by or folded, and dates take a grain", () => {
  const config = toggled(withSource(emptyConfig(), ENTITY, "Order"), field("day", "date"));
  const byMonth = withGrain(grouped(config, true), "day", "month");
  expect(byMonth.groupBy).toEqual([{ datasetField: "day", grain: "month" }]);
  expect(folded(byMonth, "day", "max")).toMatchObject({ groupBy: [], selectedFields: [{ aggregate: "max" }] });
});

test("without its source nothing is left that named it", () => {
  let config = withSource(withSource(emptyConfig(), ENTITY, "Order"), ENTITY, "Customer");
  config = toggled(toggled(config, field("a", "string")), field("b", "string", "Customer"));
  config = { ...config, sort: [{ field: "b", ascending: true }] };
  expect(withoutSource(config, "Customer")).toMatchObject({
    sources: [{ datasourceAlias: "Order" }],
    selectedFields: [{ alias: "a" }],
    sort: [],
  });
});
