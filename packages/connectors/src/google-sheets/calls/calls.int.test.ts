/** Calls at Google: how few there are, whose token they carry, and what refusals say to do. */
import { ConnectorError } from "@accord/connector-sdk";
import { connectTo, fieldNames, readToEnd } from "@accord/connector-sdk/test-kit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ACCOUNT, type Google } from "../../../test-systems/vendors/google/google.ts";
import { connectSheets, contactsOf, settingsOf, startContacts } from "../contacts.fixtures.ts";
import { googleSheetsConnector } from "../index.ts";

let google: Google;
beforeAll(async () => void (google = await startContacts(5)));
afterAll(() => google.stop());
beforeEach(() => void (google.calls.length = 0));

async function failureOf(work: Promise<unknown>): Promise<ConnectorError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ConnectorError) return error;
  throw new Error(`no ConnectorError: ${String(error)}`);
}

const refusal = (status: number, code: string, message: string, reason?: string) => ({
  status,
  body: { error: { code: status, message, status: code, ...(reason && { details: [{ reason }] }) } },
});

const pollWith = async (more = {}) => {
  const connection = connectSheets(google, more);
  const entity = await contactsOf(connection);
  const first = await readToEnd(connection, { entity, cursor: null, pageSize: 100 });
  google.calls.length = 0;
  const poll = () =>
    connectSheets(google, more).read({
      entity,
      fields: fieldNames(entity),
      cursor: first.cursor,
      mode: "changes",
      pageSize: 100,
    });
  return { first, poll };
};

