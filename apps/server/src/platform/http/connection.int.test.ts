/** What depends on the connection itself: callers who leave in the middle, and how answers are packed. */
import { request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Writable } from "node:stream";
import { API_PREFIX, CSRF } from "@accord/contracts";
import { listEntities } from "@accord/contracts/data/core-schema";
import { beforeAll, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../test-kit/index.ts";
import { makeLog } from "../log/log.ts";
import { sessionCookieName } from "./request/session-cookie.ts";

let t: TestApp;
let port = 0;
let headers: Record<string, string> = {};
const lines: { level: string; msg?: string }[] = [];

beforeAll(async () => {
  const destination = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).trim().split("\n")) lines.push(JSON.parse(line));
      done();
    },
  });
  t = await testApp({ listen: true, log: makeLog({ logLevel: "debug", destination }) });
  const address = t.app.http.server.address() as AddressInfo;
  port = address.port;
  const { baseUrl } = t.deps.config;
  const { token, sessionId } = await t.asUser(await t.build.user({ roles: ["SYNC_MANAGER"] }));
  headers = {
    host: `localhost:${port}`,
    origin: baseUrl,
    cookie: `${sessionCookieName(baseUrl)}=${token}`,
    [CSRF.header]: t.forgery.token(sessionId),
  };
});

/** Sends the beginning of a request and is gone. */
function leaveAfter(text: string): Promise<void> {
  return new Promise((gone) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    // The server answers the head at once: it has it, and waits for the body.
    socket.once("data", () => socket.resetAndDestroy());
    socket.on("close", () => gone());
  });
}

test("whoever leaves before the answer is no failure of the server", async () => {
  const [entity] = (await t.as("SYNC_MANAGER").call(listEntities, {})).entities;
  const path = `${API_PREFIX}/entities/${entity?.id}/records`;
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const begun = (type: string) =>
    `POST ${path} HTTP/1.1\r\n${head.join("")}content-type: ${type}\r\ncontent-length: 5000\r\nexpect: 100-continue\r\n\r\n{"type":`;
  await leaveAfter(`GET ${API_PREFIX}/openapi.json HTTP/1.1\r\n${head.join("")}\r\n`);
  // Who leaves before the body is looked at is not noticed at all: gone again until one is.
  const noticed = async () => {
    await leaveAfter(begun("text/plain"));
    return lines.some(({ msg }) => msg === "the caller left before the answer");
  };
  await expect.poll(noticed).toBe(true);
  expect(lines.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
});

const encodingOf = (more: Record<string, string>): Promise<string | undefined> =>
  new Promise((told, failed) => {
    const path = `${API_PREFIX}${listEntities.path}`;
    request({ port, host: "127.0.0.1", path, headers: { ...headers, "accept-encoding": "gzip", ...more } }, (reply) => {
      reply.resume();
      reply.on("end", () => told(reply.headers["content-encoding"]));
    })
      .on("error", failed)
      .end();
  });

test("answers are compressed for the wire, and only for the wire", async () => {
  expect(await encodingOf({})).toBeUndefined();
  expect(await encodingOf({ "x-forwarded-for": "203.0.113.7" })).toBe("gzip");
  expect(await encodingOf({ via: "1.1 proxy" })).toBe("gzip");
  expect(await encodingOf({ via: "1.1 proxy", "accept-encoding": "identity" })).toBeUndefined();
});
