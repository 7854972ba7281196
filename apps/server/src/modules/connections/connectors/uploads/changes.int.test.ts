/** Uploaded files that change: read in another way, saved by two people at once, called like a sheet, sent again. */
import type { Cursor } from "@accord/connector-sdk";
import { connectTo, entityNamed } from "@accord/connector-sdk/test-kit";
import { filesConnector } from "@accord/connectors";
import { createHash } from "node:crypto";
import * as files from "@accord/contracts/connections/connector-files";
import * as api from "@accord/contracts/connections/connectors";
import type { FileSettings } from "@accord/contracts/connections/file-settings";
import { afterAll, expect, test } from "vitest";
import { testApp } from "../../../../../test-kit/index.ts";
import { workbook } from "@accord/connectors/test-systems/workbook";
import { makeUploadsConnector, pieceOf, saveUpload, uploadFile } from "../../../../../test-kit/systems/uploads.ts";
import { connectorFinder } from "../connector-finder.ts";
import { configureFiles, filesService, uploadedFiles } from "./index.ts";

const t = await testApp({ roles: ["web"] });
const manager = t.as("SYNC_MANAGER");
afterAll(() => t.close?.());

type ConnectorId = api.Connector["id"];
const newConnector = async () => (await makeUploadsConnector(manager, `Uploads ${t.deps.newId()}`)).id;
const list = (connectorId: ConnectorId) => manager.call(files.listConnectorFiles, { params: { connectorId } });

/** Reads an entity page by page, as its files are described in the configuration of now. */
const reading = async (connectorId: ConnectorId, name: string, column: string) => {
  const connect = async () => {
    const { config } = await manager.call(api.getConnector, { params: { connectorId } });
    const world = { uploadedFiles: uploadedFiles(t.deps.appDb, t.instanceId, connectorId) };
    return connectTo(filesConnector, { config, credentials: {}, world });
  };
  const entity = await entityNamed(await connect(), name);
  return async (cursor: Cursor | null, pageSize = 100) => {
    const page = await (await connect()).read({ entity, fields: [column], cursor, mode: "changes", pageSize });
    return { ...page, values: page.records.map(({ values }) => values[column]) };
  };
};

/** Saves a file that is there with other answers. */
async function saveAgain(connectorId: ConnectorId, name: string, said: Partial<FileSettings>): Promise<void> {
  const file = (await list(connectorId)).files.find((one) => one.name === name)!;
  const params = { connectorId, fileId: file.id };
  const { tables } = await manager.call(files.previewConnectorFile, { params, body: {} });
  const settings = Object.fromEntries(tables.map((table) => [table.entity, { ...table.settings, ...said }]));
  await manager.call(files.saveConnectorFile, { params, body: { settings } });
}

test("a file that is to be read in another way is read again, all of it, and what is gone is looked for", async () => {
  const connectorId = await newConnector();
  const content = "id,day\n1,03/04/2026\n2,05/06/2026\n3,07/08/2026\n";
  await saveUpload(manager, connectorId, { name: "orders.csv", content, said: { dates: "monthFirst" } });
  const read = await reading(connectorId, "orders", "day");
  const first = await read(null);
  expect(first.values).toEqual(["2026-03-04", "2026-05-06", "2026-07-08"]);
  // Saved as it was: nothing is read again, and a position of before the way of reading was noted holds.
  await saveAgain(connectorId, "orders.csv", { dates: "monthFirst" });
  const unnoted = JSON.parse(JSON.stringify(first.cursor), (key, value: unknown) =>
    key === "read" ? undefined : value,
  ) as Cursor;
  expect(JSON.stringify(unnoted)).not.toEqual(JSON.stringify(first.cursor));
  const same = await read(unnoted);
  expect([same.records, same.missedDeletes]).toEqual([[], undefined]);
  await saveAgain(connectorId, "orders.csv", { dates: "dayFirst" });
  const again = await read(same.cursor);
  expect([again.values, again.missedDeletes]).toEqual([["2026-04-03", "2026-06-05", "2026-08-07"], true]);
  expect((await read(again.cursor)).records).toEqual([]);
  // The same bytes, uploaded once more and read as before.
  await saveUpload(manager, connectorId, { name: "orders.csv", content, said: { dates: "monthFirst" } });
  expect((await read(again.cursor)).values).toEqual(first.values);
});

test("looking at a file in use with another choice changes nothing of it", async () => {
  const connectorId = await newConnector();
  await saveUpload(manager, connectorId, { name: "kept.csv", content: "id,n\n1,a\n2,b\n" });
  const [file] = (await list(connectorId)).files;
  const params = { connectorId, fileId: file!.id };
  const rowsWith = async (chosen: Record<string, Partial<FileSettings>>) => {
    const { tables } = await manager.call(files.previewConnectorFile, { params, body: { chosen } });
    return [tables[0]?.rowCount, (await list(connectorId)).files[0]?.rows];
  };
  expect(await rowsWith({ kept: { header: "no" } })).toEqual([3, 2]);
  expect(await rowsWith({})).toEqual([2, 2]);
});

