/** A spreadsheet with a tab of contacts and an empty one, at a simulated Google. */
import { connectTo, entityNamed } from "@accord/connector-sdk/test-kit";
import type { Connection, ConnectContext } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import { blank, cell, newTab, type GridCell, type GridTab } from "../../test-systems/vendors/google/grid.ts";
import { SPREADSHEET, startGoogle, type Google } from "../../test-systems/vendors/google/google.ts";
import { googleSheetsConnector } from "./index.ts";

export const CONTACTS = "gid_0";
export const EMPTY = "gid_17";
const HEADER = ["id", "name", "visits", "budget", "active", "since", "seen", "twice"];
export const COLUMN = Object.fromEntries(HEADER.map((name, at) => [name, at]));

export const contactRow = (id: string | null, name: string, visits: number): GridCell[] => [
  cell(id),
  cell(name),
  cell(visits),
  cell(visits + 0.25),
  cell(visits % 2 === 0),
  cell(45_000 + visits, "DATE"),
  cell(45_000.5 + visits, "DATE_TIME"),
  {
    value: null,
    formula: { text: "=C2*2", of: (row) => (typeof row[2]?.value === "number" ? row[2].value * 2 : null) },
  },
];

export function contactsTab(count: number): GridTab {
  const rows = Array.from({ length: count }, (_, at) => contactRow(`c${at + 1}`, `Contact ${at + 1}`, at + 1));
  return newTab(0, "Contacts", [HEADER.map((name) => cell(name)), ...rows]);
}

const emptyTab = (): GridTab => newTab(17, "Archive's", [[cell("id"), cell("title"), blank()]]);

export const startContacts = (count: number): Promise<Google> => startGoogle([contactsTab(count), emptyTab()]);

/** Limits that no test reaches by itself. */
export const settingsOf = (google: Pick<Google, "url">, more: Values = {}): Values => ({
  spreadsheet: `https://docs.google.com/spreadsheets/d/${SPREADSHEET}/edit#gid=0`,
  baseUrl: google.url,
  readsPerMinute: 100_000,
  writesPerMinute: 100_000,
  ...more,
});

export const connectSheets = (google: Google, more: Values = {}, world: Partial<ConnectContext> = {}): Connection =>
  connectTo(googleSheetsConnector, {
    config: settingsOf(google, more),
    authType: "privateKey",
    credentials: { serviceAccountKey: google.key },
    world,
  });

export const contactsOf = (connection: Connection) => entityNamed(connection, CONTACTS);

/** The cell of a column in the row with this id. */
export const cellAt = (tab: GridTab | undefined, id: string, column: string): GridCell | undefined =>
  tab?.rows.find((row) => row[0]?.value === id)?.[COLUMN[column] ?? -1];
