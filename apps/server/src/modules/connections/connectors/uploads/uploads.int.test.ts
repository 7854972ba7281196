/** Uploads through HTTP: pieces in and out of order, resumed, too large, of others; previews; new versions; clean-up. */
import type { Cursor } from "@accord/connector-sdk";
import { connectTo, entityNamed } from "@accord/connector-sdk/test-kit";
import { filesConnector } from "@accord/connectors";
import * as files from "@accord/contracts/connections/connector-files";
import * as api from "@accord/contracts/connections/connectors";
import { afterAll, expect, test } from "vitest";
import { testApp } from "../../../../../test-kit/index.ts";
import {
  beginUpload,
  makeUploadsConnector,
  pieceOf,
  saveUpload,
  sendPieces,
  uploadFile,
} from "../../../../../test-kit/systems/uploads.ts";
import { configureFiles, filesService, uploadedFiles } from "./index.ts";
import { ABANDONED_AFTER_MS } from "./files.service.ts";
import { connectorFinder } from "../connector-finder.ts";

const uploadLimits = { fileBytes: 5_000_000, files: 12, totalBytes: 12_000_000 };
const t = await testApp({ roles: ["web", "worker"], realTime: true, config: { uploadLimits } });
const manager = t.as("SYNC_MANAGER");
afterAll(() => t.close?.());

const newConnector = async () => (await makeUploadsConnector(manager, `Uploads ${t.deps.newId()}`)).id;
const list = (connectorId: api.Connector["id"]) => manager.call(files.listConnectorFiles, { params: { connectorId } });
const previewOf = async (connectorId: api.Connector["id"], name: string, content: string | Buffer) => {
  const { id: fileId } = await uploadFile(manager, connectorId, name, content);
  const params = { connectorId, fileId };
  const { tables } = await manager.call(files.previewConnectorFile, { params, body: {} });
  await manager.call(files.deleteConnectorFile, { params });
  return tables[0]!;
};

test("a file arrives in pieces, in their order, and a repeated piece is harmless", async () => {
  const connectorId = await newConnector();
  const bytes = Buffer.from(
    `id,name\n${Array.from({ length: 30_000 }, (_, at) => `${at},${"Name of ".repeat(6)}${at}\n`).join("")}`,
  );
  const file = await beginUpload(manager, connectorId, { name: "people.csv", size: bytes.length });
  const send = (number: number, content = bytes.subarray(number * 1_000_000, (number + 1) * 1_000_000)) =>
    manager.send(files.sendFilePiece, {
      params: { connectorId, fileId: file.id, number: String(number) },
      body: { piece: pieceOf(content) },
    });
  const early = await send(1);
  expect([early.status, JSON.stringify(early.body)]).toEqual([409, expect.stringContaining("Piece 0 of people.csv")]);
  expect((await send(0, bytes.subarray(0, 10))).status).toBe(400);
  expect((await send(0)).status).toBe(200);
  expect((await send(0)).status).toBe(200);
  const other = await send(0, Buffer.alloc(1_000_000));
  expect([other.status, JSON.stringify(other.body)]).toEqual([409, expect.stringContaining("not the file any more")]);
  expect((await list(connectorId)).files[0]).toMatchObject({ state: "RECEIVING", received: 1_000_000 });
  // The browser was closed: the same file, begun again, goes on where it was.
  const again = await beginUpload(manager, connectorId, { name: "people.csv", size: bytes.length });
  expect([again.id, again.received]).toEqual([file.id, 1_000_000]);
  const params = { connectorId, fileId: file.id };
  expect((await manager.send(files.previewConnectorFile, { params, body: {} })).status).toBe(409);
  await sendPieces(manager, connectorId, again, bytes);
  const { tables } = await manager.call(files.previewConnectorFile, { params, body: {} });
  expect(tables[0]).toMatchObject({ entity: "people", rowCount: 30_000, isComplete: true, questions: [] });
  await manager.call(files.deleteConnectorFile, { params });
  expect((await list(connectorId)).files).toEqual([]);
});

