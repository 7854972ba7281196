/** Leave to send is asked for when a request is written, however long it waited for its connection. */
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ClosableOutbound, outbound } from "./guard.ts";

let server: Server;
let out: ClosableOutbound;
let received: string[] = [];
const sockets = new Set<Socket>();
const url = (path = "/"): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

beforeAll(async () => {
  server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    if (request.url === "/moved") response.writeHead(307, { location: "/" }).end();
    else response.end("done");
  });
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  out = outbound({ allow: ["127.0.0.1"] });
});
afterAll(async () => {
  await out.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

class GoneError extends Error {}
const gone = (): never => {
  throw new GoneError("no leave");
};

test("a request without leave sends nothing and fails with what was said", async () => {
  received = [];
  await expect(out.guardedFetch(url(), { method: "POST", body: "{}", beforeSend: gone })).rejects.toThrow(GoneError);
  expect(received).toEqual([]);
  // The way out is as good as before.
  const reply = await out.guardedFetch(url(), { method: "POST", body: "{}", beforeSend: () => {} });
  expect(new TextDecoder().decode(reply.body)).toBe("done");
  expect(received).toEqual(["POST /"]);
});

test("leave that ends while the connection is being made is gone when the request would be written", async () => {
  received = [];
  const fresh = outbound({ allow: ["127.0.0.1"] });
  let mayStill = true;
  const call = fresh.guardedFetch(url(), { method: "POST", body: "{}", beforeSend: () => mayStill || gone() });
  // The connection can't stand before this turn is over.
  mayStill = false;
  await expect(call).rejects.toThrow(GoneError);
  expect(received).toEqual([]);
  await fresh.close();
});

test("each redirect needs leave of its own", async () => {
  received = [];
  let asked = 0;
  const once = (): void => {
    asked += 1;
    if (asked > 1) gone();
  };
  await expect(out.guardedFetch(url("/moved"), { method: "POST", body: "{}", beforeSend: once })).rejects.toThrow(
    GoneError,
  );
  expect(received).toEqual(["POST /moved"]);
});
