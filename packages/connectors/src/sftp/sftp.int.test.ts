/** Files on another server: the conformance kit on OpenSSH, and what servers and their operators do. */
import { connectTo, entityNamed, fieldNames, readToEnd, testConnector } from "@accord/connector-sdk/test-kit";
import type { SystemUnderTest } from "@accord/connector-sdk/test-kit";
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fingerprintOf, keyPair, startOpenSshServer, type OpenSshServer } from "../../test-systems/openssh-server.ts";
import {
  SCRIPTED_PASSWORD,
  startScriptedSftpServer,
  type ScriptedSftpServer,
  type SftpScript,
} from "../../test-systems/scripted-sftp-server.ts";
import { sftpConnector } from "./index.ts";

const settingsOf = (server: OpenSshServer) => ({
  config: { host: "127.0.0.1", port: server.port, fingerprint: server.fingerprint },
  authType: "privateKey" as const,
  credentials: { username: server.username, privateKey: server.privateKey },
});

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function startSystem(): Promise<SystemUnderTest> {
  const server = await startOpenSshServer();
  const silent = createServer((socket) => void socket.on("error", () => {}));
  const silentPort = await portOf(silent);
  const closed = createServer();
  const closedPort = await portOf(closed);
  closed.close();
  const path = join(server.folder, "people.csv");
  const line = (id: number, name: string): string => `${id},"${name}, ""the ${id}""",1990-02-01,${id}.5,true\r\n`;
  writeFileSync(
    path,
    `id,name,born,weight,member\r\n${Array.from({ length: 30 }, (_, at) => line(at + 1, `Person ${at + 1}`)).join("")}`,
  );
  writeFileSync(join(server.folder, "nobody.csv"), "id;name\n");
  let last = 30;
  const rewrite = (id: string, next: string): void => {
    const rows = readFileSync(path, "utf8").split(/(?<=\r\n)/);
    writeFileSync(path, rows.map((row) => (row.startsWith(`${id},`) ? next : row)).join(""));
  };
  const { config, ...signIn } = settingsOf(server);
  return {
    config,
    ...signIn,
    entity: "people",
    seeded: 30,
    emptyEntity: "nobody",
    expected: {
      idField: "id",
      types: { id: "integer", name: "string", born: "date", weight: "double", member: "boolean" },
    },
    outside: {
      async create() {
        last += 1;
        appendFileSync(path, line(last, `Added ${last}`));
        return String(last);
      },
      update: async (id) => rewrite(id, line(Number(id), `Renamed to ${(last += 1)}`)),
      remove: async (id) => rewrite(id, ""),
    },
    faults: {
      wrongCredentials: { username: server.username, privateKey: keyPair().private },
      unreachable: { ...config, port: closedPort },
      silent: { ...config, port: silentPort, connectSeconds: 1 },
      untrustedCertificate: { ...config, fingerprint: fingerprintOf(keyPair().public) },
    },
    async stop() {
      silent.close();
      await server.stop();
    },
  };
}

describe("OpenSSH", () => {
  testConnector({ definition: sftpConnector, start: startSystem });
});

describe("files on OpenSSH", () => {
  let server: OpenSshServer;
  beforeAll(async () => void (server = await startOpenSshServer()));
  afterAll(() => server.stop());
  const put = (name: string, text: string): void => writeFileSync(join(server.folder, name), text);
  const connect = (config = {}, credentials = {}) => {
    const settings = settingsOf(server);
    return connectTo(sftpConnector, {
      ...settings,
      config: { ...settings.config, ...config },
      credentials: { ...settings.credentials, ...credentials },
    });
  };
  const request = async (connection: ReturnType<typeof connect>, name: string) => {
    const entity = await entityNamed(connection, name);
    return { entity, fields: fieldNames(entity), cursor: null, mode: "changes" as const, pageSize: 100 };
  };

  test("a file that is changed once more within the same second, to the same length, is read again", async () => {
    put("stock.csv", "id,name\n1,red\n");
    const path = join(server.folder, "stock.csv");
    const saved = new Date(Math.floor(Date.now() / 1000) * 1000);
    utimesSync(path, saved, saved);
    let now = saved.getTime() + 500;
    const settings = settingsOf(server);
    const connection = connectTo(sftpConnector, { ...settings, world: { now: () => new Date(now) } });
    const asked = await request(connection, "stock");
    const first = await readToEnd(connection, asked);
    put("stock.csv", "id,name\n1,sad\n");
    utimesSync(path, saved, saved);
    now += 60_000;
    const second = await connection.read({ ...asked, cursor: first.cursor });
    expect(second.records).toMatchObject([{ id: "1", values: { name: "sad" } }]);
    const third = await readToEnd(connection, { ...asked, cursor: second.cursor });
    expect(third.records).toEqual([]);
    await connection.close();
  });

  test("a subfolder is one entity, links lead to their files, and one that leads nowhere keeps nobody from reading", async () => {
    mkdirSync(join(server.folder, "orders"));
    put("orders/2025.csv", "id,total\n1,5\n");
    put("orders/2026.csv", "id,total\n2,6\n");
    symlinkSync(join(server.folder, "orders/2026.csv"), join(server.folder, "latest.csv"));
    symlinkSync(join(server.folder, "gone.csv"), join(server.folder, "broken.csv"));
    const connection = connect();
    const orders = await readToEnd(connection, await request(connection, "orders"));
    expect(orders.records.map(({ id }) => id)).toEqual(["1", "2"]);
    const latest = await readToEnd(connection, await request(connection, "latest"));
    expect(latest.records.map(({ id }) => id)).toEqual(["2"]);
    await connection.close();
  });

  test("numbers that are written with zeros before them stay texts: nothing is guessed", async () => {
    put("codes.csv", "id,code,day\n1,0042,03/04/2026\n");
    const connection = connect();
    const { records } = await readToEnd(connection, await request(connection, "codes"));
    expect(records[0]?.values).toMatchObject({ code: "0042", day: "03/04/2026" });
    await connection.close();
  });

  test("a folder that is not there is named, with what to check", async () => {
    const connection = connect({ folder: "incoming" });
    await expect(connection.check()).rejects.toMatchObject({
      kind: "configuration",
      message: `There is no folder or file incoming on 127.0.0.1:${server.port}.`,
    });
    await connection.close();
  });

  test.each([
    ["lost", ""],
    ["blanks", " "],
    ["those of Windows", "\r\n"],
  ])("a key whose line breaks are %s is the key all the same: inputs of one line take them", async (_, between) => {
    put("kept.csv", "id\n1\n");
    const connection = connect({}, { privateKey: server.privateKey.trim().split("\n").join(between) });
    await connection.check();
    await connection.close();
  });

  test("a key with a passphrase is opened by it, and an error about it never repeats the key", async () => {
    const locked = keyPair("between us");
    for (const passphrase of ["", "another"]) {
      const refused = connect({}, { privateKey: locked.private, passphrase });
      const error = await refused.check().catch((caught: unknown) => caught);
      expect(error).toMatchObject({ kind: "authentication", neverSent: true });
      expect(String(error)).not.toContain(locked.private.slice(40, 80));
      await refused.close();
    }
    const slow = connect({}, { privateKey: keyPair("between us", 101).private, passphrase: "between us" });
    await expect(slow.check()).rejects.toMatchObject({ hint: expect.stringContaining("ssh-keygen -p -a 100") });
    await slow.close();
    // Opened, it is a key that this account does not know.
    const opened = connect({}, { privateKey: locked.private, passphrase: "between us" });
    await expect(opened.check()).rejects.toMatchObject({ message: expect.stringContaining("refused this user name") });
    await opened.close();
  });
});