test("names, sizes and numbers are bounded, and the refusal says what to do", async () => {
  const connectorId = await newConnector();
  const begin = (name: string, size: number) =>
    manager.send(files.beginFileUpload, { params: { connectorId }, body: { name, size, fingerprint: name } });
  expect(JSON.stringify((await begin("big.csv", 5_000_001)).body)).toContain("larger than 5 MB");
  expect(JSON.stringify((await begin("x.exe", 5)).body)).toContain("choose one ending in .csv");
  expect((await begin("../../etc/passwd.csv", 5)).status).toBe(400);
  expect((await begin("a.csv", 5_000_000)).status).toBe(200);
  expect((await begin("b.csv", 5_000_000)).status).toBe(200);
  const full = await begin("c.csv", 5_000_000);
  expect([full.status, JSON.stringify(full.body)]).toEqual([409, expect.stringContaining("12, or 12 MB in all")]);
  for (const file of (await list(connectorId)).files)
    await manager.call(files.deleteConnectorFile, { params: { connectorId, fileId: file.id } });
  for (let at = 0; at < 12; at += 1) expect((await begin(`${at}.csv`, 5)).status).toBe(200);
  expect((await begin("another.csv", 5)).status).toBe(409);
  await manager.call(api.deleteConnector, { params: { connectorId } });
  expect((await list(await newConnector())).used).toEqual({ files: 0, bytes: 0 });
});

test("files of another instance, and without the right, are not there", async () => {
  const connectorId = await newConnector();
  const file = await uploadFile(manager, connectorId, "mine.csv", "id\n1\n");
  const other = await t.build.instance();
  const stranger = t.as("INSTANCE_ADMIN", { instanceId: other, organisationId: t.organisationId });
  const params = { connectorId, fileId: file.id };
  expect((await stranger.send(files.listConnectorFiles, { params: { connectorId } })).status).toBe(404);
  expect((await stranger.send(files.deleteConnectorFile, { params })).status).toBe(404);
  expect((await stranger.send(files.previewConnectorFile, { params, body: {} })).status).toBe(404);
  const viewer = t.as("VIEWER");
  expect((await viewer.send(files.deleteConnectorFile, { params })).status).toBe(403);
  await manager.call(files.deleteConnectorFile, { params });
});

test("a synapse that names no place reads its folder, and says so from then on", async () => {
  const body = { name: `Folder ${t.deps.newId()}`, typeId: "files", config: { folder: "x" }, authType: "none" };
  const { id, version, config } = await manager.call(api.createConnector, { body });
  expect(config).toEqual({ place: "folder", folder: "x" });
  const params = { connectorId: id };
  const edited = await manager.call(api.updateConnector, { params, body: { version, config: { folder: "y" } } });
  expect(edited.config).toEqual({ place: "folder", folder: "y" });
  const file = { name: "a.csv", size: 5, fingerprint: "1" };
  const refused = await manager.send(files.beginFileUpload, { params, body: file });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining("uploaded files")]);
});

test("what was abandoned is deleted after a day, what is in use stays", async () => {
  const connectorId = await newConnector();
  await saveUpload(manager, connectorId, { name: "used.csv", content: "id\n1\n" });
  await beginUpload(manager, connectorId, { name: "half.csv", size: 10 });
  const finder = connectorFinder(t.deps.appDb);
  const tidyAt = async (ms: number): Promise<string[]> => {
    const clock = { ...t.deps.clock, now: () => new Date(Date.now() + ms) };
    const unused = async () => {};
    const configure = configureFiles({ deps: t.deps, refresh: { afterEdit: unused }, reconnected: unused });
    await filesService({ deps: { ...t.deps, clock }, finder, configure }).tidy();
    return (await list(connectorId)).files.map(({ name }) => name);
  };
  expect(await tidyAt(ABANDONED_AFTER_MS - 60_000)).toEqual(["half.csv", "used.csv"]);
  expect(await tidyAt(ABANDONED_AFTER_MS + 60_000)).toEqual(["used.csv"]);
  const { rows } = await t.deps.appPool.query("SELECT count(*)::int AS n FROM connector_file_piece");
  expect(rows).toEqual([{ n: 1 }]);
});

test("what can be read in two ways is asked, what the file proves is proposed", async () => {
  const connectorId = await newConnector();
  const open = await previewOf(connectorId, "a.csv", "id;day;price\n1;03/04/2026;1.234\n2;05/06/2026;2.500\n");
  expect(open.questions).toEqual([
    { setting: "dates", column: "day", example: "03/04/2026" },
    { setting: "numbers", column: "price", example: "1.234" },
  ]);
  expect(open.settings).toMatchObject({ delimiter: "semicolon", encoding: "utf-8", header: "yes", idColumn: "id" });
  expect(open.columns.map(({ dataType }) => dataType)).toEqual(["integer", "string", "double"]);
  const rows = Array.from({ length: 3_000 }, (_, at) => `${at};03/04/2026;1.234\n`).join("");
  const proven = await previewOf(connectorId, "b.csv", `id;day;price\n${rows}3000;31/12/2026;1.234,50\n`);
  expect(proven.questions).toEqual([]);
  expect(proven.settings).toMatchObject({ dates: "dayFirst", numbers: "comma" });
  expect(proven.columns.map(({ dataType }) => dataType)).toEqual(["integer", "date", "integer"]);
});

