/** Names that are not ours: a page under one of them, pointed here by a name server, gets nothing and changes nothing. */
import { request } from "node:http";
import { connect } from "node:net";
import { STREAM_PATH } from "@accord/contracts";
import { WEBHOOK_PATH } from "@accord/contracts/connections/webhooks";
import { signIn } from "@accord/contracts/identity/sign-in";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { beforeAll, describe, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { ownHosts } from "./own-hosts.ts";

let t: TestApp;
let port: string;
beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"], listen: true });
  port = new URL(t.address).port;
});

const foreign = () => [
  "evil.example",
  `evil.example:${port}`,
  "evil.example:3000",
  "localhost",
  "localhost:1",
  `localhost.:1`,
  `localhost.evil.example:${port}`,
  `127.0.0.1.evil.example:${port}`,
  `127.0.0.2:${port}`,
  `[::2]:${port}`,
  `0.0.0.0:${port}`,
  `localhost:${port}:80`,
  `evil.example@localhost:${port}`,
  `localhost:${port}/`,
  "",
];

describe("[T13] a foreign name", () => {
  test("is refused for every address there is, in our own form", async () => {
    for (const host of foreign())
      for (const url of [
        "/",
        "/login",
        "/api/v1/authenticate",
        "/api/v1/openapi.json",
        `${WEBHOOK_PATH}/x`,
        "/nothing",
      ]) {
        const answer = await t.anonymous.raw({ url, headers: { host, accept: "text/html" } });
        expect([host, url, answer.status]).toEqual([host, url, 421]);
        expect(answer.body).toMatchObject({ code: "wrong_host", status: 421, message: expect.any(String) });
        expect(answer.headers["x-content-type-options"]).toBe("nosniff");
        expect(answer.headers["set-cookie"]).toBeUndefined();
      }
  });

  test("makes no page ours: writes whose origin equals it are refused, signed in or not", async () => {
    const me = await t.asUser(await t.build.user({ roles: ["VIEWER"] }));
    for (const scheme of ["http", "https"])
      for (const host of foreign()) {
        const headers = { host, origin: `${scheme}://${host}` };
        const body = { username: "x@example.com", password: "some password" };
        expect((await t.anonymous.send(signIn, { body }, headers)).status).toBe(421);
        expect((await me.send(getCurrentUser, {}, headers)).status).toBe(421);
      }
  });

  test("reaches no message stream, by websocket or by polling", async () => {
    const handshake = (transport: string, headers: { host: string; origin?: string }) =>
      new Promise<number | undefined>((resolve, reject) => {
        const path = `${STREAM_PATH}/?EIO=4&transport=${transport}`;
        const upgrade =
          transport === "websocket"
            ? {
                connection: "Upgrade",
                upgrade: "websocket",
                "sec-websocket-version": "13",
                "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
              }
            : {};
        const call = request({ host: "127.0.0.1", port, path, headers: { ...headers, ...upgrade } });
        call.on("response", (answer) => resolve(answer.resume().statusCode));
        call.on("upgrade", (answer, socket) => (socket.destroy(), resolve(answer.statusCode)));
        call.on("error", reject).end();
      });
    for (const [transport, welcome] of [
      ["websocket", 101],
      ["polling", 200],
    ] as const) {
      for (const host of ["evil.example", `evil.example:${port}`])
        for (const headers of [{ host }, { host, origin: `http://${host}` }, { host, origin: "http://localhost:3000" }])
          expect(await handshake(transport, headers)).not.toBe(welcome);
      const host = `localhost:${port}`;
      expect(await handshake(transport, { host, origin: "http://evil.example" })).not.toBe(welcome);
      for (const headers of [{ host }, { host, origin: `http://${host}` }, { host, origin: "http://localhost:3000" }])
        expect(await handshake(transport, headers)).toBe(welcome);
    }
  });

  test("of a request without any is refused as well", async () => {
    const answer = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(Number(port), "127.0.0.1", () =>
        socket.write("GET /api/v1/authenticate HTTP/1.0\r\n\r\n"),
      );
      socket.on("data", (chunk) => (text += String(chunk)));
      socket.on("close", () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
  });

  test("is told the health, and nothing else, for load balancers", async () => {
    for (const host of ["10.0.0.7:3000", "evil.example"]) {
      const answer = await t.anonymous.raw({ url: "/api/v1/health?x=1", headers: { host } });
      expect([answer.status, answer.body]).toEqual([200, { status: "ok" }]);
      for (const url of ["/api/v1/health/", "/api/v1/health/../version", "/api/v1//health", "/api/v1/healthy"])
        expect((await t.anonymous.raw({ url, headers: { host } })).status, url).toBe(421);
      expect((await t.anonymous.raw({ method: "POST", url: "/api/v1/health", headers: { host } })).status).toBe(421);
    }
  });
});

test("our own names are served, however they are written, and their pages are ours", async () => {
  const hosts = [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, "localhost:3000", `LocalHost.:${port}`];
  for (const host of hosts) {
    expect((await t.anonymous.raw({ url: "/api/v1/authenticate", headers: { host } })).status, host).toBe(200);
    const headers = { host, origin: `http://${host}` };
    const body = { username: "x@example.com", password: "some password" };
    expect((await t.anonymous.send(signIn, { body }, headers)).status, host).toBe(401);
    for (const origin of ["http://evil.example", `https://${host}`, "null", `http://localhost:1`])
      expect((await t.anonymous.send(signIn, { body }, { host, origin })).status, origin).toBe(403);
  }
});

describe("which names are ours", () => {
  const of = (config: Partial<Parameters<typeof ownHosts>[0]>, listening: number | null = null) =>
    ownHosts({ baseUrl: "https://accord.example", host: "0.0.0.0", hosts: [], port: 3000, ...config }, () => listening);

  test("the public one, with its port; of this machine only while it listens here alone", () => {
    const open = of({});
    expect(["accord.example", "accord.example:443", "ACCORD.example."].map((host) => open.serves(host))).toEqual([
      true,
      true,
      true,
    ]);
    for (const host of ["accord.example:80", "accord.example:3000", "localhost:3000", "127.0.0.1:3000", undefined])
      expect(open.serves(host), host).toBe(false);
    const closed = of({ host: "127.0.0.1" });
    for (const host of ["localhost:3000", "127.0.0.1:3000", "[::1]:3000"]) expect(closed.serves(host)).toBe(true);
    expect(of({ host: "127.0.0.1" }, 4000).serves("localhost:3000")).toBe(false);
    expect(of({ host: "127.0.0.1" }, 4000).serves("localhost:4000")).toBe(true);
  });

  test("those that the operator names, with any port or with one", () => {
    const hosts = of({ hosts: ["accord.internal", "10.0.0.7:3000", "[fd00::7]:3000"] });
    for (const host of ["accord.internal", "accord.internal:8443", "10.0.0.7:3000", "[fd00::7]:3000"])
      expect(hosts.serves(host), host).toBe(true);
    for (const host of ["10.0.0.7", "x.accord.internal", "[fd00::8]:3000"])
      expect(hosts.serves(host), host).toBe(false);
    expect(hosts.isOwnOrigin("https://accord.internal", "accord.internal")).toBe(true);
    for (const [origin, host] of [
      ["http://accord.internal", "accord.internal"],
      ["https://accord.internal", "accord.example"],
      ["https://10.0.0.7:3000", "accord.internal"],
      ["http://accord.example", "accord.example"],
      ["http://localhost:3000", "accord.example"],
    ] as const)
      expect(hosts.isOwnOrigin(origin, host), origin).toBe(false);
    expect(hosts.isOwnOrigin("https://accord.example", "accord.internal")).toBe(true);
  });
});
