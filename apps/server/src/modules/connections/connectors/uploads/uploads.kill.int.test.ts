/** A server that is killed while a file arrives, and a connection that breaks within a piece: another server goes on where it was. */
import { API_PREFIX, CSRF } from "@accord/contracts";
import {
  FILE_PIECE_BYTES,
  listConnectorFiles,
  previewConnectorFile,
} from "@accord/contracts/connections/connector-files";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testApp } from "../../../../../test-kit/index.ts";
import { ServerProcesses } from "../../../../../test-kit/server-processes.ts";
import { beginUpload, makeUploadsConnector, sendPieces } from "../../../../../test-kit/systems/uploads.ts";
import { sessionCookieName } from "../../../../platform/http/request/session-cookie.ts";

const ROWS = 40_000;
const bytes = Buffer.from(`id,n\n${Array.from({ length: ROWS }, (_, at) => `${at},${"x".repeat(90)}\n`).join("")}`);
const BOUNDARY = "----piece";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A multipart body with one piece. */
const bodyOf = (piece: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="piece"; filename="piece"\r\ncontent-type: application/octet-stream\r\n\r\n`,
    ),
    piece,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);

test(
  "what had arrived before a kill and a broken connection is kept, and nothing of a piece that was cut",
  { timeout: 120_000 },
  async () => {
    const masterKey = randomBytes(32);
    const folder = mkdtempSync(join(tmpdir(), "accord-uploads-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "key"), `test:${masterKey.toString("base64")}\n`, { mode: 0o600 });
    const t = await testApp({ masterKey, realTime: true });
    const port = await freePort();
    const servers = new ServerProcesses({
      appUrl: String(t.deps.appPool.options.connectionString),
      dataUrl: String(t.deps.dataPool.options.connectionString),
      settings: { PORT: String(port), ACCORD_URL: t.deps.config.baseUrl, ACCORD_MASTER_KEY_FILE: join(folder, "key") },
    });
    onTestFinished(() => servers.killAll());
    const person = await t.asUser(await t.build.user({ roles: ["SYNC_MANAGER"] }));
    const { id: connectorId } = await makeUploadsConnector(person, "Uploads");
    const file = await beginUpload(person, connectorId, { name: "rows.csv", size: bytes.length });
    const received = async () =>
      (await person.call(listConnectorFiles, { params: { connectorId } })).files[0]?.received;

    /** To the other server; after `cutAt` bytes the connection is broken. Answers the status, null without an answer. */
    const send = (number: number, cutAt = Number.POSITIVE_INFINITY): Promise<number | null> =>
      new Promise((resolve) => {
        const body = bodyOf(bytes.subarray(number * FILE_PIECE_BYTES, (number + 1) * FILE_PIECE_BYTES));
        const sending = httpRequest({
          ...{
            host: "127.0.0.1",
            port,
            method: "PUT",
            path: `${API_PREFIX}/connectors/${connectorId}/files/${file.id}/pieces/${number}`,
          },
          headers: {
            host: new URL(t.deps.config.baseUrl).host,
            cookie: `${sessionCookieName(t.deps.config.baseUrl)}=${person.token}`,
            [CSRF.header]: t.forgery.token(person.sessionId),
            "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
            "content-length": body.length,
          },
        });
        sending.on("response", (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? null);
        });
        sending.on("error", () => resolve(null));
        if (cutAt > body.length) sending.end(body);
        else sending.write(body.subarray(0, cutAt), () => sending.destroy());
      });

    const server = servers.start("web");
    await server.ready;
    expect(await send(0)).toBe(200);
    expect(await send(1, 400_000)).toBeNull();
    expect(await received()).toBe(FILE_PIECE_BYTES);
    expect(await send(1)).toBe(200);
    // Killed with a piece on its way: it is there as a whole, or not at all.
    const last = send(2);
    await servers.kill(server);
    await last;
    const kept = await received();
    expect([2 * FILE_PIECE_BYTES, 3 * FILE_PIECE_BYTES]).toContain(kept);
    const again = await beginUpload(person, connectorId, { name: "rows.csv", size: bytes.length });
    expect([again.id, again.received]).toEqual([file.id, kept]);
    await sendPieces(person, connectorId, again, bytes);
    const params = { connectorId, fileId: file.id };
    const { tables } = await person.call(previewConnectorFile, { params, body: {} });
    expect(tables[0]).toMatchObject({ rowCount: ROWS, isComplete: true, unreadable: { count: 0 } });
  },
);