test.each([
  ["UTF-8", Buffer.from("id,name\n1,Zürich €\n"), "utf-8"],
  ["UTF-8 with a mark", Buffer.from("\uFEFFid,name\n1,Zürich €\n"), "utf-8"],
  ["UTF-16, lower byte first", Buffer.from("\uFEFFid,name\r\n1,Zürich €\r\n", "utf16le"), "utf-16"],
  ["UTF-16, higher byte first", Buffer.from("\uFEFFid,name\n1,Zürich €\n", "utf16le").swap16(), "utf-16"],
  ["UTF-16 without a mark", Buffer.from("id,name\n1,Zürich €\n", "utf16le"), "utf-16"],
  ["Windows-1252", Buffer.from("id,name\n1,Z\xfcrich \x80\n", "latin1"), "windows-1252"],
  [
    "Windows-1252 only far behind its beginning",
    Buffer.from(`id,name\n1,Z\xfcrich \x80\n`.replace("1,", `${"0,plain\n".repeat(20_000)}1,`), "latin1"),
    "windows-1252",
  ],
])("%s is found out and read", async (_, content, encoding) => {
  const connectorId = await newConnector();
  const table = await previewOf(connectorId, "letters.csv", content);
  expect(table.settings.encoding).toBe(encoding);
  expect(table.columns.map(({ name }) => name)).toEqual(["id", "name"]);
  if (table.rowCount === 1) expect(table.rows[0]?.map(({ read }) => read)).toEqual(["1", "Zürich €"]);
});

test("doubled and empty ids are counted over the whole file, and rows that can't be read are named", async () => {
  const connectorId = await newConnector();
  const rows = Array.from({ length: 2_000 }, (_, at) => `${at},K${at},${at}\n`).join("");
  const table = await previewOf(connectorId, "ids.csv", `id,code,n\n${rows}7,K1,1\n,K2,x\n`);
  expect(table.settings.idColumn).toBe("id");
  expect(table.ids).toEqual([
    { column: "id", doubled: 1, empty: 1 },
    { column: "code", doubled: 2, empty: 0 },
    { column: "n", doubled: 1, empty: 0 },
  ]);
  expect(table.unreadable).toEqual({
    count: 2,
    first: [
      { place: "ids.csv, line 2002", message: "The id 7 was there before." },
      { place: "ids.csv, line 2003", message: 'N: "x" is not a whole number.' },
    ],
  });
});

test("a column named like an id whose values are doubled is no proposal, and its doubled values are counted", async () => {
  const connectorId = await newConnector();
  const table = await previewOf(connectorId, "twice.csv", "id,n\n1,a\n1,b\n,c\n");
  expect(table.settings.idColumn).toBe("_row");
  expect(table.ids).toContainEqual({ column: "id", doubled: 1, empty: 1 });
});

test("a newer version may be written otherwise, and what an earlier one did not hold is asked of it", async () => {
  const connectorId = await newConnector();
  await saveUpload(manager, connectorId, { name: "towns.csv", content: Buffer.from("id;n\n1;Z\xfcrich\n", "latin1") });
  const later = await previewOf(connectorId, "towns.csv", "id,n,day\n1,Zürich,03/04/2026\n");
  expect(later.settings).toMatchObject({ encoding: "utf-8", delimiter: "comma" });
  expect(later.rows[0]?.[1]?.read).toBe("Zürich");
  expect(later.questions).toMatchObject([{ setting: "dates", column: "day" }]);
  expect(later.changes).toEqual({ added: 0, changed: 1, gone: 0 });
});

test("an encoding that does not fit is refused with the line, and another one can be chosen", async () => {
  const connectorId = await newConnector();
  const content = Buffer.from("id,n\n1,Z\xfcrich\n", "latin1");
  const { id: fileId } = await uploadFile(manager, connectorId, "choice.csv", content);
  const look = (encoding: "utf-8" | "windows-1252") =>
    manager.send(files.previewConnectorFile, {
      params: { connectorId, fileId },
      body: { chosen: { choice: { encoding } } },
    });
  const wrong = await look("utf-8");
  expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([
    422,
    expect.stringContaining("Line 2 is not UTF-8 text"),
  ]);
  expect((await look("windows-1252")).status).toBe(200);
  await manager.call(files.deleteConnectorFile, { params: { connectorId, fileId } });
});

