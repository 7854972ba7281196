/** A plan as one call that is done as a whole or not at all: cells changed where they stand, rows added, rows taken away. */
import type { Value } from "@accord/contracts/data/values";
import { isDateCell } from "../reading/records.ts";
import type { Row, TabContent } from "../reading/tab.ts";
import type { WrittenCell } from "./cells.ts";
import type { Cells, Plan } from "./plan.ts";

/** Formats of numbers by column, in the last row that holds something. */
type Formats = ReadonlyMap<number, Value>;

const VALUE = "userEnteredValue";
const VALUE_AND_FORMAT = "userEnteredValue,userEnteredFormat.numberFormat";

const valueIn = ({ entered }: WrittenCell): { [name: string]: Value } =>
  entered ? { userEnteredValue: { ...entered } } : {};

/** Without a format of its own a date would be shown as a number; one that is a date keeps the format that people chose. */
function changeOf(sheetId: number, row: Row, column: number, cell: WrittenCell): Value {
  const isFormatted = cell.format !== null && !isDateCell(row, column);
  const values: Value[] = [isFormatted ? { ...valueIn(cell), ...formatted({ type: cell.format }) } : valueIn(cell)];
  return {
    updateCells: {
      start: { sheetId, rowIndex: row.index, columnIndex: column },
      rows: [{ values }],
      fields: isFormatted ? VALUE_AND_FORMAT : VALUE,
    },
  };
}

const formatted = (numberFormat: Value): { [name: string]: Value } => ({ userEnteredFormat: { numberFormat } });

/** The format of each cell is set with its row, or of none: those of other columns are taken from the row above. */
function rowOf(cells: Cells, formats: Formats | null): Value {
  const width = Math.max(-1, ...cells.keys(), ...(formats?.keys() ?? [])) + 1;
  const values = Array.from({ length: width }, (_, column): Value => {
    const cell = cells.get(column);
    const value = cell ? valueIn(cell) : {};
    if (formats === null) return value;
    const format = formats.get(column) ?? (cell?.format ? { type: cell.format } : null);
    return format === null ? value : { ...value, ...formatted(format) };
  });
  return { values };
}

export const addsDates = ({ added }: Plan): boolean =>
  added.some((cells) => [...cells.values()].some(({ format }) => format !== null));

export function requestsOf({ sheetId }: TabContent, plan: Plan, formats: Formats | null): Value[] {
  const changes = plan.changed.flatMap(({ row, cells }) =>
    [...cells].map(([column, cell]) => changeOf(sheetId, row, column, cell)),
  );
  const rows = plan.added.map((cells) => rowOf(cells, formats));
  const additions: Value[] =
    rows.length > 0 ? [{ appendCells: { sheetId, rows, fields: formats === null ? VALUE : VALUE_AND_FORMAT } }] : [];
  const { length } = plan.removed;
  // The grid keeps its size: Google refuses to take the last rows away. From below, so that those above keep their places.
  const room: Value[] = length > 0 ? [{ appendDimension: { sheetId, dimension: "ROWS", length } }] : [];
  const removals = plan.removed
    .toSorted((one, other) => other.index - one.index)
    .map(({ index }): Value => {
      const range = { sheetId, dimension: "ROWS", startIndex: index, endIndex: index + 1 };
      return { deleteDimension: { range } };
    });
  return [...changes, ...additions, ...room, ...removals];
}
