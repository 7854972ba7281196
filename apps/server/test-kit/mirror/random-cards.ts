/** Random datasets and cards on odd records: joins, filters, groups, orders, limits. */
import type { Predicate, PredicateOperator } from "@accord/contracts/data/predicate";
import type { Value } from "@accord/contracts/data/values";
import type { CardConfigurationInput } from "@accord/contracts/insights/cards";
import { DATE_GRAINS, type DatasetConfigInput, JOIN_TYPES } from "@accord/contracts/insights/dataset-config";
import { ODD_VALUES, type OddShop, pickOf, type Rng } from "./odd-records.ts";

const { TEXTS, INTEGERS, DECIMALS, DAYS, MOMENTS } = ODD_VALUES;

const FIELDS = {
  label: { type: "string", values: TEXTS },
  Label2: { type: "string", values: ["a", "B", ""] },
  pieces: { type: "integer", values: [...INTEGERS, "2.5", 5, 20] },
  amount: { type: "decimal", values: [...DECIMALS, "1.2345678", 100] },
  day: { type: "date", values: DAYS },
  placedAt: {
    type: "datetime",
    values: [...MOMENTS.map((text) => text?.replace(" ", "T") ?? null), "2026-03-29", "2026-10-25"],
  },
  isOpen: { type: "boolean", values: [true, false] },
} as const;
type FieldName = keyof typeof FIELDS;
const NAMES: readonly FieldName[] = ["label", "Label2", "pieces", "amount", "day", "placedAt", "isOpen"];

const OPERATORS: Readonly<Record<(typeof FIELDS)[FieldName]["type"], readonly PredicateOperator[]>> = {
  string: [
    "equals",
    "notEquals",
    "isBlank",
    "isNotBlank",
    "inList",
    "notInList",
    "contains",
    "notContains",
    "startsWith",
    "endsWith",
    "lengthGreater",
    "matchesRegex",
  ],
  integer: ["equals", "notEquals", "isBlank", "inList", "less", "lessOrEqual", "greater", "greaterOrEqual", "between"],
  decimal: ["equals", "notEquals", "isBlank", "inList", "less", "lessOrEqual", "greater", "greaterOrEqual", "between"],
  date: [
    "equals",
    "notEquals",
    "isBlank",
    "less",
    "lessOrEqual",
    "greater",
    "greaterOrEqual",
    "between",
    "lastDays",
    "nextMonths",
    "thisYear",
    "thisQuarter",
  ],
  datetime: [
    "equals",
    "notEquals",
    "isBlank",
    "less",
    "lessOrEqual",
    "greater",
    "greaterOrEqual",
    "between",
    "lastDays",
    "lastMonths",
    "thisYear",
    "thisWeek",
  ],
  boolean: ["equals", "isTrue", "isFalse", "isBlank"],
};

const NO_VALUE: ReadonlySet<PredicateOperator> = new Set([
  "isBlank",
  "isNotBlank",
  "isTrue",
  "isFalse",
  "thisYear",
  "thisQuarter",
  "thisWeek",
]);

function condition(rng: Rng): Predicate {
  const name = pickOf(rng, NAMES);
  const { type, values } = FIELDS[name];
  const operator = pickOf(rng, OPERATORS[type]);
  const takesBlank = operator === "equals" || operator === "notEquals";
  const usable: readonly Value[] = values.filter((value) => takesBlank || (value !== null && value !== ""));
  const one = (): Value => pickOf(rng, usable);
  const right: Value[] = NO_VALUE.has(operator)
    ? []
    : /Days|Months|length/.test(operator)
      ? [Math.floor(rng() * 400)]
      : operator === "matchesRegex"
        ? ["^[a-z]"]
        : operator === "between"
          ? [one(), one()]
          : /List/.test(operator)
            ? [one(), one(), one()]
            : [one()];
  return {
    type: "condition",
    left: { kind: "field", field: `main.${name}` },
    operator,
    right: right.map((value) => ({ kind: "literal", value })),
  };
}

