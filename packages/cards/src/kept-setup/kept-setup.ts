/** What is set up for a card apart from its type: a change of type loses no field, and gives back those that had no slot. */
import {
  type AxisEntry,
  type CardConfiguration,
  type EntryPath,
  heldEntries,
  holdsList,
  OPTION_SETTINGS,
  cardShapeOf,
  type VizType,
} from "@accord/contracts/insights/card-configuration";
import { type DatasetColumn, ROW_COUNT } from "@accord/contracts/insights/dataset-config";
import { CARD_DEFINITIONS } from "../card-list.ts";
import { formatOf, isDateColumn, isNumberColumn } from "../column-types.ts";
import { type CardDefinition, newCard, withLabelOf } from "../definition.ts";

/** What a field is for, whatever the slot of a type is called. A table's further columns are for nothing else. */
type Role = "category" | "series" | "value" | "column";

export interface KeptField {
  role: Role;
  entry: AxisEntry;
  /** As tables show it, where charts group or aggregate it. */
  plain?: AxisEntry;
}

export interface KeptSetup {
  fields: readonly KeptField[];
  /** The last card of each family of types, for its looks. */
  cards: Readonly<Partial<Record<Family, CardConfiguration>>>;
}

type Family = VizType;
const familyOf = (type: VizType): Family => CARD_DEFINITIONS[type].looksLike ?? type;

/** Which of the fields a slot takes. */
type Place = { path: EntryPath; role: Role; taken: number[] };
type Columns = readonly DatasetColumn[];

const NOTHING: KeptSetup = { fields: [], cards: {} };
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const isFolded = ({ aggregate, column }: AxisEntry): boolean => aggregate !== undefined || column === ROW_COUNT;

const at = (fields: readonly KeptField[], places: readonly number[]): KeptField[] =>
  places.flatMap((place) => fields[place] ?? []);

/** Takes over what the card has now. What its type has no slot for stays as it was. */
export function keepSetup(card: CardConfiguration, columns: Columns, kept: KeptSetup = NOTHING): KeptSetup {
  const cards = { ...kept.cards, [familyOf(card.vizType)]: card };
  const places = placesOf(card.vizType, kept.fields, columns);
  const isUnchanged = places.every(({ path, taken }) =>
    same(
      entriesOf(card, path),
      at(kept.fields, taken).map((field) => shownBy(card.vizType, field, columns)),
    ),
  );
  if (isUnchanged) return { fields: kept.fields, cards };
  const fields =
    cardShapeOf(card.vizType).kind === "rows"
      ? fieldsOfTable(entriesOf(card, "columns"), kept.fields, columns)
      : fieldsOfSlots(card, places, kept.fields, columns);
  return { fields, cards };
}

/**
 * The card as another type: label and colours of categories stay, each field goes where the new type has a slot for it,
 * and the type looks as it was left. A metric or gauge takes only the first that gives a number, since one of texts
 * would show a text of an arbitrary row. `columns` are those of the dataset.
 */
export function changeType(
  card: CardConfiguration,
  to: CardDefinition,
  columns: Columns,
  kept: KeptSetup = keepSetup(card, columns),
): CardConfiguration {
  const before = kept.cards[familyOf(to.type)];
  const fresh = withLabelOf(card, newCard(to, card.datasetId));
  const entries = Object.fromEntries(
    placesOf(to.type, kept.fields, columns).map(({ path, taken }) => {
      const shown = at(kept.fields, taken).map((field) => shownBy(to.type, field, columns));
      return [path, holdsList(path) ? shown : shown[0]];
    }),
  );
  return { ...fresh, ...(before ? looksOf(before, entries) : {}), categoryValues: card.categoryValues, ...entries };
}

/** Fields that the type has no slot for. */
export function unplacedFields(kept: KeptSetup, type: VizType, columns: Columns): KeptField[] {
  const taken = new Set(placesOf(type, kept.fields, columns).flatMap((place) => place.taken));
  return kept.fields.filter((_, at) => !taken.has(at));
}