test("an unchanged spreadsheet costs one call a poll, also on a new connection", async () => {
  const { first, poll } = await pollWith();
  expect(first.records).toHaveLength(5);
  for (const _ of [1, 2, 3]) expect(await poll()).toMatchObject({ records: [], drained: true });
  expect(google.calls).toHaveLength(3);
  expect(google.count(/\/drive\/v3\/files\//)).toBe(3);
});

test("where Drive may not be asked, the rows are read and compared, and unchanged ones do not come again", async () => {
  google.isDriveOff = true;
  const { first, poll } = await pollWith();
  expect(first.records).toHaveLength(5);
  expect(await poll()).toMatchObject({ records: [], drained: true });
  const row = google.tabs[0]?.rows[1];
  if (row) row[1] = { value: "Someone else" };
  expect((await poll()).records.map(({ values }) => values["name"])).toContain("Someone else");
  google.isDriveOff = false;
});

test("connections with the same key share a token, and one that was withdrawn is replaced at once", async () => {
  await connectSheets(google).check();
  const before = google.tokens.exchanges;
  await connectSheets(google).check();
  await connectSheets(google).check();
  expect(google.tokens.exchanges).toBe(before);
  google.tokens.revokeTokens();
  await connectSheets(google).check();
  expect(google.tokens.exchanges).toBe(before + 1);
});

test("a spreadsheet that is not shared names the address to share it with", async () => {
  google.shares.delete(ACCOUNT);
  const error = await failureOf(connectSheets(google).check());
  expect(error.kind).toBe("permission");
  expect(error.hint).toContain(ACCOUNT);
  google.shares.set(ACCOUNT, "writer");
});

test("a spreadsheet that is not there is distinguished from one that is not shared", async () => {
  const spreadsheet = "1NobodyHasASpreadsheetWithThisId000000000000";
  const error = await failureOf(connectSheets(google, { spreadsheet }).check());
  expect(error).toMatchObject({ kind: "notFound", message: expect.stringContaining(spreadsheet) });
  expect(error.hint).toContain(ACCOUNT);
});

test("who may only read learns so when something is written", async () => {
  google.shares.set(ACCOUNT, "reader");
  const connection = connectSheets(google);
  const entity = await contactsOf(connection);
  const operations = [{ kind: "update", id: "c1", values: { name: "New" }, idempotencyKey: "k" } as const];
  const error = await failureOf(connection.write?.({ entity, operations }) ?? Promise.resolve());
  expect(error).toMatchObject({ kind: "permission", hint: expect.stringContaining(ACCOUNT) });
  google.shares.set(ACCOUNT, "writer");
});

test.each([
  [refusal(429, "RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Read requests'"), "rateLimited", 60_000],
  [refusal(403, "PERMISSION_DENIED", "Quota exceeded", "RATE_LIMIT_EXCEEDED"), "rateLimited", 60_000],
  [{ ...refusal(429, "RESOURCE_EXHAUSTED", "Quota"), headers: { "retry-after": "7" } }, "rateLimited", 7_000],
  [refusal(403, "PERMISSION_DENIED", "Sheets API has not been used", "SERVICE_DISABLED"), "configuration", undefined],
  [
    refusal(400, "FAILED_PRECONDITION", "This operation is not supported for this document"),
    "configuration",
    undefined,
  ],
  [
    refusal(403, "PERMISSION_DENIED", "Insufficient scopes", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"),
    "permission",
    undefined,
  ],
  [refusal(503, "UNAVAILABLE", "The service is currently unavailable."), "unavailable", undefined],
])("a refusal says what it means and what to do (%#)", async (reply, kind, wait) => {
  const connection = connectSheets(google);
  await connection.check();
  google.before(/^\/v4\//, () => reply);
  const error = await failureOf(connection.check());
  expect(error).toMatchObject({ kind, retryAfterMs: wait });
  expect(error.hint).toBeTruthy();
});

test("a key that was deleted is an authentication failure that asks for a new one", async () => {
  const other = await startContacts(1);
  other.tokens.revokeKeys();
  const error = await failureOf(connectSheets(other).check());
  expect(error).toMatchObject({ kind: "authentication", hint: expect.stringContaining("new one") });
  expect(error.message).toContain(ACCOUNT);
  await other.stop();
});

test.each([
  ["no JSON", "-----BEGIN PRIVATE KEY----- secret-part"],
  ["the file of an OAuth client", JSON.stringify({ web: { client_secret: "secret-part" } })],
  ["a key that is cut", JSON.stringify({ client_email: ACCOUNT, private_key: "-----BEGIN secret-part" })],
])("what is no key file is refused without repeating it (%s)", async (_, serviceAccountKey) => {
  const connection = connectTo(googleSheetsConnector, {
    config: settingsOf(google),
    authType: "privateKey",
    credentials: { serviceAccountKey },
  });
  const error = await failureOf(connection.check());
  expect(error).toMatchObject({ kind: "authentication", hint: expect.stringContaining("JSON") });
  expect(JSON.stringify([error.message, error.hint, error.cause])).not.toContain("secret-part");
  expect(google.calls).toEqual([]);
});

test("the statement goes to the token address of the settings, whatever address the key file names", async () => {
  const strange = await startContacts(1);
  const key = JSON.stringify({ ...JSON.parse(google.key), token_uri: `${strange.url}/token` });
  await connectTo(googleSheetsConnector, {
    config: settingsOf(google),
    authType: "privateKey",
    credentials: { serviceAccountKey: key },
  }).check();
  expect(strange.calls).toEqual([]);
  await strange.stop();
});

test("no more calls leave within a minute than the settings say, and the refusal says how long to wait", async () => {
  let now = Date.now();
  const own = await startContacts(1);
  const connect = () => connectSheets(own, { readsPerMinute: 4 }, { now: () => new Date(now) });
  await connect().check();
  now += 10_000;
  await connect().check();
  const error = await failureOf(connect().check());
  expect(error).toMatchObject({ kind: "rateLimited", neverSent: true, retryAfterMs: 50_000 });
  now += 50_001;
  await connect().check();
  await own.stop();
});

test("who signed in at Google needs no key: the token of the sign-in is sent, and another one after 401", async () => {
  const asked: unknown[] = [];
  const accessToken = async (request?: { refused?: string }) => {
    asked.push(request?.refused ?? null);
    return { value: request?.refused ? google.tokens.give(ACCOUNT) : "ended-token", instance: null };
  };
  const connection = connectTo(googleSheetsConnector, {
    config: settingsOf(google),
    authType: "oauth",
    credentials: { clientId: "id", clientSecret: "secret" },
    world: { accessToken },
  });
  await connection.check();
  expect(asked.slice(0, 2)).toEqual([null, "ended-token"]);
});

test("the sign-in asks Google for a refresh token each time, at its own addresses", () => {
  const { spreadsheet } = settingsOf(google);
  const settings = googleSheetsConnector.authorization?.({ spreadsheet: spreadsheet ?? "" }, { clientId: "me" });
  expect(settings).toMatchObject({
    authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    parameters: { access_type: "offline", prompt: "consent" },
    pkce: true,
  });
  expect(googleSheetsConnector.hosts({ spreadsheet: spreadsheet ?? "" }, "privateKey")).toEqual([
    "sheets.googleapis.com:443",
    "www.googleapis.com:443",
    "oauth2.googleapis.com:443",
  ]);
});

test.each([
  ["https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcd/edit?gid=5#gid=5", true],
  ["https://docs.google.com/spreadsheets/u/1/d/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcd", true],
  ["1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcd", true],
  ["https://docs.google.com/spreadsheets/d/e/2PACX-1vAbCdEfGhIjKlMnOpQrStUvWxYz/pubhtml", false],
  ["https://example.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcd", false],
  ["Contacts", false],
])("a spreadsheet is named by its address or id: %s", (spreadsheet, isTaken) => {
  expect(googleSheetsConnector.problems({ spreadsheet }).length === 0).toBe(isTaken);
});
