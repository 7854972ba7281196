/** A proposal in words, one line for each part of its dataset and card; two of them side by side are what changed. */
import type { CardIntent, CardProposal } from "@accord/contracts/insights/card-assistant";
import { type DatasetColumn, ROW_COUNT } from "@accord/contracts/insights/dataset-config";
import { useWords } from "../../../app/words.ts";
import { describe } from "../../../shared/predicate-builder/describe.ts";

export const FACTS = ["dataset", "chart", "category", "series", "values", "columns", "filter", "top", "order"] as const;
export type Fact = (typeof FACTS)[number];

export type Facts = Readonly<Record<Fact, string>>;

export function useFacts(): (proposal: CardProposal) => Facts {
  // Conditions are described in the words of their builder.
  const { t } = useWords("insights", "builder");
  return ({ intent, dataset, card }) => {
    const { columns } = dataset;
    const named = (name: string): string => nameOf(name, columns, t("wizard.rowCount"));
    const { category, series, order } = intent;
    const count = (dataset.datasetConfig?.selectedFields ?? []).length;
    return {
      dataset: dataset.datasetConfig
        ? t("assistant.newDataset", { name: dataset.displayName, count })
        : dataset.displayName,
      chart: t(`cardType.${intent.vizType}.name`),
      category: category
        ? category.grain
          ? t("assistant.byGrain", { name: named(category.column), grain: t(`grains.${category.grain}`).toLowerCase() })
          : named(category.column)
        : "",
      series: series ? named(series.column) : "",
      values: intent.values.map((value) => valueWords(value, named, t)).join(", "),
      columns: intent.columns.map(named).join(", "),
      filter: card.filter ? describe(card.filter, { fields: fieldsOf(columns) }) : "",
      top: intent.top === null ? "" : String(intent.top),
      order: order ? t(order.ascending ? "wizard.ordersUp" : "wizard.ordersDown", { name: named(order.column) }) : "",
    };
  };
}

type Words = ReturnType<typeof useWords<"insights", "builder">>["t"];

const valueWords = (value: CardIntent["values"][number], named: (name: string) => string, t: Words): string =>
  value.column === ROW_COUNT
    ? named(ROW_COUNT)
    : t("assistant.aggregated", { aggregate: t(`aggregates.${value.aggregate ?? "sum"}`), name: named(value.column) });

const nameOf = (name: string, columns: readonly DatasetColumn[], rowCount: string): string =>
  name === ROW_COUNT ? rowCount : (columns.find((column) => column.name === name)?.displayName ?? name);

const fieldsOf = (columns: readonly DatasetColumn[]) =>
  columns.map(({ name, displayName, dataType, labels }) => ({
    ...{ apiName: name, displayName, dataType },
    ...(labels ? { picklist: Object.entries(labels).map(([id, label]) => ({ id, label })) } : {}),
  }));

export interface FactChange {
  fact: Fact;
  kind: "added" | "removed" | "changed" | "same";
  before: string;
  after: string;
}

/** Parts that are empty on both sides say nothing; of a first proposal all are as they are. */
export function factChanges(before: Facts | null, after: Facts): FactChange[] {
  return FACTS.flatMap((fact): FactChange[] => {
    const [old, now] = [before?.[fact] ?? "", after[fact]];
    if (old === "" && now === "") return [];
    const kind = !before || old === now ? "same" : old === "" ? "added" : now === "" ? "removed" : "changed";
    return [{ fact, kind, before: old, after: now }];
  });
}