test("what was read before the schema followed the settings is read again once it does", async () => {
  const connectorId = await newConnector();
  const content = "id,n,day\n1,7,03/04/2026\n2,8,05/06/2026\n";
  await saveUpload(manager, connectorId, { name: "orders.csv", content, said: { idColumn: "id" } });
  const before = await reading(connectorId, "orders", "day");
  const first = await before(null);
  expect(first.values).toEqual(["03/04/2026", "05/06/2026"]);
  await saveAgain(connectorId, "orders.csv", { dates: "dayFirst", idColumn: "n" });
  // A cycle that begins now has the settings of now, and the fields of then.
  const between = await before(first.cursor);
  expect(between.records.map(({ id }) => id)).toEqual(["1", "2"]);
  const after = await reading(connectorId, "orders", "day");
  const again = await after(between.cursor);
  expect([again.records.map(({ id }) => id), again.values, again.missedDeletes]).toEqual([
    ["7", "8"],
    ["2026-04-03", "2026-06-05"],
    true,
  ]);
  expect((await after(again.cursor)).records).toEqual([]);
  // A position of before the fields were noted holds.
  const unnoted = JSON.parse(JSON.stringify(again.cursor), (key, value: unknown) =>
    key === "schema" ? undefined : value,
  ) as Cursor;
  expect(JSON.stringify(unnoted)).not.toEqual(JSON.stringify(again.cursor));
  expect((await before(unnoted)).records).toEqual([]);
  // Between two pages nothing is mixed.
  const half = await before(null, 1);
  const end = await after(half.cursor, 1);
  expect([end.values, end.drained, end.missedDeletes]).toEqual([[], true, true]);
});

test("another way of reading between two pages mixes nothing: the pass ends, the next one begins anew", async () => {
  const connectorId = await newConnector();
  const content = "id,day\n1,03/04/2026\n2,05/06/2026\n3,07/08/2026\n";
  await saveUpload(manager, connectorId, { name: "orders.csv", content, said: { dates: "monthFirst" } });
  const read = await reading(connectorId, "orders", "day");
  const half = await read(null, 2);
  expect(half.values).toEqual(["2026-03-04", "2026-05-06"]);
  await saveAgain(connectorId, "orders.csv", { dates: "dayFirst" });
  const end = await read(half.cursor, 2);
  expect([end.values, end.drained, end.missedDeletes]).toEqual([[], true, true]);
  expect((await read(end.cursor)).values).toEqual(["2026-04-03", "2026-06-05", "2026-08-07"]);
});