/** Settings of options: how cards of a type look. */
const LOOKS = Object.keys(OPTION_SETTINGS);

function looksOf(before: CardConfiguration, entries: Partial<CardConfiguration>): object {
  // Stages are values of their field: those of another are none.
  const stages = before.dataField?.column === entries.dataField?.column ? before.stages : [];
  return {
    ...Object.fromEntries(LOOKS.map((name) => [name, undefined])),
    ...Object.fromEntries(Object.entries(before).filter(([name]) => LOOKS.includes(name))),
    stages,
    rowOrder: orderAmong(entries.columns ?? [], before),
  };
}

/** The order of a table's rows, by the same column wherever it stands now. */
function orderAmong(
  columns: readonly AxisEntry[],
  { rowOrder, columns: before }: CardConfiguration,
): CardConfiguration["rowOrder"] {
  const by = rowOrder && before[rowOrder.column];
  if (!by) return undefined;
  const column = columns.findIndex((one) => one.column === by.column && one.aggregate === by.aggregate);
  return column >= 0 ? { ...rowOrder, column } : undefined;
}

function placesOf(type: VizType, fields: readonly KeptField[], columns: Columns): Place[] {
  const all = (...roles: Role[]): number[] =>
    roles.flatMap((role) => fields.flatMap((field, at) => (field.role === role ? [at] : [])));
  const [category, values, series] = [all("category").slice(0, 1), all("value"), all("series").slice(0, 1)];
  const numbers = values.length > 0 ? all("value", "column", "category", "series") : all("column");
  const shape = cardShapeOf(type);
  switch (shape.kind) {
    case "chart": {
      const severalValues = holdsList(shape.values);
      const places: Place[] = [
        { path: shape.category, role: "category", taken: category },
        { path: shape.values, role: "value", taken: severalValues ? values : values.slice(0, 1) },
      ];
      if (shape.series === null) return places;
      const slot = CARD_DEFINITIONS[type].slots.find(({ path }) => path === shape.series);
      const isAfter = slot?.after === shape.category && category.length === 0;
      // Several values can't be split.
      const taken = isAfter || (severalValues && values.length > 1) ? [] : series;
      return [...places, { path: shape.series, role: "series", taken }];
    }
    case "number": {
      const first = numbers.find((at) => {
        const field = fields[at];
        return field !== undefined && givesNumber(field.entry, columns);
      });
      return [{ path: "columns", role: "value", taken: first === undefined ? [] : [first] }];
    }
    case "rows":
      return [{ path: "columns", role: "column", taken: fields.map((_, at) => at) }];
  }
}

/** The entry that a type has for a field; every slot of a number or a table asks for a format. */
function shownBy(type: VizType, field: KeptField, columns: Columns): AxisEntry {
  const { kind } = cardShapeOf(type);
  switch (kind) {
    case "rows":
      return shownInRows(field, columns);
    case "number":
      return withFormat(isFolded(field.entry) ? field.entry : summed(field.entry), columns);
    case "chart":
      return withFormat(field.entry, columns);
  }
}

const shownInRows = ({ plain, entry }: KeptField, columns: Columns): AxisEntry => withFormat(plain ?? entry, columns);

function withFormat(entry: AxisEntry, columns: Columns): AxisEntry {
  if (entry.displayFormat !== undefined) return entry;
  const column = columns.find(({ name }) => name === entry.column);
  return { ...entry, displayFormat: isFolded(entry) || !column ? "number" : formatOf(column) };
}

const summed = (entry: AxisEntry): AxisEntry => ({ ...entry, aggregate: "sum" });

const entriesOf = (card: CardConfiguration, path: EntryPath): AxisEntry[] =>
  heldEntries(card, path).filter(({ column }) => column !== "");

