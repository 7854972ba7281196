/** What the Sheets API answers, checked: tabs, the cells of their first rows, all values of one tab. */
import { ConnectorError } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import { googleSheets } from "@accord/contracts/messages/en/synapses/google-sheets";
import { fill } from "@accord/contracts/messages/fill";
import { z } from "zod";
import type { GoogleClient } from "./client.ts";

const Sheets = z.object({
  properties: z.object({ title: z.string().default(""), timeZone: z.string().default("Etc/GMT") }),
  sheets: z
    .array(
      z.object({
        properties: z.object({
          sheetId: z.number().int().default(0),
          title: z.string(),
          sheetType: z.string().default("GRID"),
          gridProperties: z.object({ rowCount: z.number().int().default(0) }).default({ rowCount: 0 }),
        }),
      }),
    )
    .default([]),
});

export interface Tab {
  sheetId: number;
  title: string;
  rowCount: number;
}

export interface Spreadsheet {
  title: string;
  timeZone: string;
  tabs: Tab[];
}

const odd = (): ConnectorError => new ConnectorError("unexpected", fill(googleSheets.calls.odd, { place: "Google" }));

function parsed<Shape>(shape: z.ZodType<Shape>, json: Value): Shape {
  const { data } = shape.safeParse(json);
  if (data === undefined) throw odd();
  return data;
}

const SHEET_FIELDS = "properties(title,timeZone),sheets.properties(sheetId,title,sheetType,gridProperties.rowCount)";

/** Its tabs that hold cells: charts have tabs too. */
export async function spreadsheetOf(client: GoogleClient, signal?: AbortSignal): Promise<Spreadsheet> {
  const json = await client.sheets("read", "", { query: [["fields", SHEET_FIELDS]], signal });
  const { properties, sheets } = parsed(Sheets, json);
  const tabs = sheets.flatMap(({ properties: { sheetType, gridProperties, ...tab } }) =>
    sheetType === "GRID" ? [{ ...tab, rowCount: gridProperties.rowCount }] : [],
  );
  return { ...properties, tabs };
}

const EnteredValue = z.record(z.string(), z.unknown());
const Cell = z.object({
  userEnteredValue: EnteredValue.optional(),
  effectiveValue: z
    .object({
      numberValue: z.custom<Value>().optional(),
      stringValue: z.string().optional(),
      boolValue: z.boolean().optional(),
      errorValue: z.unknown().optional(),
    })
    .optional(),
  formattedValue: z.string().optional(),
  effectiveFormat: z.object({ numberFormat: z.object({ type: z.string().optional() }).optional() }).optional(),
});
export type Cell = z.output<typeof Cell>;

const Grids = z.object({
  sheets: z
    .array(
      z.object({
        properties: z.object({ sheetId: z.number().int().default(0) }),
        data: z
          .array(z.object({ rowData: z.array(z.object({ values: z.array(Cell).default([]) })).default([]) }))
          .default([]),
      }),
    )
    .default([]),
});

const CELL_FIELDS =
  "sheets(properties.sheetId,data.rowData.values(userEnteredValue,effectiveValue,formattedValue,effectiveFormat.numberFormat.type))";
/** Tabs asked for in one call. */
const TABS_PER_CALL = 20;

const rangeOf = ({ title }: Tab, from: number, to: number): string => `'${title.replaceAll("'", "''")}'!${from}:${to}`;

/** Cells of rows `from` to `to` (counted from 1) of each tab, by its number. */
export async function cellsOf(
  client: GoogleClient,
  tabs: readonly Tab[],
  { from, to }: { from: number; to: number },
  signal?: AbortSignal,
): Promise<Map<number, Cell[][]>> {
  const found = new Map<number, Cell[][]>();
  for (let at = 0; at < tabs.length; at += TABS_PER_CALL) {
    const some = tabs.slice(at, at + TABS_PER_CALL).filter(({ rowCount }) => rowCount >= from);
    if (some.length === 0) continue;
    // A range that goes beyond the grid is refused.
    const ranges = some.map((tab) => ["ranges", rangeOf(tab, from, Math.min(to, tab.rowCount))] as const);
    const json = await client.sheets("read", "", { query: [["fields", CELL_FIELDS], ...ranges], signal });
    for (const { properties, data } of parsed(Grids, json).sheets)
      found.set(properties.sheetId, data[0]?.rowData.map(({ values }) => values) ?? []);
  }
  return found;
}

const GridValues = z.object({
  valueRanges: z
    .array(z.object({ valueRange: z.object({ values: z.array(z.array(z.custom<Value>())).default([]) }) }))
    .default([]),
});

/** Dates as they are shown, or as days since 30 December 1899. */
type DateRendering = "FORMATTED_STRING" | "SERIAL_NUMBER";

/**
 * All values of a tab, row by row from the first; blank cells at the ends are left out. By the tab's number, which stays
 * when somebody renames it.
 */
export async function valuesOf(
  client: GoogleClient,
  tab: Pick<Tab, "sheetId" | "title">,
  dates: DateRendering,
  signal?: AbortSignal,
): Promise<Value[][]> {
  const body = {
    dataFilters: [{ gridRange: { sheetId: tab.sheetId } }],
    majorDimension: "ROWS",
    valueRenderOption: "UNFORMATTED_VALUE",
    dateTimeRenderOption: dates,
  };
  const json = await client.sheets("read", "/values:batchGetByDataFilter", { body, signal }).catch((error: unknown) => {
    // "No grid with id": it was deleted.
    if (error instanceof ConnectorError && error.kind === "invalidRequest" && error.message.includes("No grid"))
      throw new ConnectorError("schemaChanged", fill(googleSheets.tabs.gone, { tab: tab.title }), {
        hint: googleSheets.tabs.goneHint,
        cause: error,
      });
    throw error;
  });
  return parsed(GridValues, json).valueRanges[0]?.valueRange.values ?? [];
}