test("files that are saved at the same moment keep the settings of each other", async () => {
  const connectorId = await newConnector();
  const names = Array.from({ length: 8 }, (_, at) => `f${at}`);
  const params = await Promise.all(
    names.map(async (name) => {
      const { id: fileId } = await uploadFile(manager, connectorId, `${name}.csv`, "id\n1\n");
      return { name, params: { connectorId, fileId } };
    }),
  );
  const settings: FileSettings = {
    ...{ header: "yes", delimiter: "comma", encoding: "utf-8", dates: "dayFirst", numbers: "plain", idColumn: "id" },
  };
  const replies = await Promise.all(
    params.map(({ name, params: at }) =>
      manager.send(files.saveConnectorFile, { params: at, body: { settings: { [name]: settings } } }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(names.map(() => 200));
  const { config } = await manager.call(api.getConnector, { params: { connectorId } });
  expect(Object.keys(config["files"] as object).toSorted()).toEqual(names);
});

test("files that would be one entity are not saved, however close together", async () => {
  const connectorId = await newConnector();
  const settings = { header: "yes", delimiter: "comma", encoding: "utf-8" } as const;
  const body = { settings: { twin: { ...settings, dates: "yearFirst", numbers: "plain", idColumn: null } as const } };
  const uploads = await Promise.all(
    ["twin.csv", "twin.tsv"].map((name) => uploadFile(manager, connectorId, name, "id\n1\n")),
  );
  const replies = await Promise.all(
    uploads.map(({ id: fileId }) => manager.send(files.saveConnectorFile, { params: { connectorId, fileId }, body })),
  );
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
});

test.each([
  ["the workbook first", ["orders.xlsx", "orders.2024.csv"]],
  ["the workbook second", ["orders.2024.csv", "orders.xlsx"]],
  ["two workbooks", ["orders.xlsx", "Orders.2024.xlsx"]],
])("a sheet and a file can't be the same entity: %s", async (_, [first = "", second = ""]) => {
  const contents: Record<string, string | Buffer> = {
    "orders.xlsx": workbook({ sheets: ["2024", "2024.May"].map((name) => sheetOf(name)) }),
    "Orders.2024.xlsx": workbook({ sheets: [sheetOf("may")] }),
    "orders.2024.csv": "id\n1\n",
  };
  const connectorId = await newConnector();
  await saveUpload(manager, connectorId, { name: first, content: contents[first]! });
  const { id: fileId } = await uploadFile(manager, connectorId, second, contents[second]!);
  const params = { connectorId, fileId };
  const { tables } = await manager.call(files.previewConnectorFile, { params, body: {} });
  const settings = Object.fromEntries(tables.map((table) => [table.entity, table.settings]));
  const refused = await manager.send(files.saveConnectorFile, { params, body: { settings } });
  expect(refused.status).toBe(400);
  for (const name of [first, second]) expect(JSON.stringify(refused.body)).toContain(name);
  expect(JSON.stringify(refused.body)).toContain("sheet 2024");
  // The one in use may still be saved.
  await saveUpload(manager, connectorId, { name: first, content: contents[first]! });
});

const sheetOf = (name: string) => ({
  name,
  rows: '<row r="1"><c r="A1" t="inlineStr"><is><t>id</t></is></c></row><row r="2"><c r="A2"><v>1</v></c></row>',
});

test("nothing is added to a file that has arrived, and its last piece may come again", async () => {
  const connectorId = await newConnector();
  const bytes = Buffer.from(
    Array.from({ length: 1_000 }, (_, at) => `${(at === 0 ? "id,n" : `${at},`).padEnd(999, "y")}\n`).join(""),
  );
  await saveUpload(manager, connectorId, { name: "even.csv", content: bytes });
  const [file] = (await list(connectorId)).files;
  const send = (number: number, content: Buffer) =>
    manager.send(files.sendFilePiece, {
      params: { connectorId, fileId: file!.id, number: String(number) },
      body: { piece: pieceOf(content) },
    });
  expect((await send(1, Buffer.alloc(0))).status).toBe(409);
  expect((await send(0, bytes)).status).toBe(200);
  expect((await list(connectorId)).files).toMatchObject([{ name: "even.csv", state: "READY" }]);
});

test("whoever goes on with an upload learns what has arrived, and another file is not joined to it", async () => {
  const connectorId = await newConnector();
  const pieces = [Buffer.alloc(1_000_000, "a"), Buffer.alloc(1_000_000, "b"), Buffer.alloc(10, "c")];
  const sha = (...parts: Buffer[]) => createHash("sha256").update(Buffer.concat(parts));
  const begin = () =>
    manager.call(files.beginFileUpload, {
      params: { connectorId },
      body: { name: "long.csv", size: 2_000_010, fingerprint: "1" },
    });
  const { id: fileId, arrived } = await begin();
  expect(arrived).toBe(null);
  const send = (number: number, content: Buffer) =>
    manager.send(files.sendFilePiece, {
      params: { connectorId, fileId, number: String(number) },
      body: { piece: pieceOf(content) },
    });
  await send(0, pieces[0]!);
  await send(1, pieces[1]!);
  const expected = sha(...pieces.slice(0, 2).map((piece) => sha(piece).digest())).digest("hex");
  expect(await begin()).toMatchObject({ id: fileId, received: 2_000_000, arrived: expected });
  const refused = await send(0, Buffer.alloc(1_000_000, "z"));
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining("start again")]);
});

test("a preview ends when nobody waits for it any more, and makes room for the next", async () => {
  const connectorId = await newConnector();
  const rows = Array.from({ length: 60_000 }, (_, at) => `${at},x\n`).join("");
  const { id } = await uploadFile(manager, connectorId, "long.csv", `id,n\n${rows}`);
  const finder = connectorFinder(t.deps.appDb);
  const unused = async () => {};
  const configure = configureFiles({ deps: t.deps, refresh: { afterEdit: unused }, reconnected: unused });
  const leaving = new AbortController();
  let asked = 0;
  const monotonicMs = (): number => {
    asked += 1;
    if (asked === 5) leaving.abort(new Error("gone"));
    return t.deps.clock.monotonicMs();
  };
  const service = filesService({ deps: { ...t.deps, clock: { ...t.deps.clock, monotonicMs } }, finder, configure });
  const at = { instanceId: t.instanceId, connectorId, id };
  const left = service.preview(at, {}, leaving.signal);
  const next = service.preview(at, {}, new AbortController().signal);
  await expect(left).rejects.toThrow("gone");
  expect(asked).toBe(5);
  expect((await next).tables[0]?.rowCount).toBe(60_000);
});
