/** `spreadsheets:batchUpdate` of the simulated Sheets API: every request is checked first, then all are applied. */
import { isObject, Refusal, type Json } from "../kit.ts";
import { blank, filledRows, type GridCell, type GridTab } from "./grid.ts";

export const invalid = (message: string, status = "INVALID_ARGUMENT"): Refusal =>
  new Refusal({ status: 400, body: { error: { code: 400, message, status } } });

const number = (json: unknown, name: string): number => {
  const found = isObject(json) ? (json[name] ?? 0) : NaN;
  if (typeof found !== "number" || !Number.isInteger(found) || found < 0) throw invalid(`Invalid value at '${name}'`);
  return found;
};

const listOf = (json: unknown, name: string): unknown[] => {
  const found = isObject(json) ? (json[name] ?? []) : [];
  if (!Array.isArray(found)) throw invalid(`Invalid value at '${name}'`);
  return found;
};

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  updateCells: ["start", "rows", "fields"],
  appendCells: ["sheetId", "rows", "fields"],
  appendDimension: ["sheetId", "dimension", "length"],
  deleteDimension: ["range"],
};
const FIELDS = new Set(["userEnteredValue", "userEnteredFormat.numberFormat"]);

function enteredIn(json: unknown): GridCell["value"] {
  const entered = isObject(json) ? json["userEnteredValue"] : undefined;
  if (entered === undefined) return null;
  const members = isObject(entered) ? Object.entries(entered) : [];
  const [[kind, value] = ["", null]] = members;
  if (members.length !== 1) throw invalid("Invalid value at 'user_entered_value'");
  if (kind === "numberValue" && typeof value === "number") return value;
  if (kind === "boolValue" && typeof value === "boolean") return value;
  if (kind !== "stringValue" || typeof value !== "string") throw invalid("Invalid value at 'user_entered_value'");
  if (value.length > 50_000)
    throw invalid("Your input contains more than the maximum of 50000 characters in a single cell.");
  return value === "" ? null : value;
}

function formatIn(json: unknown): GridCell["format"] {
  const outer = isObject(json) ? json["userEnteredFormat"] : undefined;
  const format = isObject(outer) ? outer["numberFormat"] : undefined;
  if (format === undefined) return undefined;
  if (!isObject(format) || typeof format["type"] !== "string") throw invalid("Invalid value at 'number_format.type'");
  const { type, pattern } = format;
  return { type: String(type), ...(typeof pattern === "string" && { pattern }) };
}

type Apply = () => void;

const fieldsOf = (body: Json): ReadonlySet<string> => {
  const fields = String(body["fields"] ?? "").split(",");
  if (fields.some((field) => !FIELDS.has(field))) throw invalid("At least one field must be listed in 'fields'.");
  return new Set(fields);
};

function overlay(old: GridCell, json: unknown, fields: ReadonlySet<string>): GridCell {
  const next = { ...old };
  if (fields.has("userEnteredValue")) {
    next.value = enteredIn(json);
    delete next.formula;
  }
  if (!fields.has("userEnteredFormat.numberFormat")) return next;
  const format = formatIn(json);
  delete next.format;
  return format ? { ...next, format } : next;
}

const PROTECTED =
  "You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.";

/** Checks one request and answers how it is applied. */
export function changeOf(request: unknown, at: number, tabOf: (sheetId: number) => GridTab): Apply {
  const [[name, body] = ["", null], ...others] = isObject(request) ? Object.entries(request) : [];
  const members = MEMBERS[name];
  if (!members || others.length > 0 || !isObject(body)) throw invalid(`Invalid requests[${at}]: unknown request.`);
  if (Object.keys(body).some((member) => !members.includes(member))) throw invalid(`Invalid requests[${at}].${name}`);
  const guard = (tab: GridTab, row: number): void => {
    if (tab.protectedIds.has(String(tab.rows[row]?.[0]?.value)))
      throw invalid(`Invalid requests[${at}].${name}: ${PROTECTED}`);
  };
  switch (name) {
    case "updateCells": {
      const { start } = body;
      const tab = tabOf(number(start, "sheetId"));
      const [row, column] = [number(start, "rowIndex"), number(start, "columnIndex")];
      const fields = fieldsOf(body);
      const rows = listOf(body, "rows").map((one) => listOf(one, "values"));
      if (row + rows.length > tab.rowCount) throw invalid(`Attempting to write row: ${row}, beyond the last row.`);
      for (const [offset, cells] of rows.entries()) {
        guard(tab, row + offset);
        for (const one of cells) overlay(blank(), one, fields);
      }
      return () => {
        for (const [offset, cells] of rows.entries()) write(tab, row + offset, column, cells, fields);
      };
    }
    case "appendCells": {
      const tab = tabOf(number(body, "sheetId"));
      const fields = fieldsOf(body);
      const rows = listOf(body, "rows").map((one) => listOf(one, "values"));
      for (const cells of rows) for (const one of cells) overlay(blank(), one, fields);
      return () => {
        const first = filledRows(tab);
        tab.rowCount = Math.max(tab.rowCount, first + rows.length);
        for (const [offset, cells] of rows.entries()) write(tab, first + offset, 0, cells, fields);
      };
    }
    case "appendDimension": {
      const tab = tabOf(number(body, "sheetId"));
      return () => void (tab.rowCount += number(body, "length"));
    }
    default: {
      const { range } = body;
      const tab = tabOf(number(range, "sheetId"));
      const [start, end] = [number(range, "startIndex"), number(range, "endIndex")];
      if (end <= start || end > tab.rowCount) throw invalid(`Invalid requests[${at}].deleteDimension: out of bounds.`);
      for (let row = start; row < end; row += 1) guard(tab, row);
      return () => {
        if (end - start >= tab.rowCount) throw invalid("You can't delete all the rows on the sheet.");
        tab.rows.splice(start, end - start);
        tab.rowCount -= end - start;
      };
    }
  }
}

function write(
  tab: GridTab,
  row: number,
  column: number,
  cells: readonly unknown[],
  fields: ReadonlySet<string>,
): void {
  while (tab.rows.length <= row) tab.rows.push([]);
  const target = tab.rows[row] ?? [];
  for (const [offset, one] of cells.entries()) {
    while (target.length <= column + offset) target.push(blank());
    target[column + offset] = overlay(target[column + offset] ?? blank(), one, fields);
  }
}