function predicate(rng: Rng, depth: number): Predicate {
  if (depth === 0 || rng() < 0.5) return condition(rng);
  const children = Array.from({ length: 1 + Math.floor(rng() * 3) }, () => predicate(rng, depth - 1));
  return { type: "group", combinator: pickOf(rng, ["and", "or"]), children };
}

export interface RandomCard {
  dataset: DatasetConfigInput;
  card: Partial<CardConfigurationInput>;
}

export function randomCard(rng: Rng, shop: OddShop): RandomCard {
  const isJoined = rng() < 0.4;
  const pick = (datasourceAlias: string, apiName: string, dataType: (typeof FIELDS)[FieldName]["type"]) => ({
    ...{ alias: `${datasourceAlias}_${apiName}`, displayName: apiName, apiName, dataType, datasourceAlias },
  });
  const selectedFields = [
    ...NAMES.map((name) => pick("main", name, FIELDS[name].type)),
    ...(isJoined ? [pick("other", "kind", "string"), pick("other", "rank", "integer")] : []),
  ];
  const entity = (datasetId: string, datasourceAlias: string) => ({
    datasetId,
    datasetType: "ENTITY" as const,
    datasourceAlias,
  });
  const dataset: DatasetConfigInput = {
    sources: [entity(shop.entityId, "main"), ...(isJoined ? [entity(shop.otherId, "other")] : [])],
    selectedFields,
    ...(isJoined
      ? {
          joins: [
            {
              joinType: pickOf(rng, JOIN_TYPES),
              field1: { datasetId: shop.entityId, datasourceAlias: "main", apiName: "other" },
              field2: { datasetId: shop.otherId, datasourceAlias: "other", apiName: "accord_id" },
            },
          ],
        }
      : {}),
    ...(rng() < 0.7 ? { filter: predicate(rng, 2) } : {}),
  };
  return { dataset, card: cardOf(rng, selectedFields) };
}

type Selected = { alias: string; dataType: string };

function cardOf(rng: Rng, fields: readonly Selected[]): Partial<CardConfigurationInput> {
  const shown = { displayFormat: "text" as const };
  const key = () => {
    const { alias, dataType } = pickOf(rng, fields);
    const grain = /date/.test(dataType) && rng() < 0.7 ? { grain: pickOf(rng, DATE_GRAINS) } : {};
    return { column: alias, name: alias, ...shown, ...grain };
  };
  const value = () => {
    const { alias, dataType } = pickOf(rng, fields);
    const isNumber = dataType === "integer" || dataType === "decimal";
    const aggregate = pickOf(
      rng,
      isNumber
        ? (["sum", "avg", "min", "max", "count", "countDistinct"] as const)
        : (["count", "countDistinct"] as const),
    );
    return { column: alias, name: alias, aggregate, displayFormat: "number" as const };
  };
  const top = rng() < 0.3 ? { top: 1 + Math.floor(rng() * 12) } : {};
  switch (pickOf(rng, ["COLUMN", "BAR", "LINE", "TABLE", "METRIC", "PIE"] as const)) {
    case "COLUMN":
      return { vizType: "COLUMN", xaxis: key(), yaxis: [value(), value()], ...top };
    case "BAR":
      return { vizType: "BAR", xaxis: key(), yaxis: [value()], series: [key()], ...top };
    case "LINE":
      return { vizType: "LINE", xaxis: key(), yaxis: [value()], ...(rng() < 0.5 ? { series: [key()] } : {}), ...top };
    case "TABLE": {
      const columns = [key(), key(), value(), value()];
      const rowOrder = rng() < 0.5 ? { rowOrder: { column: Math.floor(rng() * 4), ascending: rng() < 0.5 } } : {};
      return { vizType: "TABLE", columns, ...rowOrder, ...top };
    }
    case "METRIC":
      return { vizType: "METRIC", columns: [value()] };
    case "PIE":
      return { vizType: "PIE", category: key(), value: value(), ...top };
  }
}
