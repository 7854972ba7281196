/** What random cases were made of, counted, so that what is never made is seen. */
import { type Predicate, PREDICATE_OPERATORS } from "@accord/contracts/data/predicate";
import { AGGREGATES, type DatasetConfig, DATE_GRAINS, JOIN_TYPES } from "@accord/contracts/insights/dataset-config";
import { OPERATORS } from "@accord/expressions";
import { LEFT_OUT } from "./random-conditions.ts";
import type { DatasetCase } from "./random-datasets.ts";

export class Coverage {
  readonly #counts = new Map<string, number>();

  /** `rows`: of its answer. */
  add(one: DatasetCase, rows: number): void {
    const facts = new Set(factsOf(one));
    for (const fact of facts) this.#add(fact);
    this.#add(rows > 0 ? "answer with rows" : "answer without rows");
    if (rows > 0) for (const fact of facts) this.#add(`${fact}, with rows`);
  }

  /** Facts that occur in fewer than their part of the cases. */
  missing(cases: number): string[] {
    return FLOORS.flatMap(([fact, part]) => {
      const count = this.#counts.get(fact) ?? 0;
      const least = Math.max(1, Math.floor(cases * part));
      return count >= least ? [] : [`${fact}: ${count} cases, at least ${least} are wanted`];
    });
  }

  toString(): string {
    return [...this.#counts]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([fact, count]) => `${fact}: ${count}`)
      .join("\n");
  }

  #add(fact: string): void {
    this.#counts.set(fact, (this.#counts.get(fact) ?? 0) + 1);
  }
}

function* factsOf({ dataset, nested, card, timeZone }: DatasetCase): Iterable<string> {
  yield* ofDataset(dataset);
  if (nested.size > 0) yield "dataset on a dataset";
  if (nested.size > 1) yield "dataset on a dataset on a dataset";
  for (const below of nested.values()) yield* ofDataset(below);
  if (timeZone !== "UTC") yield "time zone";
  if (!card) return;
  const isFolded = card.columns.some(({ column, aggregate }) => aggregate !== undefined || column === "*");
  const kind = isFolded ? "card that groups" : "card that lists";
  yield kind;
  if (dataset.group) yield `${kind} on groups`;
  if (dataset.having) yield `${kind} on groups with a condition`;
  if (dataset.sort.length > 0) yield `${kind} on a sorted dataset`;
  if (dataset.limit !== undefined && dataset.limit !== null) yield `${kind} on a cut dataset`;
  for (const { aggregate, grain } of card.columns) {
    if (aggregate) yield `aggregate ${aggregate}`;
    if (grain) yield `grain ${grain}`;
  }
}

function* ofDataset(config: DatasetConfig): Iterable<string> {
  if (new Set(config.sources.map(({ datasetType }) => datasetType)).size > 1) yield "dataset beside an entity";
  for (const { joinType } of config.joins) yield `join ${joinType}`;
  for (const { aggregate } of [...config.selectedFields, ...config.calculatedFields])
    if (aggregate && config.group) yield `aggregate ${aggregate}`;
  for (const { grain } of config.groupBy) if (grain && !grain.startsWith("{{")) yield `grain ${grain}`;
  if (config.filter) yield* ofPredicate(config.filter);
  if (config.having) {
    yield "condition on groups";
    yield* ofPredicate(config.having);
  }
  if (config.calculatedFields.length > 0) yield "formula";
  if (config.variables.length > 0) yield "variable";
  if (config.sort.length > 0) yield "sort";
  if (config.limit !== undefined && config.limit !== null) yield "limit";
}

function* ofPredicate(predicate: Predicate): Iterable<string> {
  if (predicate.type === "group") for (const child of predicate.children) yield* ofPredicate(child);
  else yield `operator ${predicate.operator}`;
}

/** Of datasets; others look at what changed in a pipeline, or into reference data. */
const DRAWN_OPERATORS = PREDICATE_OPERATORS.filter(
  (operator) => !LEFT_OUT.has(operator) && !OPERATORS[operator].change && !OPERATORS[operator].referenceData,
);

/** The least part of the cases: a third or less of what the seeds give. */
const FLOORS: readonly (readonly [fact: string, part: number])[] = [
  ["answer with rows", 0.6],
  ["card that groups, with rows", 0.2],
  ["card that lists, with rows", 0.02],
  ...["groups", "groups with a condition", "a sorted dataset", "a cut dataset"].flatMap((below) => [
    [`card that groups on ${below}, with rows`, 0.003] as const,
    [`card that lists on ${below}, with rows`, 0.001] as const,
  ]),
  ["dataset on a dataset, with rows", 0.03],
  ["dataset on a dataset on a dataset, with rows", 0.005],
  ["dataset beside an entity, with rows", 0.01],
  ...["formula", "variable", "sort", "limit", "time zone", "condition on groups"].map(
    (fact) => [`${fact}, with rows`, 0.03] as const,
  ),
  ...DRAWN_OPERATORS.map((operator) => [`operator ${operator}, with rows`, 0.002] as const),
  ...JOIN_TYPES.map((type) => [`join ${type}, with rows`, 0.02] as const),
  ...AGGREGATES.map((fn) => [`aggregate ${fn}, with rows`, 0.005] as const),
  ...DATE_GRAINS.map((grain) => [`grain ${grain}, with rows`, 0.005] as const),
];
