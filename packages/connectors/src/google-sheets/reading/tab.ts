/** One tab as it stands now: its header and the rows that hold something, all from the same moment. */
import { ConnectorError } from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import { googleSheets } from "@accord/contracts/messages/en/synapses/google-sheets";
import { fill } from "@accord/contracts/messages/fill";
import type { GoogleClient } from "../calls/client.ts";
import { spreadsheetOf, valuesOf } from "../calls/spreadsheet.ts";
import { digestOf } from "../digest.ts";
import { headerIn, isBlank, type Column, type Header } from "../header.ts";

export interface Row {
  /** Counted from 0; the header is 0. */
  index: number;
  cells: readonly Value[];
  /** The same with dates as numbers; empty where the tab has none to be read. */
  serials: readonly Value[];
}

export interface TabContent {
  title: string;
  sheetId: number;
  header: Header;
  rows: Row[];
  /** Of local times. */
  timeZone: string;
  /** Changes with every value that is read, and with the names of columns. */
  hash: string;
  /** When all of it had arrived, milliseconds. */
  readAt: number;
}

/** Of entities: the number of a tab stays when it is renamed. */
const NAME = /^gid_(\d+)$/;
export const entityNameOf = (sheetId: number): string => `gid_${sheetId}`;

function sheetIdOf({ apiName, displayName }: EntitySchema): number {
  const [, id] = NAME.exec(apiName) ?? [];
  if (id !== undefined) return Number(id);
  throw new ConnectorError("schemaChanged", fill(googleSheets.tabs.gone, { tab: displayName }), {
    hint: googleSheets.tabs.goneHint,
  });
}

const isDated = ({ fields }: EntitySchema, types: readonly string[]): boolean =>
  fields.some(({ dataType, status }) => status === "ACTIVE" && types.includes(dataType));

/** Readings of a tab whose rows are moved between its two parts. */
const MAX_READINGS = 3;

export interface TabReader {
  client: GoogleClient;
  /** Asked once for each connection. */
  timeZone(): Promise<string>;
}

export function tabReader(client: GoogleClient): TabReader {
  let zone: Promise<string> | null = null;
  return {
    client,
    timeZone() {
      zone ??= spreadsheetOf(client).then(({ timeZone }) => timeZone);
      const asked = zone;
      asked.catch(() => (zone = null));
      return asked;
    },
  };
}

export async function readTab(
  { client, timeZone }: TabReader,
  entity: EntitySchema,
  signal?: AbortSignal,
): Promise<TabContent> {
  const tab = { sheetId: sheetIdOf(entity), title: entity.displayName };
  const zone = isDated(entity, ["datetime"]) ? await timeZone() : "UTC";
  const readsDates = isDated(entity, ["date", "datetime"]);
  for (let reading = 1; reading <= MAX_READINGS; reading += 1) {
    const shown = await valuesOf(client, tab, "FORMATTED_STRING", signal);
    const serials = readsDates ? await valuesOf(client, tab, "SERIAL_NUMBER", signal) : [];
    const readAt = client.now();
    const header = headerIn(tab.title, shown);
    if (readsDates && !isSameOrder(entity, header, shown, serials)) continue;
    const rows = shown.slice(1).flatMap((cells, at) => {
      const row = { index: at + 1, cells, serials: serials[at + 1] ?? [] };
      return isRecord(row, entity, header) ? [row] : [];
    });
    const hash = digestOf([shown, serials, zone]);
    return { ...tab, header, rows, timeZone: zone, hash, readAt };
  }
  throw new ConnectorError("unavailable", fill(googleSheets.rows.moved, { tab: tab.title }), {
    hint: googleSheets.rows.movedHint,
    neverSent: true,
  });
}

/** Both readings have the same ids in the same rows: what stands in one row of each belongs together. */
function isSameOrder(entity: EntitySchema, header: Header, shown: Value[][], serials: Value[][]): boolean {
  const id = entity.fields.find(({ isIdField }) => isIdField);
  const column = id && header.columns.get(id.apiName);
  if (!column || shown.length !== serials.length) return column === undefined && shown.length === serials.length;
  return shown.every((row, at) => JSON.stringify(row[column.index]) === JSON.stringify(serials[at]?.[column.index]));
}

/** Boxes that nobody ticked and formulas stand in rows that nobody has filled yet. */
function isRecord({ cells }: Row, { fields }: EntitySchema, { columns }: Header): boolean {
  const computed = new Set(
    fields.flatMap(({ calculated, apiName }) => (calculated ? columns.get(apiName)?.index : [])),
  );
  return cells.some((value, index) => !isBlank(value) && value !== false && !computed.has(index));
}

/** @throws ConnectorError `schemaChanged` where no column has this name any more, or several have it. */
export function columnNamed({ header, title }: Pick<TabContent, "header" | "title">, name: string): Column {
  const column = header.columns.get(name);
  if (column) return column;
  throw new ConnectorError("schemaChanged", fill(googleSheets.tabs.columnGone, { tab: title, column: name }), {
    hint: googleSheets.tabs.columnGoneHint,
    isFieldGone: true,
  });
}
