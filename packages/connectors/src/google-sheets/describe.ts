/** Tabs as entities: columns by their names, types from the cells of the first rows, formulas distinguished. */
import { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import { isExactNumber, plainNumber } from "@accord/contracts/data/exact-number";
import type { DataType, Value } from "@accord/contracts/data/values";
import { googleSheets } from "@accord/contracts/messages/en/synapses/google-sheets";
import { fill } from "@accord/contracts/messages/fill";
import type { Cell, Tab } from "./calls/spreadsheet.ts";
import { headerOf, isBlank } from "./header.ts";
import { entityNameOf } from "./reading/tab.ts";

/** Rows whose cells say what a column holds. */
export const SAMPLE_ROWS = 200;

type Kind = "boolean" | "integer" | "double" | "date" | "datetime" | "string" | null;

const valueOf = ({ effectiveValue: value }: Cell): Value =>
  value?.numberValue ?? value?.stringValue ?? value?.boolValue ?? null;

const isFormula = (cell: Cell): boolean =>
  cell.userEnteredValue !== undefined && "formulaValue" in cell.userEnteredValue;
/** What the formula of another cell spills into this one: nobody entered it. */
const isSpilled = (cell: Cell): boolean => cell.userEnteredValue === undefined && !isBlank(valueOf(cell));

const formatOf = (cell: Cell): string => cell.effectiveFormat?.numberFormat?.type ?? "";

/** By the value and how it is shown; null says nothing. */
function kindOf(cell: Cell): Kind {
  const value = valueOf(cell);
  if (isBlank(value)) return null;
  if (typeof value === "boolean") return "boolean";
  const number = isExactNumber(value) ? Number(plainNumber(value)) : value;
  if (typeof number !== "number") return "string";
  switch (formatOf(cell)) {
    case "DATE":
      return Number.isInteger(number) ? "date" : "datetime";
    case "DATE_TIME":
      return "datetime";
    case "TIME":
      // A time of day, or a duration: read as it is shown.
      return "string";
    default:
      return Number.isInteger(number) ? "integer" : "double";
  }
}

/** What an empty column is formatted for. */
function kindOfFormat(cell: Cell): Kind {
  switch (formatOf(cell)) {
    case "DATE":
      return "date";
    case "DATE_TIME":
      return "datetime";
    case "NUMBER":
    case "CURRENCY":
    case "PERCENT":
    case "SCIENTIFIC":
      return "double";
    default:
      return null;
  }
}

/** The narrowest kind that holds both. */
function widen(one: Kind, other: Kind): Kind {
  if (one === null || one === other) return other;
  if (other === null) return one;
  const pair = new Set([one, other]);
  if (pair.has("integer") && pair.has("double")) return "double";
  return pair.has("date") && pair.has("datetime") ? "datetime" : "string";
}

function typeOf(cells: readonly Cell[]): DataType {
  const filled = cells.map(kindOf).reduce(widen, null);
  return filled ?? cells.map(kindOfFormat).reduce(widen, null) ?? "string";
}

/** Names of the header as they are read with the rows: dates as they are shown, numbers as they are. */
function nameIn(cell: Cell): string {
  const value = valueOf(cell);
  if (isBlank(value)) return "";
  const isTime = ["DATE", "DATE_TIME", "TIME"].includes(formatOf(cell));
  if (isExactNumber(value)) return String(plainNumber(value));
  return isTime && typeof value === "number" ? (cell.formattedValue ?? "") : String(value);
}

interface DescribedTab {
  /** null: there is no name in the first row. */
  entity: EntitySchema | null;
  problems: string[];
}

/** `cells`: of the first rows, the header among them. */
export function describeTab(tab: Tab, cells: readonly (readonly Cell[])[], idColumn: string): DescribedTab {
  const [first = [], ...rows] = cells;
  const width = cells.reduce((most, row) => Math.max(most, row.length), 0);
  const cellsIn = (index: number): Cell[] => rows.map((row) => row[index] ?? {});
  const isFilled = (index: number): boolean => cellsIn(index).some((cell) => !isBlank(valueOf(cell)));
  const header = headerOf(tab.title, first.map(nameIn), width, isFilled);
  const problems = header.problems.map(({ message }) => message);
  if (header.columns.size === 0) return { entity: null, problems };
  const id = idAmong([...header.columns.keys()], idColumn);
  const fields = [...header.columns.values()].map(({ name, index }) => {
    const column = cellsIn(index);
    const isComputed = column.some((cell) => isFormula(cell) || isSpilled(cell));
    const isId = name === id;
    return FieldSchema.parse({
      apiName: name,
      displayName: name.slice(0, 120),
      dataType: isId ? idType(column) : typeOf(column),
      isIdField: isId,
      unique: isId,
      nillable: !isId,
      updateable: !isComputed && !isId,
      initializable: !isComputed,
      calculated: isComputed,
      ...(isComputed && { description: googleSheets.tabs.computed }),
    });
  });
  const description = [...problems, fill(googleSheets.tabs.description, { count: SAMPLE_ROWS })].join(" ");
  const entity = EntitySchema.parse({
    apiName: entityNameOf(tab.sheetId),
    displayName: tab.title.slice(0, 120),
    description: description.slice(0, 1000),
    fields,
  });
  return { entity, problems };
}

/** Ids are whole numbers or texts. */
const idType = (column: readonly Cell[]): DataType => (typeOf(column) === "integer" ? "integer" : "string");

/** As it is written, else the only one that differs in upper and lower case alone. */
function idAmong(names: readonly string[], idColumn: string): string | null {
  if (names.includes(idColumn)) return idColumn;
  const alike = names.filter((name) => name.toLowerCase() === idColumn.toLowerCase());
  return alike.length === 1 ? (alike[0] ?? null) : null;
}
