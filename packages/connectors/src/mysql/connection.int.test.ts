/** Connections of the MySQL connector: where they go, what they check, how they end, and what people read when they fail. */
import { type AddressInfo, connect as connectSocket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { mysqlLogin } from "../../test-systems/mysql-login.ts";
import { SELF_SIGNED_CERTIFICATE } from "../../test-systems/self-signed.ts";
import { entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import { beginStatement, create, mariaDb, update } from "./mysql.fixtures.ts";

const maria = mariaDb();
const TABLE = "CREATE TABLE thing (id INT PRIMARY KEY, name VARCHAR(40)); INSERT INTO thing VALUES (1, 'one')";

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe("the way out", () => {
  test("goes to the address that the guard answers, and nowhere when it refuses", async () => {
    const db = await maria.database(TABLE);
    const asked: string[] = [];
    const resolveHost = async (host: string, port: number) => {
      asked.push(`${host}:${port}`);
      return { address: "127.0.0.1", port: maria.server().port };
    };
    await db.connect({ config: { host: "db.example.invalid", port: 3306 }, world: { resolveHost } }).check();
    expect(asked).toEqual(["db.example.invalid:3306"]);
    const refusing = db.connect({ world: { resolveHost: () => Promise.reject(new Error("not allowed")) } });
    expect(await failure(refusing.check())).toMatchObject({ name: "ConnectorError", neverSent: true });
  });
});

describe("encryption", () => {
  const verified = { encryption: "verified", certificate: SELF_SIGNED_CERTIFICATE };
  const resolveHost = async () => ({ address: "127.0.0.1", port: maria.server().port });
  test("checks the certificate against the name, or the address, that was entered", async () => {
    const db = await maria.database(TABLE);
    for (const host of ["localhost", "127.0.0.1"])
      await db.connect({ config: { ...verified, host }, world: { resolveHost } }).check();
    for (const host of ["db.example.invalid", "127.0.0.2"])
      expect(
        await failure(db.connect({ config: { ...verified, host }, world: { resolveHost } }).check()),
      ).toMatchObject({
        kind: "certificate",
        message: expect.stringContaining("another host name"),
        retryable: false,
      });
  });
  test("really encrypts, and takes any certificate only when that was chosen", async () => {
    const db = await maria.database(
      `${TABLE}; CREATE USER IF NOT EXISTS safe IDENTIFIED BY 'safe' REQUIRE SSL; GRANT ALL ON *.* TO safe`,
    );
    const credentials = { username: "safe", password: "safe" };
    await db.connect({ config: { encryption: "unverified" }, credentials }).check();
    expect(await failure(db.connect({ config: { encryption: "none" }, credentials }).check())).toMatchObject({
      kind: "authentication",
    });
    expect(await failure(db.connect({ config: { encryption: "verified" }, credentials }).check())).toMatchObject({
      kind: "certificate",
      message: expect.stringContaining("self-signed"),
    });
  });
});

describe("what goes wrong is reported with what to do", () => {
  test("an unknown database, one without rights, and one without tables", async () => {
    const db = await maria.database("CREATE USER IF NOT EXISTS nobody_special IDENTIFIED BY 'x'");
    expect(await failure(db.connect({ config: { database: "no_such" } }).check())).toMatchObject({
      kind: "configuration",
      hint: expect.stringContaining("name of the database"),
    });
    const credentials = { username: "nobody_special", password: "x" };
    expect(await failure(db.connect({ credentials }).check())).toMatchObject({
      kind: "permission",
      hint: expect.any(String),
    });
    expect(await failure(db.connect().check())).toMatchObject({
      kind: "permission",
      hint: expect.stringContaining("GRANT".slice(1).toLowerCase()),
    });
  });
  test("a user whose way to log in is not supported", async () => {
    const server = mysqlLogin({ plugin: "client_ed25519", refusal: () => "Nobody may log in." });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const db = await maria.database(TABLE);
    expect(await failure(db.connect({ config: { port, encryption: "none" } }).check())).toMatchObject({
      kind: "authentication",
      hint: expect.stringContaining("mysql_native_password"),
    });
  });
  test("too many connections pass", async () => {
    const db = await maria.database(
      `${TABLE}; CREATE USER IF NOT EXISTS few IDENTIFIED BY 'few' WITH MAX_USER_CONNECTIONS 1; GRANT ALL ON *.* TO few`,
    );
    const credentials = { username: "few", password: "few" };
    const first = db.connect({ credentials });
    await first.check();
    expect(await failure(db.connect({ credentials }).check())).toMatchObject({
      kind: "unavailable",
      retryable: true,
      hint: expect.any(String),
    });
  });
  test("a server that is read-only just now, to those who write", async () => {
    const db = await maria.database(`${TABLE}; CREATE USER IF NOT EXISTS plain IDENTIFIED BY 'plain'`);
    await db.sql(`GRANT ALL ON ${db.name}.* TO plain`);
    const connection = db.connect({ credentials: { username: "plain", password: "plain" } });
    await db.sql("SET GLOBAL read_only = 1");
    onTestFinished(() => void db.sql("SET GLOBAL read_only = 0"));
    expect(await failure(db.write("thing", [create({ id: 2 })], connection))).toMatchObject({
      kind: "permission",
      message: expect.stringContaining("read-only"),
      hint: expect.stringContaining("primary"),
    });
  });
  test("a server that lets us in and then says nothing, as a time-out", async () => {
    const db = await maria.database(TABLE);
    await db.sql(`CREATE USER IF NOT EXISTS slow_start IDENTIFIED BY 'x'; GRANT SELECT ON ${db.name}.* TO slow_start`);
    await db.sql("SET GLOBAL init_connect = 'DO SLEEP(30)'");
    onTestFinished(() => void db.sql("SET GLOBAL init_connect = ''"));
    const connection = db.connect({
      config: { connectSeconds: 1 },
      credentials: { username: "slow_start", password: "x" },
    });
    const hasEnded = await beginStatement(maria.server(), 20);
    expect(await failure(connection.check())).toMatchObject({ kind: "timeout", retryable: true, neverSent: true });
    expect(hasEnded()).toBe(false);
  });
  test("a server that ends the connection, and everything works again afterwards", async () => {
    const db = await maria.database(TABLE);
    const connection = db.connect();
    const entity = await entityNamed(connection, "thing");
    const ours = await db.sql("SELECT id FROM information_schema.PROCESSLIST WHERE db = ? AND id <> CONNECTION_ID()", [
      db.name,
    ]);
    for (const { id } of ours) await db.sql(`KILL ${Number(id)}`);
    await failure(connection.read({ entity, fields: [], cursor: null, mode: "all", pageSize: 5 }));
    const { records } = await readToEnd(connection, { entity, cursor: null, pageSize: 5 });
    expect(records).toHaveLength(1);
  });
});

describe("ends", () => {
  const SLOW = `${TABLE}; CREATE VIEW slow AS SELECT id, SLEEP(20) s FROM thing`;
  const running =
    "SELECT 1 FROM information_schema.PROCESSLIST WHERE info LIKE '%slow%' AND info NOT LIKE '%PROCESSLIST%' AND command = 'Query'";
  test("a statement at the server when the call is aborted", async () => {
    const db = await maria.database(SLOW);
    const connection = db.connect();
    const entity = await entityNamed(connection, "slow");
    const withId = {
      ...entity,
      fields: entity.fields.map((field) => ({ ...field, isIdField: field.apiName === "id" })),
    };
    const abort = new AbortController();
    const read = failure(
      connection.read({ entity: withId, fields: ["s"], cursor: null, mode: "all", pageSize: 5, signal: abort.signal }),
    );
    await expect.poll(() => db.sql(running)).toHaveLength(1);
    abort.abort();
    expect(await read).toMatchObject({ name: "ConnectorError", kind: "unavailable" });
    await expect.poll(() => db.sql(running), { timeout: 5000 }).toEqual([]);
  });
  test("a statement that takes longer than it may, as a time-out", async () => {
    const db = await maria.database(SLOW);
    const connection = db.connect({ config: { statementSeconds: 1 } });
    const entity = await entityNamed(connection, "slow");
    const withId = {
      ...entity,
      fields: entity.fields.map((field) => ({ ...field, isIdField: field.apiName === "id" })),
    };
    const hasEnded = await beginStatement(maria.server(), 15);
    const error = await failure(
      connection.read({ entity: withId, fields: ["s"], cursor: null, mode: "all", pageSize: 5 }),
    );
    expect(error).toMatchObject({ kind: "timeout", retryable: true, hint: expect.stringContaining("Advanced") });
    expect(hasEnded()).toBe(false);
  });
  test("connections when it is closed, and opens none afterwards", async () => {
    const db = await maria.database(TABLE);
    const connection = db.connect();
    await connection.check();
    const open = () =>
      db.sql("SELECT 1 FROM information_schema.PROCESSLIST WHERE db = ? AND id <> CONNECTION_ID()", [db.name]);
    expect((await open()).length).toBeGreaterThan(0);
    await connection.close();
    await expect.poll(open).toEqual([]);
    expect(await failure(connection.check())).toMatchObject({ kind: "unavailable", neverSent: true });
  });
});

describe("the server's own settings", () => {
  const HOSTILE = [
    "sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH'",
    "time_zone = '+09:00'",
    "autocommit = 0",
    "character_set_server = latin1",
    "init_connect = 'SET sql_mode = ''ANSI_QUOTES,NO_BACKSLASH_ESCAPES'''",
  ];
  test("change neither what is read nor what is written, nor let any text out of its quotes", async () => {
    const db = await maria.database(
      `${TABLE}; CREATE USER IF NOT EXISTS plain IDENTIFIED BY 'plain'; GRANT ALL ON *.* TO plain`,
    );
    await db.sql("CREATE TABLE moment (id INT PRIMARY KEY, name VARCHAR(60), c CHAR(5), at TIMESTAMP(6) NULL)");
    const before = await db.sql(
      "SELECT @@GLOBAL.sql_mode sql_mode, @@GLOBAL.time_zone time_zone, @@GLOBAL.autocommit autocommit, @@GLOBAL.character_set_server character_set_server, @@GLOBAL.init_connect init_connect",
    );
    onTestFinished(async () => {
      for (const [name, value] of Object.entries(before[0] ?? {})) await db.sql(`SET GLOBAL ${name} = ?`, [value]);
    });
    for (const setting of HOSTILE) await db.sql(`SET GLOBAL ${setting}`);
    const connection = db.connect({ credentials: { username: "plain", password: "plain" } });
    const values = { name: "\\'; DROP TABLE thing; -- \" 🦊", c: "ab", at: "2024-01-01T00:00:00.000001Z" };
    expect(await db.write("moment", [create({ id: 1, ...values })], connection)).toMatchObject([
      { status: "done", values },
    ]);
    expect(await db.write("moment", [update("1", { name: values.name })], connection)).toMatchObject([
      { status: "done", values },
    ]);
    const entity = await db.entity("moment", connection);
    expect(
      await connection.lookup?.({ entity, fields: ["name", "c", "at"], field: "name", values: [values.name] }),
    ).toMatchObject([{ id: "1", values }]);
    expect(await db.sql("SELECT COUNT(*) n FROM thing")).toEqual([{ n: 1 }]);
    expect(await db.sql("SELECT CAST(UNIX_TIMESTAMP(at) AS CHAR) at FROM moment")).toEqual([
      { at: "1704067200.000001" },
    ]);
    // Nothing is kept open that a change of the table would wait for.
    await db.sql("SET SESSION lock_wait_timeout = 1; ALTER TABLE moment ADD COLUMN more INT");
  });
  test("no server is given files of this machine", async () => {
    const { port } = maria.server();
    // What the server learns of our abilities: LOCAL FILES is not among them.
    const flags = await new Promise<number>((resolve, reject) => {
      void maria.database(TABLE).then((db) => {
        const connection = db.connect({ world: { resolveHost: () => recorded(port, resolve) } });
        connection.check().catch(reject);
      }, reject);
    });
    expect(flags & 128).toBe(0);
  });
});

/** A port that forwards to the server, and reports the abilities in the client's first packet. */
async function recorded(to: number, report: (flags: number) => void): Promise<{ address: string; port: number }> {
  const { createServer } = await import("node:net");
  const door = createServer((inside) => {
    const outside = connectSocket(to, "127.0.0.1");
    inside.once("data", (bytes) => report(bytes.readUInt32LE(4)));
    inside.pipe(outside).pipe(inside);
    for (const socket of [inside, outside]) socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void door.close());
  const address = door.address();
  return { address: "127.0.0.1", port: typeof address === "object" && address ? address.port : 0 };
}
