/** One case asked of the engines of the server and of the oracle, and where they differ. */
import {
  cardQuery,
  catalogueOf,
  describeColumns,
  planQuery,
  postgres,
  printQuery,
  resolveDataset,
} from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import type { Value } from "@accord/contracts/data/values";
import { CardConfiguration } from "@accord/contracts/insights/cards";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import type { AnalyticsEngine } from "../../src/modules/insights/engine/index.ts";
import { type Cell, cellOf, type Column, shownOf, type Table } from "./cells.ts";
import { compareRows, type Evaluated, evaluateDataset, tableOf, typeOf, type World } from "./evaluate-dataset.ts";
import { cut, type FoldColumn, foldRows } from "./folds.ts";
import type { CardColumn, DatasetCase, TableCard } from "./random-datasets.ts";
import { type Shop, textOrderBy } from "./records.ts";
import type { Row, TextOrder } from "./cells.ts";

export interface Asked {
  shop: Shop;
  records: ReadonlyMap<string, Table>;
  instanceId: Id<"instance">;
  /** Each is asked in turn: what it is called, and the engine. */
  engines: readonly (readonly [name: string, engine: AnalyticsEngine])[];
}

const CALLER = { client: "oracle", signal: new AbortController().signal };
const TABLE_ROWS = 1_000;

export interface Compared {
  /** In words; null where all agree. */
  difference: string | null;
  /** That the oracle has. */
  rows: number;
}

/** `engines` that a case is not for are left out. Texts that the case computes are put in order by the database first. */
export async function compareCase(one: DatasetCase, asked: Asked): Promise<Compared> {
  const texts = new Set<string>();
  for (let places = asked.shop.places; ; places = await asked.shop.placesWith(texts)) {
    const unknown = new Set<string>();
    const compared = await compareWith(one, asked, textOrderBy(places, unknown));
    if (unknown.size === 0) return compared;
    for (const text of unknown) texts.add(text);
  }
}

async function compareWith(one: DatasetCase, asked: Asked, textOrder: TextOrder): Promise<Compared> {
  const expected = expectedOf(one, asked, textOrder);
  const rows = Math.min(expected.limit ?? expected.rows.length, expected.rows.length);
  return { difference: await differenceFrom(expected, { one, asked, textOrder }), rows };
}

interface Comparing {
  one: DatasetCase;
  asked: Asked;
  textOrder: TextOrder;
}

async function differenceFrom(expected: Evaluated, { one, asked, textOrder }: Comparing): Promise<string | null> {
  const { statement, columns } = statementOf(one, asked.shop);
  const types = columns.map(({ name, dataType }) => `${name} ${dataType}`).join(", ");
  const wanted = expected.columns.map(({ name, dataType }) => `${name} ${dataType}`).join(", ");
  if (types !== wanted) return `columns: ${types}; the oracle has ${wanted}`;
  for (const [name, engine] of asked.engines) {
    const { rows } = await engine.run({ instanceId: asked.instanceId, statement, columns, caller: CALLER });
    // Of a card one more is asked for, to see whether some were left out.
    const answer = one.card ? rows.slice(0, expected.limit ?? rows.length) : rows;
    const difference = compareAnswer(answer, expected, textOrder);
    if (difference) return `${name}: ${difference}\n${statement.text}\n${JSON.stringify(statement.params)}`;
  }
  return null;
}

/** Whether the columnar mirror may answer it. */
export const isColumnar = (one: DatasetCase, shop: Shop): boolean =>
  one.card !== null && (statementOf(one, shop).statement.columnar ?? null) !== null;

function statementOf(one: DatasetCase, shop: Shop) {
  const { dataset, nested, values, timeZone, now, card } = one;
  const datasets = [...nested].map(([id, config]) => ({ id, name: id, displayName: id, config }));
  const query = resolveDataset(dataset, catalogueOf(shop.entities, datasets), { values, timeZone });
  const printing = { dialect: postgres, timeZone, now };
  if (!card) {
    const planned = planQuery(query);
    const columns: DatasetColumn[] = describeColumns(planned);
    return { statement: printQuery(planned, printing), columns };
  }
  const statement = cardQuery(configurationOf(card), query, printing);
  return { statement, columns: statement.columns };
}

const configurationOf = ({ columns, order, top }: TableCard): CardConfiguration =>
  CardConfiguration.parse({
    vizType: "TABLE",
    columns: columns.map((entry) => ({ ...entry, name: entry.column })),
    ...(order ? { rowOrder: order } : {}),
    ...(top === null ? {} : { top }),
  });

function expectedOf(
  { dataset, nested, values, timeZone, now, card }: DatasetCase,
  { records }: Asked,
  textOrder: TextOrder,
): Evaluated {
  const world: World = { entities: records, datasets: nested, timeZone, now, textOrder, values };
  const evaluated = evaluateDataset(dataset, world);
  if (!card) return evaluated;
  return card.columns.some(isFolded) ? onCard(card, tableOf(evaluated), world) : listed(card, evaluated, world);
}

