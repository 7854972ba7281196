/** Tabs of a simulated spreadsheet: cells with values, formats and formulas, and what people do with them. */

type CellValue = number | string | boolean | null;

export interface GridCell {
  value: CellValue;
  format?: { type: string; pattern?: string };
  /** What its row computes; `text` is what was entered. */
  formula?: { text: string; of: (row: readonly GridCell[]) => CellValue };
}

export interface GridTab {
  sheetId: number;
  title: string;
  rowCount: number;
  columnCount: number;
  /** The first row is the header. */
  rows: GridCell[][];
  /** Rows whose first cell is one of these can't be edited. */
  protectedIds: Set<string>;
}

export const blank = (): GridCell => ({ value: null });
export const cell = (value: CellValue, type?: string): GridCell => (type ? { value, format: { type } } : { value });

export function newTab(sheetId: number, title: string, rows: GridCell[][]): GridTab {
  return { sheetId, title, rowCount: Math.max(1000, rows.length), columnCount: 26, rows, protectedIds: new Set() };
}

/** What stands in a cell: what was entered, or what its formula makes of the row. */
export const valueOf = (row: readonly GridCell[], at: number): CellValue => {
  const found = row[at];
  return found?.formula ? found.formula.of(row) : (found?.value ?? null);
};

const DAY_MS = 86_400_000;
const two = (number: number): string => String(number).padStart(2, "0");

/** As a spreadsheet with British settings shows it. */
export function shown(value: CellValue, type: string | undefined): CellValue {
  if (typeof value !== "number" || !type) return value;
  const date = new Date(Date.UTC(1899, 11, 30) + Math.round(value * DAY_MS));
  const day = `${two(date.getUTCDate())}/${two(date.getUTCMonth() + 1)}/${date.getUTCFullYear()}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  if (type === "DATE") return day;
  if (type === "DATE_TIME") return `${day} ${time}`;
  return type === "TIME" ? time : value;
}

/** Values of a tab as the API renders them: blank cells at the ends are left out. */
export function rendered({ rows }: GridTab, dates: string): CellValue[][] {
  const all = rows.map((row) => {
    const values = row.map((one, at) => {
      const value = valueOf(row, at);
      return (dates === "FORMATTED_STRING" ? shown(value, one.format?.type) : value) ?? "";
    });
    while (values.length > 0 && values.at(-1) === "") values.pop();
    return values;
  });
  while (all.length > 0 && all.at(-1)?.length === 0) all.pop();
  return all;
}

/** The number of rows up to the last one that holds something. */
export const filledRows = (tab: GridTab): number => rendered(tab, "SERIAL_NUMBER").length;

export const rowOf = (tab: GridTab, id: string): number => tab.rows.findIndex((row) => String(row[0]?.value) === id);

/** As people sort: the header stays. */
export function sortBy(tab: GridTab, column: number, direction: 1 | -1 = 1): void {
  const [header = [], ...rows] = tab.rows;
  const filled = rows.filter((row) => row.some(({ value }) => value !== null));
  filled.sort((one, other) => {
    const [left, right] = [String(valueOf(one, column) ?? ""), String(valueOf(other, column) ?? "")];
    return left === right ? 0 : left < right ? -direction : direction;
  });
  tab.rows = [header, ...filled];
}
