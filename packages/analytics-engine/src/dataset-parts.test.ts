/** Which columns and variables of a dataset are removed, and who uses them. */
import { CardConfiguration } from "@accord/contracts/insights/cards";
import { DatasetConfig, type DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import { expect, test } from "vitest";
import { partsOfCard, partsOfSource, removedParts, usesPart } from "./dataset-parts.ts";

const BELOW = "00000000000000000000000c";
const column = (name: string) => ({ kind: "column" as const, name, displayName: name });
const field = (alias: string) => ({
  ...{ alias, displayName: alias, apiName: alias },
  ...{ dataType: "string" as const, datasourceAlias: "deals" },
});
const config = (more: DatasetConfigInput = {}) =>
  DatasetConfig.parse({
    sources: [{ datasetId: BELOW, datasetType: "DATASET", datasourceAlias: "deals" }],
    ...more,
  });

test("a change removes columns, calculated ones too, and variables; a renamed one stays", () => {
  const calculated = { aliasName: "twice", displayName: "Twice", dataType: "decimal" as const, formula: "1" };
  const before = config({
    selectedFields: [field("a"), field("b")],
    calculatedFields: [calculated],
    variables: [{ apiName: "top", displayName: "Top" }],
  });
  const after = config({ selectedFields: [{ ...field("a"), displayName: "First" }] });
  expect(removedParts(before, after)).toEqual([
    column("b"),
    { kind: "column", name: "twice", displayName: "Twice" },
    { kind: "variable", name: "top", displayName: "Top" },
  ]);
});

test("a card uses the columns of its axes whatever their case, and the variables of its label and settings", () => {
  const used = partsOfCard(
    CardConfiguration.parse({
      vizType: "COLUMN",
      vizLabel: "Top {{top}}",
      xaxis: { column: "Day" },
      yaxis: [{ column: "amount" }],
      variablesMap: { since: "2026" },
    }),
  );
  for (const name of ["day", "AMOUNT"]) expect(usesPart(used, column(name))).toBe(true);
  expect(usesPart(used, column("status"))).toBe(false);
  for (const name of ["top", "since"]) expect(usesPart(used, { kind: "variable", name, displayName: name })).toBe(true);
});

test("a dataset uses columns of the one below in fields, joins, filters and formulas", () => {
  const formula = (text: string) => ({
    calculatedFields: [{ aliasName: "x", displayName: "X", dataType: "decimal" as const, formula: text }],
  });
  const side = (datasourceAlias: string, apiName: string) => ({ datasetId: BELOW, datasourceAlias, apiName });
  const cases: DatasetConfigInput[] = [
    { selectedFields: [field("amount")] },
    { joins: [{ field1: side("deals", "amount"), field2: side("other", "id") }] },
    formula("[deals.amount] * 2"),
    formula("[amount] * 2"),
    { filter: { type: "condition", left: { kind: "field", field: "deals.amount" }, operator: "isBlank", right: [] } },
  ];
  for (const more of cases) {
    const used = partsOfSource(config(more), BELOW);
    expect(usesPart(used, column("amount"))).toBe(true);
    expect(usesPart(used, column("status"))).toBe(false);
  }
});

test("a dataset uses variables of the one below in filters, limits and values", () => {
  const filter = {
    type: "condition" as const,
    left: { kind: "field" as const, field: "deals.amount" },
    operator: "equals" as const,
    right: [{ kind: "variable" as const, apiName: "top" }],
  };
  for (const more of [{ filter }, { limit: "{{top}}" }, { variablesMap: { top: 3 } }])
    expect(usesPart(partsOfSource(config(more), BELOW), { kind: "variable", name: "top", displayName: "Top" })).toBe(
      true,
    );
});
