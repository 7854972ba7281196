/** Files in object storage: which of them are read, and what happens to those that change meanwhile. */
import type { HttpReply } from "@accord/connector-sdk";
import { readToEnd } from "@accord/connector-sdk/test-kit";
import { describe, expect, test } from "vitest";
import { S3_BUCKET } from "../../test-systems/s3-server.ts";
import { workbookOf } from "../../test-systems/workbook.ts";
import { connectToBucket, entitiesOf, idsOf, requestFor, sendToServer, serverOfTests } from "./bucket.fixtures.ts";

const server = serverOfTests();
const connect = (config = {}, more: Parameters<typeof connectToBucket>[2] = {}) =>
  connectToBucket(server(), config, more);
describe("files of a bucket", () => {
  test("are entities as in a folder: subfolders one each, markers, deeper folders and other files none", async () => {
    server().put("data/orders.csv", "id,total\n9,5\n");
    server().put("data/orders/2025.csv", "id,total\n1,5\n");
    server().put("data/orders/2026.jsonl", '{"id":2,"total":6}\n');
    server().put("data/", "");
    server().put("data/orders/", "");
    server().put("data/empty/", "");
    server().put("data/.hidden/a.csv", "id\n1\n");
    server().put("data/orders/old/2020.csv", "id\n1\n");
    server().put("data/notes.csv.gz", "packed");
    server().put("data//nameless.csv", "id\n1\n");
    server().put("elsewhere.csv", "id\n1\n");
    server().put(
      "data/prices.xlsx",
      workbookOf({
        Prices: [
          ["id", "price"],
          [7, 1.5],
        ],
      }),
    );
    const connection = connect({ folder: "/data/" });
    expect(await entitiesOf(connection)).toEqual(["orders", "orders.csv", "prices.Prices"]);
    expect(await idsOf(connection, "orders")).toEqual(["1", "2"]);
    expect(await idsOf(connection, "orders.csv")).toEqual(["9"]);
    expect(await idsOf(connection, "prices.Prices")).toEqual(["7"]);
    await connection.close();
  });

  test("are read whatever letters their keys have", async () => {
    const names = [
      "a b+c",
      "ü 日本 😀",
      "50%25",
      "it's (1)!*",
      'q"&<>',
      "tab\there",
      "line\r\nbreak",
      "bell\u0007",
      "x#y?z=1",
      "back\\slash",
      "é",
    ];
    for (const [at, name] of names.entries()) server().put(`in 1/${name}.csv`, `id\n${at}\n`);
    server().put("in 1/zero\0.csv", "id\n99\n");
    const connection = connect({ folder: "in 1" });
    for (const [at, name] of names.entries()) expect(await idsOf(connection, name)).toEqual([String(at)]);
    expect(await entitiesOf(connection)).toHaveLength(names.length);
    await connection.close();
  });

  test("are found among thousands of keys, in parts, folder by folder once there are many", async () => {
    for (let at = 0; at < 2500; at += 1) server().put(`big/archive/deep/${at}.csv`, "id\n0\n");
    for (const at of [1, 2, 3, 4, 5]) server().put(`big/orders/${at}.csv`, `id\n${at}\n`);
    server().put("big/zones.csv", "id\nz\n");
    server().most = 2;
    const few = connect({ folder: "big/orders" });
    expect(await entitiesOf(few)).toEqual(["1", "2", "3", "4", "5"]);
    await few.close();
    const connection = connect({ folder: "big" });
    expect(await entitiesOf(connection)).toEqual(["orders", "zones"]);
    expect(await idsOf(connection, "orders")).toEqual(["1", "2", "3", "4", "5"]);
    await connection.close();
  });

  test("are read although the key may not list one of many folders", async () => {
    for (const at of [1, 2, 3, 4, 5]) server().put(`big/orders/${at}.csv`, `id\n${at}\n`);
    server().put("big/closed/1.csv", "id\n1\n");
    server().most = 2;
    server().refuse = ({ query }) =>
      query.get("prefix") === "big/closed/" ? { status: 403, code: "AccessDenied", message: "Access Denied" } : null;
    const connection = connect({ folder: "big" });
    expect(await entitiesOf(connection)).toEqual(["orders"]);
    await connection.close();
  });

  test("cost one question where they are few, whatever number of folders they are in", async () => {
    for (let at = 0; at < 30; at += 1) server().put(`many/${at}/a.csv`, "id\n1\n");
    const connection = connect({ folder: "many" });
    await connection.check();
    expect(server().asked).toHaveLength(1);
    await connection.close();
  });

  test("are refused where there are too many, with what to do", async () => {
    for (let at = 0; at <= 10_000; at += 1) server().put(`${at}.csv`, "id\n1\n");
    const connection = connect();
    await expect(connection.check()).rejects.toMatchObject({
      kind: "configuration",
      message: `There are more than 10000 files and folders in the bucket ${S3_BUCKET}.`,
      hint: expect.stringContaining("Move files"),
    });
    await connection.close();
  });

  test.each([
    ["the same parts again and again", () => "again", "does not answer like object storage"],
    ["parts that do not say where the next one begins", () => "", "does not answer like object storage"],
    ["ever more parts without files", (count: number) => `part ${count}`, "more than 10000"],
  ])("a list of %s is given up", async (_, tokenOf, message) => {
    let count = 0;
    const send = async (): Promise<HttpReply> => {
      count += 1;
      const token = tokenOf(count);
      const text = `<ListBucketResult><Name>shop</Name><IsTruncated>true</IsTruncated>${token && `<NextContinuationToken>${token}</NextContinuationToken>`}</ListBucketResult>`;
      return { status: 200, headers: { "content-type": "application/xml" }, body: Buffer.from(text) };
    };
    const connection = connect({}, { world: { send } });
    await expect(connection.check()).rejects.toMatchObject({ message: expect.stringContaining(message) });
    expect(count).toBeLessThan(2_100);
    await connection.close();
  });

  test("one that is replaced within the same second, to the same length, is read again", async () => {
    const modified = new Date(1_790_000_000_000);
    server().put("stock.csv", "id,name\n1,red\n", { modified });
    const connection = connect();
    const asked = await requestFor(connection, "stock");
    const first = await readToEnd(connection, asked);
    server().put("stock.csv", "id,name\n1,sad\n", { modified });
    const second = await readToEnd(connection, { ...asked, cursor: first.cursor });
    expect(second.records).toMatchObject([{ id: "1", values: { name: "sad" } }]);
    const third = await readToEnd(connection, { ...asked, cursor: second.cursor });
    expect(third.records).toEqual([]);
    await connection.close();
  });

  test("one without a fingerprint that is replaced while it is read is known by its time", async () => {
    server().put("stock.csv", "id,name\n1,old\n", { etag: "", modified: new Date(1_790_000_000_000) });
    const connection = connect();
    const asked = await requestFor(connection, "stock");
    server().onRead = () => server().put("stock.csv", "id,name\n1,new\n", { etag: "" });
    await expect(connection.read(asked)).rejects.toMatchObject({ message: expect.stringContaining("was replaced") });
    await connection.close();
  });

  test("one that only grew is read on", async () => {
    server().put("log.csv", "id\n1\n2\n");
    const connection = connect();
    const asked = await requestFor(connection, "log");
    const first = await readToEnd(connection, asked);
    server().put("log.csv", "id\n1\n2\n3\n");
    const second = await readToEnd(connection, { ...asked, cursor: first.cursor });
    expect(second.records.map(({ id }) => id)).toEqual(["3"]);
    await connection.close();
  });

  test.each([
    ["replaced", () => server().put("stock.csv", "id,name\n1,new\n")],
    ["deleted", () => void server().buckets.get(S3_BUCKET)?.delete("stock.csv")],
  ])("one that is %s while it is read is noticed, and rows of two versions are never mixed", async (_, change) => {
    server().put("stock.csv", "id,name\n1,old\n");
    const connection = connect();
    const asked = await requestFor(connection, "stock");
    server().onRead = change;
    await expect(connection.read(asked)).rejects.toMatchObject({
      kind: "unreachable",
      retryable: true,
      message: "stock.csv was replaced or deleted while it was read.",
    });
    await connection.close();
  });

  test("large ones come in ranges, never the whole at once and no byte twice for rows", async () => {
    const rows = Array.from({ length: 120_000 }, (_, at) => `${at},${"x".repeat(90)}`);
    server().put("large.csv", `id,text\n${rows.join("\n")}\n`);
    const connection = connect();
    const asked = { ...(await requestFor(connection, "large")), pageSize: 200_000 };
    server().asked.length = 0;
    const { records } = await readToEnd(connection, asked);
    expect(records).toHaveLength(120_000);
    const ranges = server().asked.flatMap(({ range }) => {
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
      return from === undefined ? [] : [Number(to) + 1 - Number(from)];
    });
    expect(Math.max(...ranges)).toBeLessThanOrEqual(5_000_000);
    expect(ranges.length).toBeLessThan(30);
    await connection.close();
  });

  test("compressed, archived and forbidden ones are left out and named, and the others are read", async () => {
    server().put("packed.csv", "id\n1\n", { encoding: "br" });
    server().put("old.csv", "id\n1\n", { refusal: { status: 403, code: "InvalidObjectState", message: "archived" } });
    server().put("secret.csv", "id\n1\n", { refusal: { status: 403, code: "AccessDenied", message: "Access Denied" } });
    server().put("fine.csv", "id\n1\n");
    const said: unknown[] = [];
    const connection = connect(
      {},
      {
        world: {
          send: (sent) => sendToServer(server(), sent),
          log: (_, __, facts) => void said.push(facts?.["problem"]),
        },
      },
    );
    expect(await entitiesOf(connection)).toEqual(["fine"]);
    expect(said).toEqual(
      expect.arrayContaining(["old.csv is archived and can't be read.", "This access key may not read secret.csv."]),
    );
    await connection.close();
  });
});
