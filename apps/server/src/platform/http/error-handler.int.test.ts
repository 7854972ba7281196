/** Whatever goes wrong, the answer has our form and headers, and says nothing of the inside. */
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../config.ts";
import { makeLog } from "../log/log.ts";
import { makeHttpServer } from "./http-server.ts";

const HEADERS = ["x-content-type-options", "x-frame-options", "content-security-policy", "cache-control"];
let app: FastifyInstance;
let port = 0;

beforeAll(async () => {
  const log = makeLog({ logLevel: "silent" });
  app = await makeHttpServer({ config: readConfig({}), log, newId: () => "0".repeat(24) as never });
  app.get("/api/one/:name", async () => ({ fine: true }));
  app.post("/api/one", async () => ({ fine: true }));
  app.get("/api/unreadable", async () => {
    // An error that can't even be looked at.
    throw new Proxy(new Error("secret"), {
      get: () => {
        throw new Error("secret inside");
      },
    });
  });
  app.get("/api/unforeseen", async () => {
    throw new Error("secret");
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

test.each(["/api/unreadable", "/api/unforeseen"])("%s is answered without what was thrown", async (url) => {
  const answer = await app.inject({ url });
  expect(answer.statusCode).toBe(500);
  expect(answer.json()).toMatchObject({ code: "internal_error", requestId: "0".repeat(24) });
  expect(answer.body).not.toContain("secret");
  expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(HEADERS));
});

test.each([
  ["half a character", "/api/one/%ED%A0%80"],
  ["a broken escape", "/api/one/%zz"],
  ["a name that is too long", `/api/one/${"x".repeat(300)}`],
  ["a broken escape outside of the API", "/%ff?a=1"],
])("an address with %s is not found, in our form", async (_, url) => {
  const answer = await app.inject({ url });
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ code: "not_found", status: 404, message: "Address not found" });
  expect(answer.body).not.toContain(url.split("/").at(-1));
  expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(HEADERS));
});

test.each(["gzip", "br", "deflate", "zstd", "GZIP", "gzip, br", "x-unknown", ""])(
  "a body that comes packed as %j is refused unread",
  async (encoding) => {
    const answer = await app.inject({
      method: "POST",
      url: "/api/one",
      headers: { "content-encoding": encoding, "content-type": "application/json" },
      payload: Buffer.alloc(200_000, 7),
    });
    expect(answer.json()).toMatchObject({ code: "unsupported_media_type", status: 415 });
  },
);

test("a body that says it is not packed is read", async () => {
  const headers = { "content-encoding": "identity", "content-type": "application/json" };
  expect((await app.inject({ method: "POST", url: "/api/one", headers, payload: "{}" })).statusCode).toBe(200);
});

test.each([
  ["no HTTP at all", "\x16\x03\x01 hello\r\n\r\n", 400],
  ["headers without end", `GET /api/one HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(40_000)}\r\n\r\n`, 431],
  ["two lengths", "POST /api/one HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab", 400],
])("%s is answered in our form, and the connection closed", async (_, sent, status) => {
  const socket = connect(port, "127.0.0.1", () => socket.write(sent));
  let text = "";
  socket.on("data", (part: Buffer) => (text += part.toString()));
  socket.on("error", () => {});
  await once(socket, "close");
  const [head = "", body = ""] = text.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  for (const name of HEADERS) expect(head).toContain(name);
  expect(JSON.parse(body)).toMatchObject({ code: "malformed_body", status });
});
