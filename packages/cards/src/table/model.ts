/** Rows as texts under headings: of a table card, and of any chart shown as a table. */
import { chosenColumns, type ConfigurationOf } from "@accord/contracts/insights/card-configuration";
import type { CardData } from "@accord/contracts/insights/cards";
import { ROW_COUNT } from "@accord/contracts/insights/dataset-config";
import type { CardMark } from "@accord/contracts/insights/mark-records";
import type { Value } from "@accord/contracts/data/values";
import { isNumberColumn } from "../column-types.ts";
import { formatValue, numberOf } from "../format.ts";
import { type CardNote, type Row, rowNotes } from "../marks.ts";

export interface TableColumn {
  key: string;
  title: string;
  isNumber: boolean;
  color: string | undefined;
}

export interface TableRow {
  texts: string[];
  values: (Value | undefined)[];
  /** Of each number: what leads to its records. Absent where rows are no marks of a card. */
  marks?: (CardMark | null)[];
}

export interface TableModel {
  kind: "table";
  columns: TableColumn[];
  rows: TableRow[];
  notes: CardNote[];
}

export function tableModel(card: ConfigurationOf<"TABLE">, data: CardData): TableModel {
  const columns = data.columns.map((column, at) => ({
    key: column.name,
    title: card.columns[at]?.displayName || column.displayName,
    isNumber: isNumberColumn(column) && card.columns[at]?.displayFormat !== "text",
    color: card.columns[at]?.color,
  }));
  const isGroup = groupColumns(card);
  const marks = (row: Row): (CardMark | null)[] => {
    const groups = data.columns
      .filter((_, at) => isGroup[at])
      .map(({ name }) => ({ column: name, values: [row[name] ?? null], isOthers: false }));
    return data.columns.map((column, at) =>
      isGroup[at] && !isNumberColumn(column) ? null : { groups, value: column.name },
    );
  };
  const rows = data.rows.map((row) => ({
    marks: marks(row),
    values: data.columns.map(({ name }) => row[name]),
    texts: data.columns.map((column, at) =>
      formatValue(row[column.name], {
        ...column,
        format: card.columns[at]?.displayFormat,
        grain: card.columns[at]?.grain,
      }),
    ),
  }));
  return { kind: "table", columns, rows, notes: rowNotes(data, "first_rows") };
}

/** Which columns say what the rows of a table have in common: all but those that fold them. */
const groupColumns = (card: ConfigurationOf<"TABLE">): boolean[] =>
  chosenColumns(card).map(({ column, aggregate }) => aggregate === undefined && column !== ROW_COUNT);

/** Rows by one column; numbers by size, all else by text; blanks always last. */
export function sortedRows(model: TableModel, column: number, ascending: boolean): TableModel["rows"] {
  const isNumber = model.columns[column]?.isNumber ?? false;
  const direction = ascending ? 1 : -1;
  return model.rows.toSorted((one, other) => {
    if (isBlank(one, column) || isBlank(other, column))
      return Number(isBlank(one, column)) - Number(isBlank(other, column));
    const [a, b] = [one.texts[column] ?? "", other.texts[column] ?? ""];
    if (isNumber) return ((numberOf(one.values[column]) ?? 0) - (numberOf(other.values[column]) ?? 0)) * direction;
    const dates = /^\d{4}-\d{2}-\d{2}/.test(String(one.values[column]))
      ? [String(one.values[column]), String(other.values[column])]
      : [a, b];
    return dates[0]!.localeCompare(dates[1]!, "en", { numeric: true }) * direction;
  });
}

const isBlank = ({ values, texts }: TableModel["rows"][number], column: number): boolean =>
  (values[column] ?? null) === null || (texts[column] ?? "") === "";
