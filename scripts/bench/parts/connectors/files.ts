/** Files in a folder, over SFTP and in object storage; by hand a stream of the same library whose lines become records. */
import { connectTo, entityNamed } from "@accord/connector-sdk/test-kit";
import { bareS3, bareSftp } from "@accord/connectors/test-systems/bare-clients";
import { startOpenSshServer } from "@accord/connectors/test-systems/openssh-server";
import { S3_BUCKET, startS3Server } from "@accord/connectors/test-systems/s3-server";
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { connectorType, readAll, type ConnectorCase, type NamedCase } from "./case.ts";

const PAGE = 2_000;

const HEAD = "id,name,city,amount,pieces,closed,active\n";
const csvOf = (records: number): string =>
  HEAD +
  Array.from({ length: records }, (_, n) => `${n + 1},Customer ${n},Graz,${n}.25,${n % 1000},2026-03-01,true\n`).join(
    "",
  );
const jsonLinesOf = (records: number): string =>
  Array.from(
    { length: records },
    (_, n) =>
      `${JSON.stringify({ id: n + 1, name: `Customer ${n}`, city: "Graz", amount: n + 0.25, pieces: n % 1000, active: true })}\n`,
  ).join("");

export const fileCases = (records: number): NamedCase[] => [
  { name: "files, CSV", open: () => folder("people.csv", csvOf(records)) },
  { name: "files, JSON Lines", open: () => folder("people.jsonl", jsonLinesOf(records)) },
  { name: "sftp, CSV", open: () => sftp(csvOf(records)) },
  { name: "s3, CSV", open: () => objectStorage(csvOf(records)) },
];

/** No quotes, no types: the least that makes records of lines. */
async function csvLines(stream: Readable): Promise<number> {
  const records: object[] = [];
  let head: string[] | null = null;
  for await (const line of createInterface({ input: stream })) {
    const values = line.split(",");
    if (head) records.push(Object.fromEntries(head.map((name, at) => [name, values[at]])));
    else head = values;
  }
  return records.length;
}

async function jsonLines(stream: Readable): Promise<number> {
  let rows = 0;
  for await (const line of createInterface({ input: stream })) if (JSON.parse(line) !== null) rows += 1;
  return rows;
}

async function folder(name: string, text: string): Promise<ConnectorCase> {
  const root = mkdtempSync(join(tmpdir(), "accord-bench-files-"));
  const path = join(root, name);
  writeFileSync(path, text);
  const connection = connectTo(connectorType("files"), {
    config: { folder: "" },
    credentials: {},
    world: { resolveFolder: async (inside: string) => join(root, inside) },
  });
  const entity = await entityNamed(connection, "people");
  const count = name.endsWith(".csv") ? csvLines : jsonLines;
  return {
    ours: () => readAll(connection, entity, PAGE),
    limit: () => count(createReadStream(path)),
    async close() {
      await connection.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function sftp(text: string): Promise<ConnectorCase> {
  const server = await startOpenSshServer();
  const path = join(server.folder, "people.csv");
  writeFileSync(path, text);
  const { port, username, privateKey, fingerprint } = server;
  const connection = connectTo(connectorType("sftp"), {
    config: { host: "127.0.0.1", port, fingerprint },
    authType: "privateKey",
    credentials: { username, privateKey },
  });
  const entity = await entityNamed(connection, "people");
  return {
    ours: () => readAll(connection, entity, PAGE),
    limit: () => bareSftp(server, "people.csv", csvLines),
    async close() {
      await connection.close();
      await server.stop();
    },
  };
}

async function objectStorage(text: string): Promise<ConnectorCase> {
  const key = { accessKeyId: "AKIDBENCH", secretAccessKey: "a key of the bench" };
  const server = await startS3Server(key);
  server.put("people.csv", text);
  const connection = connectTo(connectorType("s3"), {
    config: { endpoint: server.url, bucket: S3_BUCKET, folder: "", pathStyle: true },
    credentials: key,
  });
  const entity = await entityNamed(connection, "people");
  return {
    ours: () => readAll(connection, entity, PAGE),
    limit: () => bareS3(server, "people.csv", csvLines),
    async close() {
      await connection.close();
      await server.stop();
    },
  };
}
