/** A simulated Google: the calls of the Sheets, Drive and token APIs that the connector makes, on real tabs that people change. */
import { isObject, Refusal, refusing, type Json } from "../kit.ts";
import { startVendor, type Call, type Reply, type VendorServer } from "../server.ts";
import { Consent } from "./consent.ts";
import { changeOf, invalid } from "./changes.ts";
import { masked, parseMask } from "./field-mask.ts";
import { rendered, shown, valueOf, type GridCell, type GridTab } from "./grid.ts";
import { Tokens } from "./tokens.ts";

export const SPREADSHEET = "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcd";
export const ACCOUNT = "accord@acme.iam.gserviceaccount.com";

export interface Google extends VendorServer {
  tokens: Tokens;
  consent: Consent;
  /** Key file of an account that the spreadsheet is shared with. */
  key: string;
  tabs: GridTab[];
  /** Whom it is shared with, and as what. */
  shares: Map<string, "reader" | "writer">;
  timeZone: string;
  /** The Drive API is switched off in the project. */
  isDriveOff: boolean;
  /** Something changed in the file. */
  touch(): void;
  /** Runs right before the next call whose path matches is handled. */
  before(path: RegExp, act: () => void | Reply): void;
  /** Calls since the list was last emptied whose method and path match. */
  count(path: RegExp): number;
}

const denied = (status: number, message: string, code: string, reason?: string): Refusal =>
  new Refusal({
    status,
    body: { error: { code: status, message, status: code, ...(reason && { details: [{ reason }] }) } },
  });