/** Rows as they are: in the order that is asked for, else in the dataset's own, as far as the card shows what that is by. */
function listed({ columns: entries, order, top }: TableCard, evaluated: Evaluated, world: World): Evaluated {
  const table = tableOf(evaluated);
  const typed = entries.map((entry, at) => cardColumn(entry, at, table.columns));
  const rows = table.rows.map((row) =>
    typed.map(({ fold }) =>
      fold.of === null ? null : cut(fold.of(row), fold.by === "key" ? fold.grain : null, world.timeZone),
    ),
  );
  const sort: Evaluated["sort"] = [];
  for (const { at, isAscending } of order ? [] : evaluated.sort) {
    const shown = entries.findIndex(({ column, grain }) => column === table.columns[at]?.name && grain === undefined);
    if (shown < 0) break;
    sort.push({ at: shown, isAscending });
  }
  if (order) sort.push({ at: order.column, isAscending: order.ascending });
  return {
    columns: typed.map(({ name, dataType, isList }) => ({ name, dataType, isList })),
    rows: order ? rows.toSorted((one, other) => compareRows(one, other, sort, world.textOrder)) : rows,
    sort,
    limit: top ?? TABLE_ROWS,
  };
}

/** Groups of the dataset's rows; ordered as asked, else by the first value downwards, then by what the groups are. */
function onCard({ columns: entries, order, top }: TableCard, { columns, rows }: Table, world: World): Evaluated {
  const typed = entries.map((entry, at) => cardColumn(entry, at, columns));
  const firstValue = entries.findIndex(isFolded);
  const asked = order
    ? [{ at: order.column, isAscending: order.ascending }]
    : entries.length > 1
      ? [{ at: firstValue, isAscending: false }]
      : [];
  const keys = entries.flatMap((entry, at) =>
    isFolded(entry) || asked.some((one) => one.at === at) ? [] : [{ at, isAscending: true }],
  );
  const sort = [...asked, ...keys];
  const folded = foldRows(
    rows,
    typed.map(({ fold }) => fold),
    world,
  );
  return {
    columns: typed.map(({ name, dataType, isList }) => ({ name, dataType, isList })),
    rows: folded.toSorted((one, other) => compareRows(one, other, sort, world.textOrder)),
    sort,
    limit: top ?? TABLE_ROWS,
  };
}

const isFolded = ({ column, aggregate }: CardColumn): boolean => aggregate !== undefined || column === "*";

function cardColumn(entry: CardColumn, at: number, columns: readonly Column[]): Column & { fold: FoldColumn<Row> } {
  const name = `c${at}`;
  if (entry.column === "*")
    return { name, dataType: "integer", isList: false, fold: { by: "aggregate", of: null, fn: "count" } };
  const column = columns.find((one) => one.name === entry.column);
  if (!column) throw new Error(`the dataset gives no ${entry.column}`);
  const of = (row: Row): Cell => row.get(column.name) ?? null;
  const { aggregate: fn, grain = null } = entry;
  if (fn) return { name, dataType: typeOf(fn, column.dataType), isList: false, fold: { by: "aggregate", of, fn } };
  return { name, dataType: grain ? "date" : column.dataType, isList: column.isList, fold: { by: "key", of, grain } };
}

type AnswerRows = readonly { [column: string]: Value }[];

/** As many rows, each of them one of the oracle's, in an order that the sort allows. */
function compareAnswer(answer: AnswerRows, expected: Evaluated, textOrder: TextOrder): string | null {
  const { columns, rows, sort } = expected;
  const limit = Math.min(expected.limit ?? rows.length, rows.length);
  if (answer.length !== limit) return `${answer.length} rows, the oracle has ${limit}`;
  const show = (cells: readonly Cell[]): string => cells.map(shownOf).join(" | ");
  const given = answer.map((row) => columns.map((column) => cellOf(row[column.name], column)));
  const left = new Map<string, number>();
  for (const row of rows) left.set(show(row), (left.get(show(row)) ?? 0) + 1);
  for (const row of given) {
    const count = left.get(show(row)) ?? 0;
    if (count === 0) return `row ${show(row)}; the oracle has\n  ${rows.map(show).join("\n  ")}`;
    left.set(show(row), count - 1);
  }
  for (const [at, row] of given.entries()) {
    const wanted = rows[at] ?? [];
    const keys = (cells: readonly Cell[]): string => sort.map((by) => shownOf(cells[by.at] ?? null)).join(" | ");
    if (keys(row) !== keys(wanted) && compareRows(row, wanted, sort, textOrder) !== 0)
      return `at ${at} stands ${show(row)}, the oracle has ${show(wanted)}`;
  }
  return null;
}