/** The card's slots hold what is set now; fields that none of them had stay. */
function fieldsOfSlots(
  card: CardConfiguration,
  places: readonly Place[],
  fields: readonly KeptField[],
  columns: Columns,
): KeptField[] {
  const now = new Map<KeptField, KeptField | null>();
  const added: KeptField[] = [];
  for (const { path, role, taken } of places) {
    const entries = entriesOf(card, path);
    at(fields, taken).forEach((field, index) => {
      const entry = entries[index];
      if (entry && same(entry, shownBy(card.vizType, field, columns))) return;
      // A number that charts group by is still their category when a metric shows another.
      if (field.role === role) now.set(field, entry ? { role, entry } : null);
      else if (entry) added.push({ role, entry });
    });
    const more = entries.slice(taken.length).map((entry) => ({ role, entry }));
    // There is one category and one series: a new one replaces that which had no slot.
    if (more.length > 0 && role !== "value")
      for (const field of fields) if (field.role === role && !now.has(field)) now.set(field, null);
    added.push(...more);
  }
  const left = fields.flatMap((field) => (now.has(field) ? (now.get(field) ?? []) : [field]));
  return added.reduce(inserted, left);
}

const ORDER: Record<Role, number> = { category: 0, series: 1, value: 2, column: 3 };

function inserted(fields: readonly KeptField[], field: KeptField): KeptField[] {
  const after = fields.findLastIndex(({ role }) => ORDER[role] <= ORDER[field.role]);
  return fields.toSpliced(after + 1, 0, field);
}

/**
 * What a table's columns are for in a chart: aggregated ones are values, and the first columns they are grouped by its
 * category and series; of a table of rows it is the first that is no number, and the first number.
 */
function fieldsOfTable(entries: readonly AxisEntry[], fields: readonly KeptField[], columns: Columns): KeptField[] {
  const isGrouped = entries.some(isFolded);
  const free = new Set(fields);
  const take = (fits: (shown: AxisEntry) => boolean): KeptField | undefined => {
    const found = [...free].find((field) => fits(shownInRows(field, columns)));
    if (found) free.delete(found);
    return found;
  };
  const unchanged = entries.map((entry) => take((shown) => same(shown, entry)));
  const before = entries.map(
    (entry, at) =>
      unchanged[at] ?? take((shown) => shown.column === entry.column && isFolded(shown) === isFolded(entry)),
  );
  const used = new Set(before.map((field) => field?.role));
  const roleOf = (entry: AxisEntry): Role => {
    if (isFolded(entry)) return "value";
    const isNumber = givesNumber(entry, columns);
    const wanted: Role[] = isGrouped ? ["category", "series"] : [isNumber ? "value" : "category"];
    const role = wanted.find((one) => !used.has(one)) ?? "column";
    used.add(role);
    return role;
  };
  return entries.map((entry, at) => unchanged[at] ?? fieldOf(before[at]?.role ?? roleOf(entry), entry, columns));
}

function fieldOf(role: Role, plain: AxisEntry, columns: Columns): KeptField {
  const column = columns.find(({ name }) => name === plain.column);
  if (role === "value" && !isFolded(plain)) return { role, entry: summed(plain), plain };
  if (role === "category" && column && isDateColumn(column) && plain.grain === undefined)
    return { role, entry: { ...plain, grain: "month" }, plain };
  return { role, entry: plain };
}

/** Whether the entry is a number: its column's own, or what texts and dates are aggregated to. */
function givesNumber({ column, aggregate, displayFormat }: AxisEntry, columns: Columns): boolean {
  const source = columns.find(({ name }) => name === column);
  // The count of rows is no column of the dataset: what its number is shown as says what it is.
  if (aggregate === undefined) return source ? isNumberColumn(source) : displayFormat !== "text";
  if (aggregate === "textList") return false;
  return (aggregate !== "min" && aggregate !== "max") || source === undefined || isNumberColumn(source);
}
