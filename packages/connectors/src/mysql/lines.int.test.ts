/** Lines to a MySQL server that freeze or break, and calls that end early: nothing stays locked, open, or in doubt. */
import { channel } from "node:diagnostics_channel";
import { connect as connectSocket, createServer, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { entityNamed } from "@accord/connector-sdk/test-kit";
import { describe, expect, onTestFinished, test } from "vitest";
import { mariaDb, update } from "./mysql.fixtures.ts";

const maria = mariaDb();
const TABLE = "CREATE TABLE thing (id INT PRIMARY KEY, n INT); INSERT INTO thing VALUES (1, 0), (2, 0)";

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

/** A port that forwards to the server; `freeze` lets nothing through any more on the lines that are there. */
async function freezingPort(onData: (bytes: Buffer, inside: Socket) => void = () => {}) {
  const lines = new Set<Socket>();
  const frozen = new Set<Socket>();
  const server = createServer((inside) => {
    const outside = connectSocket(maria.server().port, "127.0.0.1");
    lines.add(inside);
    inside.on("data", (bytes) => {
      onData(bytes, inside);
      if (!frozen.has(inside)) outside.write(bytes);
    });
    outside.on("data", (bytes) => {
      if (!frozen.has(inside) && !inside.destroyed) inside.write(bytes);
    });
    // What a frozen line's other end does is not noticed.
    inside.on("close", () => {
      if (!frozen.has(inside)) outside.destroy();
    });
    outside.on("close", () => inside.destroy());
    for (const socket of [inside, outside]) socket.on("error", () => {});
    onTestFinished(() => {
      inside.destroy();
      outside.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const freeze = (): void => {
    for (const line of lines) {
      frozen.add(line);
      line.pause();
    }
  };
  return { port: typeof address === "object" && address ? address.port : 0, freeze };
}

/** The sockets that are opened to a port from now on. */
function socketsTo(port: number): Socket[] {
  const found: Socket[] = [];
  const note = (message: unknown): void => {
    if (typeof message !== "object" || message === null || !("socket" in message)) return;
    const { socket } = message;
    if (!(socket instanceof Socket)) return;
    socket.once("connect", () => {
      if (socket.remotePort === port) found.push(socket);
    });
  };
  channel("net.client.socket").subscribe(note);
  onTestFinished(() => {
    channel("net.client.socket").unsubscribe(note);
  });
  return found;
}

describe("a line that freezes", () => {
  test("leaves no row locked once the call is given up, though its session is idle at the server", async () => {
    const db = await maria.database(TABLE);
    const line = await freezingPort();
    const { client } = db.client({ config: { port: line.port } });
    const abort = new AbortController();
    const held = Promise.withResolvers<void>();
    const written = failure(
      client.transaction(async ({ run }) => {
        await run("SELECT * FROM thing WHERE id = 1 FOR UPDATE");
        line.freeze();
        const next = run("UPDATE thing SET n = 1 WHERE id = 1");
        held.resolve();
        await next;
      }, abort.signal),
    );
    await held.promise;
    const isLocked = () =>
      db.sql("SELECT id FROM thing WHERE id = 1 FOR UPDATE NOWAIT").then(
        () => false,
        () => true,
      );
    expect(await isLocked()).toBe(true);
    abort.abort();
    expect(await written).toMatchObject({ kind: "unavailable" });
    await expect.poll(isLocked, { timeout: 5000 }).toBe(false);
  });
  test("is not kept open here, by a call that is given up or by one that asks the server to end it", async () => {
    const db = await maria.database(TABLE);
    const line = await freezingPort((bytes) => {
      if (bytes.includes("KILL")) line.freeze();
    });
    const sockets = socketsTo(line.port);
    const { client } = db.client({ config: { port: line.port, connectSeconds: 1 } });
    await client.query("SELECT 1");
    const abort = new AbortController();
    line.freeze();
    const asked = failure(client.query("SELECT 2", [], abort.signal));
    await pause(50);
    abort.abort();
    expect(await asked).toMatchObject({ kind: "unavailable" });
    const open = () => sockets.filter(({ destroyed }) => !destroyed).length;
    await expect.poll(() => ({ made: sockets.length, open: open() }), { timeout: 4000 }).toEqual({ made: 2, open: 0 });
  });
  test("is ended by the server itself some time after the longest statement", async () => {
    const db = await maria.database(TABLE);
    const idleSeconds = (statementSeconds: number) =>
      db.client({ config: { statementSeconds } }).client.query("SELECT @@SESSION.wait_timeout");
    expect(await idleSeconds(10)).toEqual([["60"]]);
    expect(await idleSeconds(600)).toEqual([["630"]]);
  });
});

describe("a call that is ended", () => {
  test("while it waits for a connection is not begun", async () => {
    const db = await maria.database(TABLE);
    const { client } = db.client();
    const busy = [1, 2, 3, 4].map(() => client.query("SELECT SLEEP(0.5)"));
    const abort = new AbortController();
    const waiting = failure(client.query("UPDATE thing SET n = 7", [], abort.signal));
    await pause(100);
    abort.abort();
    expect(await waiting).toMatchObject({ kind: "unavailable", neverSent: true });
    await Promise.all(busy);
    expect(await db.sql("SELECT n FROM thing WHERE n = 7")).toEqual([]);
  });
});

describe("a server that hangs up within the handshake of TLS", () => {
  test("is one that can't be reached just now, not one with a wrong certificate", async () => {
    const db = await maria.database(TABLE);
    const line = await freezingPort((bytes, inside) => {
      // The first record of TLS.
      if (bytes.includes(Buffer.from([0x16, 0x03, 0x01]))) inside.destroy();
    });
    const connection = db.connect({ config: { port: line.port, encryption: "unverified" } });
    expect(await failure(connection.check())).toMatchObject({ kind: "unreachable", retryable: true });
  });
});

describe("a statement that took too long", () => {
  test("is undone with all of its request, which may be sent again without looking", async () => {
    const db = await maria.database(`${TABLE};
      CREATE TRIGGER slow BEFORE UPDATE ON thing FOR EACH ROW SET NEW.n = NEW.n + SLEEP(5)`);
    const connection = db.connect({ config: { statementSeconds: 1 } });
    const entity = await entityNamed(connection, "thing");
    const written = connection.write?.({ entity, operations: [update("1", { n: 1 })] });
    expect(await failure(Promise.resolve(written))).toMatchObject({ kind: "timeout", neverSent: true });
    expect(await db.sql("SELECT n FROM thing WHERE id = 1")).toEqual([{ n: 0 }]);
  });
});
