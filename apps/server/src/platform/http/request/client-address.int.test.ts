/** Whose address counts: limits by address hold directly, behind proxies that append, and against invented headers. */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { signIn } from "@accord/contracts/identity/sign-in";
import { afterAll, expect, test } from "vitest";
import { requestFor } from "../../../../test-kit/caller.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { makeLog } from "../../log/log.ts";
import { clientAddress, networkOf, trustedHops } from "./client-address.ts";

const TRIES = 130;
/** `LIMITS.address` of signing in. */
const LIMIT = 100;

const closing: (() => void)[] = [];
afterAll(() => closing.forEach((close) => close()));

/** A reverse proxy as most are: it appends the address that it sees, and forwards everything else. */
async function appendingProxy(target: string, seen = "198.51.100.7"): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const sent = incoming.headers["x-forwarded-for"];
    const { host } = new URL(target);
    const headers = {
      ...incoming.headers,
      host,
      "x-forwarded-for": sent === undefined ? seen : `${String(sent)}, ${seen}`,
    };
    const forwarded = request(`${target}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** How many of many guesses at many accounts are looked at, each from an address of its own, as its header says. */
async function evaluated(t: TestApp, address: string, forwardedFor: (index: number) => string): Promise<number> {
  const token = t.forgery.token(null);
  let count = 0;
  for (let index = 0; index < TRIES; index++) {
    const body = { username: `nobody${index}@example.com`, password: "some long guess" };
    const { url, payload, headers } = requestFor(signIn, { body });
    const answer = await fetch(`${address}${url}`, {
      method: "POST",
      body: String(payload),
      headers: {
        ...(headers as Record<string, string>),
        cookie: `accord_csrf=${token}`,
        "x-csrf-token": token,
        "x-forwarded-for": forwardedFor(index),
      },
    });
    if (answer.status === 401) count++;
  }
  return count;
}

const rotating = (index: number) => `203.0.113.${index % 250}`;

test("without a trusted proxy the header counts for nothing", async () => {
  const t = await testApp({ listen: true });
  expect(await evaluated(t, t.address, rotating)).toBe(LIMIT);
});

test("behind one proxy that appends, what the caller wrote before counts for nothing", async () => {
  const t = await testApp({ listen: true, config: { trustProxy: 1 } });
  expect(await evaluated(t, await appendingProxy(t.address), rotating)).toBe(LIMIT);
});

test("behind two proxies, one of them named by range and one by address, likewise", async () => {
  const trustProxy = ["127.0.0.0/8", "198.51.100.7"];
  const t = await testApp({ listen: true, config: { trustProxy } });
  const inner = await appendingProxy(t.address);
  const outer = await appendingProxy(inner, "192.0.2.99");
  expect(await evaluated(t, outer, rotating)).toBe(LIMIT);
});

test("a proxy that is not in the list is not believed", async () => {
  const t = await testApp({ listen: true, config: { trustProxy: ["10.0.0.0/8"] } });
  expect(await evaluated(t, t.address, rotating)).toBe(LIMIT);
});

test("people behind a trusted proxy have a count each, whatever way their address is written", async () => {
  const t = await testApp({ config: { trustProxy: 1 } });
  const login = (name: string, forwardedFor: string) =>
    t.anonymous.send(
      signIn,
      { body: { username: name, password: "some long guess" } },
      { "x-forwarded-for": forwardedFor },
    );
  const spellings = ["203.0.113.9", "203.0.113.9:4711", "::ffff:203.0.113.9", "[::ffff:203.0.113.9]:4711"];
  for (let index = 0; index < LIMIT; index++) await login(`a${index}@example.com`, spellings[index % 4] ?? "");
  for (const spelling of spellings) expect((await login("b@example.com", spelling)).status).toBe(429);
  expect((await login("c@example.com", "203.0.113.10")).status).toBe(401);
});

test("the addresses of one IPv6 network are one client", async () => {
  const t = await testApp({ config: { trustProxy: 1 } });
  const login = (index: number, forwardedFor: string) =>
    t.anonymous.send(
      signIn,
      { body: { username: `n${index}@example.com`, password: "some long guess" } },
      { "x-forwarded-for": forwardedFor },
    );
  for (let index = 0; index < LIMIT; index++) await login(index, `2001:db8:1:2::${index.toString(16)}`);
  expect((await login(LIMIT, "2001:db8:1:2:ffff::1")).status).toBe(429);
  expect((await login(LIMIT + 1, "2001:db8:1:3::1")).status).toBe(401);
});

test("the log says once that somebody forwards who is not trusted", async () => {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(...String(chunk).trim().split("\n"));
      done();
    },
  });
  const warnings = () => lines.filter((line) => line.includes("ACCORD_TRUST_PROXY"));
  const t = await testApp({ log: makeLog({ logLevel: "warn", destination }) });
  await t.anonymous.raw({ url: "/api/v1/authenticate" });
  expect(warnings()).toEqual([]);
  for (let times = 0; times < 3; times++)
    await t.anonymous.raw({ url: "/api/v1/authenticate", headers: { "x-forwarded-for": "203.0.113.9" } });
  expect(warnings()).toHaveLength(1);
  const trusting = await testApp({
    config: { trustProxy: ["127.0.0.1"] },
    log: makeLog({ logLevel: "warn", destination }),
  });
  await trusting.anonymous.raw({ url: "/api/v1/authenticate", headers: { "x-forwarded-for": "203.0.113.9" } });
  expect(warnings()).toHaveLength(1);
});

test("what is no address falls back to that of the connection", () => {
  const from = (ip: string) => clientAddress({ ip, raw: { socket: { remoteAddress: "::ffff:192.0.2.1" } } } as never);
  expect(["unknown", "", "203.0.113.9, 1.2.3.4", "_hidden", "1.2.3", "12345"].map(from)).toEqual(
    Array.from({ length: 6 }, () => "192.0.2.1"),
  );
  expect(from("2001:DB8::0:1%eth0")).toBe("2001:db8::1");
  expect([networkOf("2001:db8::1"), networkOf("192.0.2.1"), networkOf("unknown")]).toEqual([
    "2001:db8::/64",
    "192.0.2.1",
    "unknown",
  ]);
  const trusted = trustedHops(["10.0.0.0/8", "fd00::/8"]);
  expect(["10.9.9.9", "::ffff:10.0.0.1", "fd12::1", "11.0.0.1", "unknown"].map((one) => trusted(one, 0))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