test("digits are kept exactly, and zeros before a number make it a code", async () => {
  const connectorId = await newConnector();
  const content = "id,zip,amount,long\n1,01234,0.1,1234567.123456789012\n2,99999,10.10,1\n";
  const table = await previewOf(connectorId, "digits.csv", content);
  expect(table.columns.map(({ dataType }) => dataType)).toEqual(["integer", "string", "double", "decimal"]);
  expect(table.rows[0]?.map(({ read }) => read)).toEqual(["1", "01234", "0.1", "1234567.123456789012"]);
});

test("a saved file is an entity, and a newer version replaces it", async () => {
  const connectorId = await newConnector();
  const said = { dates: "dayFirst" as const };
  await saveUpload(manager, connectorId, { name: "orders.csv", content: "id,day,note\n1,03/04/2026,a\n", said });
  await manager.call(api.activateConnector, { params: { connectorId } });
  const settled = async () => {
    const state = async () => (await manager.call(api.getConnector, { params: { connectorId } })).schemaRefreshStatus;
    await expect.poll(state, { timeout: 15_000 }).not.toBe("PROCESSING");
  };
  await settled();
  const sample = async () => {
    const at = { params: { connectorId, entityApiName: "orders" } };
    return (await manager.call(api.getSampleRecords, at)).records.map(({ values }) => values["day"]);
  };
  expect(await sample()).toEqual(["2026-04-03"]);
  const [second] = await saveUpload(manager, connectorId, { name: "orders.csv", content: "id,day\n1,05/04/2026\n" });
  // What was said of the first version holds for the second, and what it lacks is named.
  expect(second).toMatchObject({ settings: said, questions: [], missingColumns: ["note"] });
  await settled();
  expect(await sample()).toEqual(["2026-04-05"]);
  const { files: stored } = await list(connectorId);
  expect(stored.map(({ name, rows, state }) => [name, rows, state])).toEqual([["orders.csv", 1, "READY"]]);
  const twin = { name: "orders.tsv", size: 5, fingerprint: "x" };
  const refused = await manager.send(files.beginFileUpload, { params: { connectorId }, body: twin });
  expect(JSON.stringify(refused.body)).toContain("would be called like orders.csv");
});

test("a newer version is read as changes: all its rows, and those that are gone are looked for", async () => {
  const connectorId = await newConnector();
  const upload = (content: string) => saveUpload(manager, connectorId, { name: "stock.csv", content });
  await upload("id,n\n1,a\n2,b\n3,c\n");
  const connection = connectTo(filesConnector, {
    config: { place: "uploaded" },
    credentials: {},
    world: { uploadedFiles: uploadedFiles(t.deps.appDb, t.instanceId, connectorId) },
  });
  const entity = await entityNamed(connection, "stock");
  const read = (cursor: Cursor | null, pageSize = 100) =>
    connection.read({ entity, fields: ["n"], cursor, mode: "changes", pageSize });
  const first = await read(null);
  expect([first.records.length, first.missedDeletes]).toEqual([3, undefined]);
  await upload("id,n\n1,a\n3,changed\n");
  const second = await read(first.cursor);
  expect(second.records.map(({ id, values }) => [id, values["n"]])).toEqual([
    ["1", "a"],
    ["3", "changed"],
  ]);
  expect(second.missedDeletes).toBe(true);
  expect((await connection.listIds?.({ entity, cursor: null, pageSize: 100 }))?.ids).toEqual(["1", "3"]);
  // A row whose id can't be made out may be any of the known ones.
  await upload("id,n\n1,a\nx,b\n");
  await expect(connection.listIds?.({ entity, cursor: null, pageSize: 100 })).rejects.toMatchObject({
    kind: "configuration",
    message: expect.stringContaining("stock.csv, line 3"),
  });
  // Replaced in the middle of reading: the pass ends, the next one begins the newer version.
  await upload("id,n\n1,a\n2,b\n3,c\n");
  const half = await read(null, 2);
  await upload("id,n\n9,z\n");
  const rest = await read(half.cursor);
  const after = await read(rest.cursor);
  expect([...rest.records, ...after.records].map(({ id }) => id)).toEqual(["9"]);
});
