/** Random cards and answers: blank and repeated names, negatives, tiny and huge numbers, hundreds of categories. */
import {
  CardConfiguration,
  type CardData,
  type CardReduction,
  DISPLAY_FORMATS,
  type EntryPath,
  holdsList,
  optionsOf,
  cardShapeOf,
  VIZ_TYPES,
} from "@accord/contracts/insights/cards";
import type { Value } from "@accord/contracts/data/values";
import { AGGREGATES, DATE_GRAINS } from "@accord/contracts/insights/dataset-config";

/** mulberry32: the same seed gives the same answer. */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  int(below: number): number {
    return Math.floor(this.next() * below);
  }
  bool(share = 0.5): boolean {
    return this.next() < share;
  }
  pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
    const item = items[this.int(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
}

export interface RandomCard {
  card: CardConfiguration;
  data: CardData;
}

type Rows = CardData["rows"];

const NAMES = ["Other", "(blank)", "(empty text)", "null", "rest", "small", "a", "A", "Other (3 more)", "0", "#2", " "];
const AXIS_KINDS = ["text", "text", "text", "number", "date", "moment", "boolean"] as const;
type AxisKind = (typeof AXIS_KINDS)[number];

export function randomCard(seed: number): RandomCard {
  const random = new Random(seed);
  const vizType = random.pick(VIZ_TYPES);
  const format = () => random.pick(DISPLAY_FORMATS);
  const aggregate = random.bool(0.7) ? undefined : random.pick(AGGREGATES.filter((fn) => fn !== "textList"));
  const value = () => ({ ...entry("v"), displayFormat: format(), ...(aggregate ? { aggregate } : {}) });
  const size = random.pick([0, 1, 2, 3, 3, 5, 5, 8, 8, 12, 12, 20, 20, 30, 60]) * (random.bool(0.01) ? 10 : 1);
  const look = {
    categoryValues: random.bool(0.2) ? [{ name: random.pick(NAMES), color: "#123456" }] : [],
    ...(random.bool(0.3) ? { stacking: random.pick(["normal", "percent"] as const) } : {}),
  };
  const shape = cardShapeOf(vizType);
  if (shape.kind !== "chart") {
    const isRows = shape.kind === "rows";
    const columns = isRows ? [{ ...entry("n"), displayFormat: "text" as const }, value()] : [value()];
    const rows = Array.from({ length: isRows ? size : 1 }, () =>
      Object.fromEntries(columns.map(({ column }, at) => [`c${at}`, column === "n" ? name(random) : amount(random)])),
    );
    const types = columns.map(({ column }) => (column === "n" ? "string" : "decimal"));
    return { card: CardConfiguration.parse({ vizType, columns }), data: answer("c", types, rows, limited(random)) };
  }
  const options = optionsOf(vizType);
  const hasStages = options.includes("stages");
  const kind = hasStages ? "text" : random.pick(AXIS_KINDS);
  const axis = { ...entry("x"), displayFormat: "text" as const, ...grainOf(kind, random) };
  const isSplit = shape.series !== null && random.bool(0.4);
  const values = holdsList(shape.values) && !isSplit ? 1 + random.int(3) : 1;
  const measured = Array.from({ length: values }, value);
  const card = CardConfiguration.parse({
    ...{ vizType, [shape.category]: axis, ...held(shape.values, measured), ...look },
    ...(shape.series !== null && isSplit ? held(shape.series, [entry("s")]) : {}),
    ...(hasStages ? randomStages(random) : {}),
    ...(options.includes("smallSlices") ? randomSmallSlices(random) : {}),
  });
  return { card, ...chartData(random, kind, { size, isSplit, values }) };
}

const held = (path: EntryPath, entries: readonly object[]): object => ({
  [path]: holdsList(path) ? entries : entries[0],
});

function randomStages(random: Random): Partial<CardConfiguration> {
  const stages = random.bool(0.3) ? [random.pick(NAMES), random.pick(NAMES), "c1", "c2"] : [];
  return { sortBy: random.pick(["value", "stage"] as const), ascending: random.bool(), stages };
}

function randomSmallSlices(random: Random): Partial<CardConfiguration> {
  const minimumValue = { value: random.pick([0, 0.5, 10, 1e6]), label: random.pick(["", "Rest", "a"]) };
  return random.bool(0.4) ? { minimumValue: { ...minimumValue, applyToSubCategories: random.bool() } } : {};
}

const entry = (column: string) => ({ column, name: column, displayName: column, displayFormat: "number" as const });

function grainOf(kind: AxisKind, random: Random) {
  return kind === "date" && random.bool(0.7) ? { grain: random.pick(DATE_GRAINS) } : {};
}

function chartData(
  random: Random,
  kind: AxisKind,
  shape: { size: number; isSplit: boolean; values: number },
): Pick<RandomCard, "data"> {
  const hasRest = kind === "text" && random.bool(0.3);
  const hasOtherSeries = shape.isSplit && random.bool(0.3);
  const isPositive = random.bool(0.6);
  const series = Array.from({ length: random.pick([1, 2, 3, 5, 25]) }, () => name(random));
  const rows: Rows = Array.from({ length: shape.size }, () => {
    const isRest = hasRest && random.bool(0.15);
    const isOther = hasOtherSeries && random.bool(0.2);
    return {
      x: isRest ? null : category(kind, random),
      ...(hasRest ? { other: isRest } : {}),
      ...(shape.isSplit ? { series: isOther ? null : random.pick(series), otherSeries: isOther } : {}),
      ...Object.fromEntries(
        Array.from({ length: shape.values }, (_, at) => [
          `y${at}`,
          isPositive ? positive(amount(random)) : amount(random),
        ]),
      ),
    };
  });
  const types = [
    ({ text: "string", number: "decimal", date: "date", moment: "datetime", boolean: "boolean" } as const)[kind],
    ...(shape.isSplit ? (["string"] as const) : []),
    ...Array.from({ length: shape.values }, () => "decimal" as const),
  ];
  const names = [
    "x",
    ...(shape.isSplit ? ["series"] : []),
    ...Array.from({ length: shape.values }, (_, at) => `y${at}`),
  ];
  const counts = {
    otherCategories: hasRest ? random.int(100) : 0,
    otherSeries: hasOtherSeries ? random.int(100) : 0,
    omittedSeries: shape.isSplit && !hasOtherSeries && random.bool(0.1) ? 1 + random.int(50) : 0,
  };
  const reduction = { ...(limited(random) ?? NOTHING), ...counts };
  return {
    data: {
      ...answer("", types, rows, reduction),
      columns: types.map((dataType, at) => column(names[at] ?? "", dataType)),
    },
  };
}

const NOTHING: CardReduction = {
  isLimited: false,
  totalRows: null,
  otherCategories: 0,
  otherSeries: 0,
  omittedSeries: 0,
};

const limited = (random: Random): CardReduction | null =>
  random.bool(0.1)
    ? { ...NOTHING, isLimited: true, totalRows: random.bool() ? 5_000 + random.int(9_000) : null }
    : null;

type DataType = CardData["columns"][number]["dataType"];
const column = (columnName: string, dataType: DataType) => ({ name: columnName, displayName: columnName, dataType });

const answer = (prefix: string, types: readonly DataType[], rows: Rows, reduction: CardReduction | null): CardData => ({
  columns: types.map((dataType, at) => column(`${prefix}${at}`, dataType)),
  rows,
  reduction,
  asOf: "2026-01-01T00:00:00.000Z",
  dataAsOf: null,
  label: "",
});

function name(random: Random): Value {
  if (random.bool(0.1)) return null;
  if (random.bool(0.1)) return "";
  return random.bool(0.3) ? random.pick(NAMES) : `c${random.int(300)}`;
}

function category(kind: AxisKind, random: Random): Value {
  if (random.bool(0.06)) return null;
  const day = new Date(Date.UTC(2024, random.int(30), 1 + random.int(28), random.int(24), random.int(60)));
  switch (kind) {
    case "text":
      return name(random);
    case "number":
      return amount(random);
    case "boolean":
      return random.bool();
    case "date":
      return day.toISOString().slice(0, 10);
    case "moment":
      return day.toISOString();
  }
}

/** Exact texts as well as numbers, from 1e-7 to 1e13. */
function amount(random: Random): Value {
  if (random.bool(0.05)) return null;
  if (random.bool(0.05)) return 0;
  const size = 10 ** (random.int(21) - 7);
  const number = (random.bool(0.25) ? -1 : 1) * random.next() * size;
  return random.bool(0.3) ? number.toFixed(9) : number;
}

function positive(value: Value): Value {
  if (typeof value === "number") return Math.abs(value);
  return typeof value === "string" ? value.replace("-", "") : value;
}