export async function startGoogle(tabs: GridTab[]): Promise<Google> {
  const tokens = new Tokens();
  const consent = new Consent(tokens, () => server.url);
  const acts: { path: RegExp; act: () => void | Reply }[] = [];
  let version = 7;
  const handle = refusing((call) => {
    const planned = acts.findIndex(({ path }) => path.test(call.path));
    const [found] = planned < 0 ? [] : acts.splice(planned, 1);
    return found?.act() ?? route(call);
  });
  const route = (call: Call): Reply => {
    if (call.path === "/token") return consent.exchange(call) ?? tokens.exchange(call, `${server.url}/token`);
    const email = tokens.accountOf(call);
    const drive = /^\/drive\/v3\/files\/([^/]+)$/.exec(call.path);
    if (drive) {
      if (google.isDriveOff)
        throw denied(
          403,
          "Google Drive API has not been used in project 1 before or it is disabled.",
          "PERMISSION_DENIED",
          "SERVICE_DISABLED",
        );
      mayOpen(drive[1], email);
      if (call.method !== "GET" || call.query.get("fields") !== "version") throw invalid("Invalid field selection");
      return { status: 200, body: { version: String(version) } };
    }
    const [, id, rest = ""] = /^\/v4\/spreadsheets\/([A-Za-z0-9_-]+)(.*)$/.exec(call.path) ?? [];
    mayOpen(id, email);
    if (call.method === "GET" && rest === "") return { status: 200, body: describe(call.query) };
    if (call.method === "POST" && rest === "/values:batchGetByDataFilter")
      return { status: 200, body: valuesFor(bodyOf(call)) };
    if (call.method !== "POST" || rest !== ":batchUpdate") throw denied(404, "Not found", "NOT_FOUND");
    if (google.shares.get(email) !== "writer")
      throw denied(403, "The caller does not have permission", "PERMISSION_DENIED");
    return { status: 200, body: change(bodyOf(call)) };
  };
  const mayOpen = (id: string | undefined, email: string): void => {
    if (id !== SPREADSHEET) throw denied(404, "Requested entity was not found.", "NOT_FOUND");
    if (!google.shares.has(email)) throw denied(403, "The caller does not have permission", "PERMISSION_DENIED");
  };
  const tabOf = (sheetId: number): GridTab => {
    const tab = google.tabs.find((one) => one.sheetId === sheetId);
    if (!tab) throw invalid(`No grid with id: ${sheetId}`);
    return tab;
  };
  const change = (body: Json): Json => {
    const requests = body["requests"];
    if (!Array.isArray(requests) || requests.length === 0) throw invalid("Must specify at least one request.");
    const changes = requests.map((request: unknown, at) => changeOf(request, at, tabOf));
    for (const apply of changes) apply();
    version += 1;
    return { spreadsheetId: SPREADSHEET, replies: requests.map(() => ({})) };
  };
  const valuesFor = (body: Json): Json => {
    const { dataFilters, majorDimension, valueRenderOption, dateTimeRenderOption } = body;
    const [filter, ...others]: unknown[] = Array.isArray(dataFilters) ? dataFilters : [];
    const range = isObject(filter) ? filter["gridRange"] : undefined;
    const isKnown =
      majorDimension === "ROWS" &&
      valueRenderOption === "UNFORMATTED_VALUE" &&
      ["FORMATTED_STRING", "SERIAL_NUMBER"].includes(String(dateTimeRenderOption));
    if (!isObject(range) || others.length > 0 || !isKnown) throw invalid("Invalid value");
    const tab = tabOf(Number(range["sheetId"] ?? 0));
    const values = rendered(tab, String(dateTimeRenderOption));
    const valueRange = {
      range: `'${tab.title}'!A1:Z${tab.rowCount}`,
      majorDimension,
      ...(values.length > 0 && { values }),
    };
    return { spreadsheetId: SPREADSHEET, valueRanges: [{ valueRange, dataFilters: [filter] }] };
  };
  const describe = (query: URLSearchParams): unknown => {
    const ranges = query.getAll("ranges").map(rangeIn);
    const sheets = google.tabs
      .filter(({ title }) => ranges.length === 0 || ranges.some((range) => range.title === title))
      .map((tab) => {
        const { sheetId, title, rowCount, columnCount } = tab;
        const range = ranges.find((one) => one.title === title) ?? { from: 1, to: rowCount };
        if (range.to > rowCount) throw invalid(`Range ('${title}'!${range.from}:${range.to}) exceeds grid limits.`);
        const rowData = tab.rows
          .slice(range.from - 1, range.to)
          .map((row) => ({ values: row.map((_, at) => cellJson(row, at)) }));
        const gridProperties = { rowCount, columnCount };
        // Numbers that are 0 are left out, as in all answers of these APIs.
        const properties = { ...(sheetId > 0 && { sheetId }), title, sheetType: "GRID", gridProperties };
        return { properties, data: [{ rowData }] };
      });
    const whole = { spreadsheetId: SPREADSHEET, properties: { title: "People", timeZone: google.timeZone }, sheets };
    return masked(whole, parseMask(query.get("fields") ?? "spreadsheetId"));
  };
  const rangeIn = (text: string): { title: string; from: number; to: number } => {
    const [, title = "", from = "1", to = "1"] = /^'(.*)'!(\d+):(\d+)$/.exec(text) ?? [];
    if (title === "") throw invalid(`Unable to parse range: ${text}`);
    return { title: title.replaceAll("''", "'"), from: Number(from), to: Number(to) };
  };
  const server = await startVendor(handle);
  const google: Google = {
    ...server,
    tokens,
    consent,
    key: tokens.newKey(ACCOUNT),
    tabs,
    shares: new Map([[ACCOUNT, "writer"]]),
    timeZone: "Europe/Stockholm",
    isDriveOff: false,
    touch: () => void (version += 1),
    before: (path, act) => void acts.push({ path, act }),
    count: (path) => server.calls.filter((call) => path.test(call)).length,
  };
  return google;
}

function bodyOf(call: Call): Json {
  const body = call.json();
  if (!isObject(body)) throw invalid("Invalid JSON payload received.");
  return body;
}

function cellJson(row: readonly GridCell[], at: number): Json {
  const { value, format, formula } = row[at] ?? { value: null };
  const kindOf = (one: GridCell["value"]): Json | null => {
    if (one === null) return null;
    if (typeof one === "number") return { numberValue: one };
    return typeof one === "boolean" ? { boolValue: one } : { stringValue: one };
  };
  const entered = formula ? { formulaValue: formula.text } : kindOf(value);
  const result = valueOf(row, at);
  const isError = formula !== undefined && typeof result === "string" && /^#[A-Z0/!?]+$/.test(result);
  const effective = isError ? { errorValue: { type: "ERROR", message: result } } : kindOf(result);
  const numberFormat = format && {
    userEnteredFormat: { numberFormat: format },
    effectiveFormat: { numberFormat: format },
  };
  const text = shown(valueOf(row, at), format?.type);
  return {
    ...(entered && { userEnteredValue: entered }),
    ...(effective && { effectiveValue: effective, formattedValue: String(text) }),
    ...numberFormat,
  };
}
