/** A real server that counts calls and refuses some: what it asks for is kept, by everybody who shares the credential. */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpReply, HttpRequest } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../../../test-kit/database/database.ts";
import { systemClock } from "../../../../platform/clock.ts";
import { makeLog } from "../../../../platform/log/log.ts";
import { makeSecrets } from "../../../../platform/secrets/envelope.ts";
import { type WaitPolicy, rateLimits } from "./rate-limits.ts";

interface Reply {
  status: number;
  headers?: Record<string, string>;
}

let database: TestDatabase;
let server: Server;
let url: string;
let replies: ((path: string) => Reply)[] = [];
let arrivals: { path: string; at: number }[] = [];
/** A key for each test: budgets outlive the guard that learned them. */
let apiKey = 0;
const secrets = makeSecrets([{ id: "test", key: randomBytes(32) }]);

beforeAll(async () => {
  database = await testDatabase();
  server = createServer((request: IncomingMessage, response) => {
    const path = request.url ?? "";
    arrivals.push({ path, at: performance.now() });
    const { status, headers } = replies.shift()?.(path) ?? { status: 200 };
    response.writeHead(status, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  replies = [];
  arrivals = [];
  apiKey += 1;
});
afterEach(() => server.closeIdleConnections());
afterAll(async () => {
  server.close();
  await database.drop();
});

const send = async ({ method, url: address, headers }: HttpRequest): Promise<HttpReply> => {
  const answer = await fetch(address, { method, headers });
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: new Uint8Array(await answer.arrayBuffer()),
  };
};

/** A process of its own: what it is told reaches others only by the database. */
function someProcess(patience: Partial<WaitPolicy> = {}, isPatient = true) {
  const limits = rateLimits({
    clock: systemClock,
    dataPool: database.data.pool,
    log: makeLog({ logLevel: "error" }),
    secrets,
  });
  const guarded = limits.guard(
    {
      at: "0123456789abcdef01234567" as Id<"instance">,
      credentials: { apiKey: `key-${apiKey}` },
      signal: new AbortController().signal,
      patience: isPatient
        ? { traffic: "live", onWait: () => {}, giveUp: new AbortController().signal, ...patience }
        : undefined,
    },
    send,
  );
  return {
    limits,
    call: (path = "/", method = "GET") => guarded({ method, url: url + path, headers: {}, timeoutMs: 10_000 }),
  };
}

const refuse = (retryAfter: string) => (): Reply => ({ status: 429, headers: { "retry-after": retryAfter } });

describe("[F3] a system that asks for fewer calls", () => {
  test("is called again after the time it gave, whether something was read or written", async () => {
    for (const method of ["GET", "POST"]) {
      arrivals = [];
      replies = [refuse("0.4")];
      const waits: boolean[] = [];
      const reply = await someProcess({ onWait: (isWaiting) => waits.push(isWaiting) }).call("/", method);
      expect(reply.status).toBe(200);
      expect(arrivals).toHaveLength(2);
      expect(arrivals[1]!.at - arrivals[0]!.at).toBeGreaterThan(350);
      expect(waits).toEqual([true, false]);
    }
  });

  test("is left alone by other processes too", async () => {
    replies = [refuse("1")];
    const first = someProcess().call("/one");
    const isShared = async (): Promise<boolean> => {
      const { rows } = await database.data.pool.query("SELECT FROM rate_budget WHERE open_at > now()");
      return rows.length > 0;
    };
    await expect.poll(isShared).toBe(true);
    await Promise.all([first, someProcess().call("/two")]);
    const [refused, ...later] = arrivals;
    expect(later).toHaveLength(2);
    for (const { at } of later) expect(at - refused!.at).toBeGreaterThan(900);
  });

  test("is not called before its budget is new once its headers say that it is used up", async () => {
    replies = [() => ({ status: 200, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" } })];
    const { call } = someProcess();
    await call();
    await call();
    expect(arrivals[1]!.at - arrivals[0]!.at).toBeGreaterThan(900);
  });

  test("is not overdrawn by processes that share its budget, in this window or the next", async () => {
    const limit = 40;
    let used = { since: performance.now(), calls: 0 };
    let refused = 0;
    const counting = (): Reply => {
      const now = performance.now();
      if (now - used.since >= 1_000) used = { since: now, calls: 0 };
      used.calls += 1;
      if (used.calls > limit) refused += 1;
      const headers = {
        "x-ratelimit-limit": String(limit),
        "x-ratelimit-remaining": String(Math.max(0, limit - used.calls)),
        "x-ratelimit-reset": "1",
      };
      return { status: used.calls > limit ? 429 : 200, headers };
    };
    replies = Array.from({ length: 500 }, () => counting);
    const processes = [someProcess(), someProcess(), someProcess()];
    for (const { call } of processes) await call();
    await Promise.all(processes.flatMap(({ call }) => Array.from({ length: 30 }, () => call())));
    expect(arrivals).toHaveLength(3 + 90);
    expect(refused).toBe(0);
  });

  test("hears of live changes before what a resync wants", async () => {
    let isWaiting = false;
    const { call, limits } = someProcess({ onWait: () => (isWaiting = true) });
    const resync = limits.guard(
      {
        at: "0123456789abcdef01234567" as Id<"instance">,
        credentials: { apiKey: `key-${apiKey}` },
        signal: new AbortController().signal,
        patience: { traffic: "resync", onWait: () => {}, giveUp: new AbortController().signal },
      },
      send,
    );
    replies = [refuse("0.5")];
    const first = call("/first");
    await expect.poll(() => isWaiting).toBe(true);
    const history = [1, 2, 3].map((page) =>
      resync({ method: "GET", url: `${url}/resync-${page}`, headers: {}, timeoutMs: 10_000 }),
    );
    const live = call("/live");
    await Promise.all([first, live, ...history]);
    expect(arrivals.map(({ path }) => path).indexOf("/live")).toBeLessThan(3);
    expect(arrivals.at(-1)?.path).toMatch(/^\/resync/);
  });

  test("is not waited for longer than two minutes, nor once the cycle gives up", async () => {
    replies = [refuse("600")];
    const patient = someProcess();
    expect((await patient.call()).status).toBe(429);
    await expect(patient.call()).rejects.toMatchObject({ kind: "rateLimited", neverSent: true });
    expect(arrivals).toHaveLength(1);

    apiKey += 1;
    replies = [refuse("60")];
    const giveUp = new AbortController();
    const waiting = someProcess({ giveUp: giveUp.signal, onWait: (isWaiting) => isWaiting && giveUp.abort() }).call();
    await expect(waiting).rejects.toMatchObject({ kind: "rateLimited", neverSent: true });
  });

  test("keeps nobody waiting who came without patience", async () => {
    replies = [refuse("60")];
    expect((await someProcess({}, false).call()).status).toBe(429);
  });
});