describe("other servers", () => {
  const started: ScriptedSftpServer[] = [];
  afterAll(() => Promise.all(started.map((server) => server.stop())));
  async function scripted(script: SftpScript, settings: object = {}) {
    const server = await startScriptedSftpServer(script);
    started.push(server);
    const config = { host: "127.0.0.1", port: server.port, fingerprint: server.fingerprint, ...settings };
    const credentials = { username: "reader", password: SCRIPTED_PASSWORD };
    return { server, config, credentials, connection: connectTo(sftpConnector, { config, credentials }) };
  }

  test("before a fingerprint is entered the server's is said, and no password leaves", async () => {
    const { server, connection } = await scripted({ files: { "a.csv": "id\n1\n" } }, { fingerprint: "" });
    await expect(connection.check()).rejects.toMatchObject({
      kind: "certificate",
      message: expect.stringContaining(server.fingerprint),
      hint: expect.stringContaining("Compare it"),
    });
    expect(server.passwords).toEqual([]);
    await connection.close();
  });

  test.each(["password", "dialogue"] as const)(
    "a password is taken by %s, and a wrong one is refused",
    async (signIn) => {
      const { server, config, credentials, connection } = await scripted({ signIn, files: { "a.csv": "id\n1\n" } });
      await connection.check();
      await connection.close();
      const wrong = connectTo(sftpConnector, { config, credentials: { ...credentials, password: "guess" } });
      await expect(wrong.check()).rejects.toMatchObject({ kind: "authentication" });
      expect(server.passwords).toContain("guess");
      await wrong.close();
    },
  );

  test("a server that falls silent costs the time set for an answer, and is asked on a new line afterwards", async () => {
    const { server, connection } = await scripted({ files: { "a.csv": "id\n1\n" } }, { answerSeconds: 1 });
    await connection.check();
    server.isSilent = true;
    await expect(connection.check()).rejects.toMatchObject({ kind: "timeout" });
    server.isSilent = false;
    await connection.check();
    expect(server.connections).toBe(2);
    await connection.close();
  });

  test("a server that hands out no bytes of a file costs one wait, on one connection", async () => {
    const { server, connection } = await scripted(
      { files: { "a.csv": "id\n1\n" }, hidesBytes: true },
      { answerSeconds: 1 },
    );
    const found = async () => {
      for await (const _ of connection.discover({})) continue;
    };
    await expect(found()).rejects.toMatchObject({ kind: "timeout" });
    expect(server.connections).toBe(1);
    await connection.close();
  });

  test.each(["files", "dots"] as const)(
    "a list that never ends with %s is given up, and says what to do",
    async (endless) => {
      const { connection } = await scripted({ endless });
      await expect(connection.check()).rejects.toMatchObject({
        kind: "configuration",
        message: expect.stringContaining("more than 10000 files"),
      });
      await connection.close();
    },
  );

  test("names that lead out of the folder are no files", async () => {
    const { connection } = await scripted({ files: { "../secrets.csv": "id\n1\n", "a.csv": "id\n2\n" } });
    const found = [];
    for await (const { entity } of connection.discover({})) found.push(entity.apiName);
    expect(found).toEqual(["a"]);
    await connection.close();
  });
});

test.each([
  ["SHA256:short", "must look like SHA256:"],
  ["MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48", "must look like SHA256:"],
])("the fingerprint %s is refused before anything is stored", (fingerprint, message) => {
  expect(sftpConnector.problems({ host: "files.example.com", fingerprint })).toMatchObject([
    { path: "fingerprint", message: expect.stringContaining(message) },
  ]);
});
