/** How the cells of one row are formatted: rows that are added look like it. */
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import type { GoogleClient } from "./client.ts";
import { spreadsheetOf } from "./spreadsheet.ts";

const Row = z.object({
  sheets: z
    .array(
      z.object({
        data: z
          .array(
            z.object({
              rowData: z
                .array(
                  z.object({
                    values: z
                      .array(
                        z.object({
                          userEnteredFormat: z.object({ numberFormat: z.custom<Value>().optional() }).optional(),
                        }),
                      )
                      .default([]),
                  }),
                )
                .default([]),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
});

const FIELDS = "sheets.data.rowData.values.userEnteredFormat.numberFormat";

/** By column; `row`: counted from 0, null for a tab without rows. */
export async function formatsIn(
  client: GoogleClient,
  { sheetId }: { sheetId: number },
  row: number | null,
  signal?: AbortSignal,
): Promise<Map<number, Value>> {
  if (row === null || row === 0) return new Map();
  const { tabs } = await spreadsheetOf(client, signal);
  const tab = tabs.find((one) => one.sheetId === sheetId);
  if (!tab || row >= tab.rowCount) return new Map();
  const range = `'${tab.title.replaceAll("'", "''")}'!${row + 1}:${row + 1}`;
  const json = await client.sheets("read", "", {
    query: [
      ["fields", FIELDS],
      ["ranges", range],
    ],
    signal,
  });
  const values = Row.safeParse(json).data?.sheets[0]?.data[0]?.rowData[0]?.values ?? [];
  return new Map(
    values.flatMap(({ userEnteredFormat }, column): [number, Value][] =>
      userEnteredFormat?.numberFormat === undefined ? [] : [[column, userEnteredFormat.numberFormat]],
    ),
  );
}
