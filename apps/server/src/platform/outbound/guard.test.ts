/** T14: whatever an address is spelled like, whatever a name resolves to, wherever it redirects: nothing inside is reached. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outbound, type ClosableOutbound, type Lookup } from "./guard.ts";

/** Every spelling of an inside address that has fooled somebody; `{p}` is the port of a server that really listens. */
const INSIDE = `
  127.0.0.1 127.1 127.0.1 127.127.127.127 2130706433 0x7f000001 017700000001 0177.0.0.1 0x7f.0.0.1 0x7f.1
  127.0.0.1. 0 0.0.0.0 00000000 0x0 localhost LOCALHOST localhost. [::1] [0:0:0:0:0:0:0:1] [::]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::127.0.0.1] [64:ff9b::7f00:1]
  [64:ff9b::127.0.0.1] [2002:7f00:1::] [2001:0:7f00:1::] [fe80::1] [fc00::1] [fec0::1] [64:ff9b:1::7f00:1]
  [::a00:1] [fd12:3456:789a::1] [ff02::1] [::ffff:10.0.0.1] [::ffff:169.254.169.254] [::ffff:a9fe:a9fe]
  10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255 169.254.169.254
  169.254.170.2 100.64.0.1 100.100.100.200 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1
  224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16 2852039166 0xa9fea9fe
  0251.0376.0251.0376 0xA9.0xFE.0xA9.0xFE 10.1 0x0a000001 167772161 192.168.1 ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1
  %31%32%37.0.0.1 loc%61lhost ⓛocalhost
`
  .trim()
  .split(/\s+/)
  .map((host) => `http://${host}:{p}/`);

const NOT_CALLABLE = [
  "file:///etc/passwd",
  "ftp://example.com/",
  "gopher://127.0.0.1:6379/_INFO",
  "data:text/plain,hello",
  "javascript:alert(1)",
  "unix:/var/run/docker.sock:/info",
  "http+unix://%2Fvar%2Frun%2Fdocker.sock/info",
  "ws://127.0.0.1/",
  "//127.0.0.1/",
  "127.0.0.1",
  "",
  "http://",
  "http://user:secret@example.com/",
  "http://example.com@127.0.0.1/",
  "http:///127.0.0.1/",
  "http://exa mple.com/",
  "http://[::1",
  "http://256.256.256.256/",
];

let server: Server;
let port: number;
let reached: { url: string; headers: IncomingMessage["headers"]; body: string }[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end("inside");
const opened: ClosableOutbound[] = [];
const make = (options: Parameters<typeof outbound>[0]) => {
  const made = outbound(options);
  opened.push(made);
  return made;
};

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    reached.push({ url: request.url ?? "", headers: request.headers, body });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A name server with scripted answers, one more each time a name is asked. */
const names = (table: Record<string, string[]>): Lookup =>
  ((name: string, options: { all?: boolean }, done: (...answer: unknown[]) => void) => {
    const answers = table[name] ?? [];
    const address = answers.length > 1 ? answers.shift() : answers[0];
    if (!address) return done(Object.assign(new Error("no such host"), { code: "ENOTFOUND" }));
    const found = address.split(",").map((one) => ({ address: one, family: one.includes(":") ? 6 : 4 }));
    if (options.all) done(null, found);
    else done(null, found[0]?.address, found[0]?.family);
  }) as Lookup;

describe("[T14] the way out", () => {
  test("the corpus is large enough to mean something", () =>
    expect(INSIDE.length + NOT_CALLABLE.length).toBeGreaterThanOrEqual(80));

  test.each(INSIDE)("refuses %s", async (template) => {
    reached = [];
    const guard = make({ allow: [] });
    const call = guard.guardedFetch(template.replace("{p}", String(port)), { timeoutMs: 3_000 });
    const error = await call.then(
      () => null,
      (thrown: { name: string; reason: string }) => thrown,
    );
    expect(error?.name).toBe("OutboundError");
    expect(["refused", "bad_url", "not_found"]).toContain(error?.reason);
    expect(reached).toEqual([]);
  });

  test.each(NOT_CALLABLE)("refuses %s before anything is resolved", async (address) => {
    const asked: string[] = [];
    const lookup = ((name: string) => void asked.push(name)) as unknown as Lookup;
    const guard = make({ allow: [], lookup });
    await expect(guard.guardedFetch(address)).rejects.toMatchObject({
      reason: expect.stringMatching(/bad_url|refused/),
    });
    expect(asked).toEqual([]);
  });

  test("refuses a public name that leads inside, also when only one of its addresses does", async () => {
    const lookup = names({
      "inside.example": ["127.0.0.1"],
      "mixed.example": ["93.184.216.34,10.0.0.7"],
      "v6.example": ["::ffff:127.0.0.1"],
    });
    const guard = make({ allow: [], lookup });
    for (const name of ["inside.example", "mixed.example", "v6.example"]) {
      await expect(guard.guardedFetch(`http://${name}:${port}/`)).rejects.toMatchObject({ reason: "refused" });
      await expect(guard.resolveHost(name, port)).rejects.toMatchObject({ reason: "refused" });
    }
  });

  test("a name that changes its answer between check and connection gains nothing", async () => {
    reached = [];
    const lookup = names({ "rebind.example": ["93.184.216.34", "127.0.0.1"] });
    const guard = make({ allow: [], lookup });
    await guard.resolveHost("rebind.example", port);
    await expect(guard.guardedFetch(`http://rebind.example:${port}/`, { timeoutMs: 2_000 })).rejects.toMatchObject({
      reason: "refused",
    });
    expect(reached).toEqual([]);
  });

  test("an address is checked again after connecting, whatever the resolver said", async () => {
    reached = [];
    // Says one thing and, through the family trick of a careless resolver, connects to another.
    const lying = ((_name: string, _options: object, done: (...answer: unknown[]) => void) =>
      done(null, [
        {
          get address() {
            return this.times++ === 0 ? "93.184.216.34" : "127.0.0.1";
          },
          times: 0,
          family: 4,
        },
      ])) as unknown as Lookup;
    const guard = make({ allow: [], lookup: lying });
    await expect(guard.guardedFetch(`http://lying.example:${port}/`, { timeoutMs: 2_000 })).rejects.toMatchObject({
      reason: "refused",
    });
    expect(reached).toEqual([]);
  });

  test("what the operator allows is reached: by host and port, by host, by range", async () => {
    answer = (_, response) => response.end("inside");
    for (const allow of [`127.0.0.1:${port}`, "127.0.0.1", "127.0.0.0/8"]) {
      const reply = await make({ allow: [allow] }).guardedFetch(`http://127.0.0.1:${port}/x`);
      expect(Buffer.from(reply.body).toString()).toBe("inside");
    }
    const named = make({ allow: [`crm.internal:${port}`], lookup: names({ "crm.internal": ["127.0.0.1"] }) });
    expect((await named.guardedFetch(`http://crm.internal:${port}/`)).status).toBe(200);
    expect(await named.resolveHost("crm.internal", port)).toEqual({ address: "127.0.0.1", family: 4 });
    await expect(named.guardedFetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ reason: "refused" });
    await expect(make({ allow: ["127.0.0.1:1"] }).guardedFetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      reason: "refused",
    });
    const later = make({ allow: [] });
    later.allow(`127.0.0.1:${port}`);
    expect((await later.guardedFetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  });
});

/** Control addresses of clouds and link-local ones, as they are and as IPv6 translates and tunnels them. */
const CONTROL = `
  169.254.169.254 169.254.170.2 169.254.170.23 169.254.0.23 169.254.1.1 100.100.100.200 192.0.0.192 168.63.129.16
  fd00:ec2::254 fd00:ec2::23 fd20:ce::254 fe80::1 ::ffff:169.254.169.254 ::169.254.169.254 ::ffff:0:169.254.169.254
  64:ff9b::169.254.169.254 64:ff9b:1::169.254.169.254 64:ff9b:1:a9fe:a9:fe00:: 64:ff9b:1:7:a9:fea9:fe00::
  64:ff9b:1::100.100.100.200 64:ff9b::a83f:8110 fd00:64::169.254.169.254 2002:a9fe:a9fe::1
  2001:0:4136:e378:8000:63bf:5601:5601 2001:0:a9fe:a9fe:: fd00::5efe:169.254.169.254
`
  .trim()
  .split(/\s+/);

describe("[T14] names and ranges that the operator allowed", () => {
  test.each(CONTROL)("lead by no name to %s", async (address) => {
    const guard = make({ allow: ["crm.internal"], lookup: names({ "crm.internal": [address] }) });
    await expect(guard.guardedFetch("http://crm.internal/", { timeoutMs: 2_000 })).rejects.toMatchObject({
      reason: "refused",
    });
    await expect(guard.resolveHost("crm.internal", 5432)).rejects.toMatchObject({ reason: "refused" });
  });

  test("lead to no control address when one comes after a good answer, or beside one", async () => {
    const lookup = names({
      "db.internal": ["10.0.0.7", "169.254.169.254"],
      "mixed.internal": ["10.0.0.7,fd00:ec2::254"],
    });
    const guard = make({ allow: ["db.internal", "mixed.internal"], lookup });
    expect(await guard.resolveHost("db.internal", 5432)).toEqual({ address: "10.0.0.7", family: 4 });
    await expect(guard.guardedFetch("http://db.internal/", { timeoutMs: 2_000 })).rejects.toMatchObject({
      reason: "refused",
    });
    await expect(guard.resolveHost("mixed.internal", 5432)).rejects.toMatchObject({ reason: "refused" });
  });

  test("a control address is allowed by writing it out, link-local ones by range too", async () => {
    const refused = { reason: "refused" };
    const everything = make({ allow: ["0.0.0.0/0", "::/0"] });
    for (const address of ["169.254.169.254", "fd00:ec2::254", "100.100.100.200"])
      await expect(everything.resolveHost(address, 80)).rejects.toMatchObject(refused);
    expect(await everything.resolveHost("169.254.1.1", 80)).toMatchObject({ address: "169.254.1.1" });
    const written = make({ allow: ["169.254.169.254:80"] });
    expect(await written.resolveHost("169.254.169.254", 80)).toMatchObject({ address: "169.254.169.254" });
    await expect(written.resolveHost("169.254.169.254", 81)).rejects.toMatchObject(refused);
  });
});

describe("[T14] redirects", () => {
  const redirect = (location: (hop: number) => string, status = 302) => {
    let hop = 0;
    answer = (_, response) => response.writeHead(status, { location: location(hop++) }).end();
  };

  test("each target is checked anew", async () => {
    const guard = make({
      allow: [`a.example:${port}`],
      lookup: names({ "a.example": ["127.0.0.1"], "b.example": ["127.0.0.1"] }),
    });
    for (const target of [
      `http://b.example:${port}/`,
      `http://127.0.0.1:${port}/`,
      "http://169.254.169.254/",
      "file:///etc/passwd",
      `//b.example:${port}/`,
    ]) {
      reached = [];
      redirect(() => target);
      await expect(guard.guardedFetch(`http://a.example:${port}/`)).rejects.toMatchObject({
        reason: expect.stringMatching(/refused|bad_url/),
      });
      expect(reached.length).toBe(1);
    }
  });

  test("at most three are followed", async () => {
    reached = [];
    redirect((hop) => `/${hop}`);
    const guard = make({ allow: [`127.0.0.1:${port}`] });
    await expect(guard.guardedFetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      reason: "too_many_redirects",
    });
    expect(reached.length).toBe(4);
  });

  /** Redirects its first answer to another origin; `reached` tells what came where. */
  const toOther = (status: number) => {
    reached = [];
    answer = (request, response) =>
      request.url === "/"
        ? response.writeHead(status, { location: `http://b.example:${port}/next` }).end()
        : response.end("there");
    const lookup = names({ "a.example": ["127.0.0.1"], "b.example": ["127.0.0.1"] });
    return make({ allow: ["a.example", "b.example"], lookup });
  };
  const from = () => `http://a.example:${port}/`;

  test.each([
    ...["authorization", "cookie", "x-api-key", "api-key", "x-auth-token", "x-access-token", "x-session-id"],
    ...["x-password", "x-credential", "x-signature", "x-user", "pat", "x-tenant"],
  ])("a request with the header %s goes to no other origin, and both are named", async (name) => {
    const guard = toOther(302);
    const failure = await guard.guardedFetch(from(), { headers: { [name]: "s3cret" } }).catch((error) => error);
    expect(failure).toMatchObject({ reason: "redirect_refused" });
    for (const part of [`http://a.example:${port}`, `http://b.example:${port}`, "enter"])
      expect(failure.message).toContain(part);
    expect(reached.map(({ url }) => url)).toEqual(["/"]);
  });

  test("a name that is known to be harmless holds credentials when the caller says so", async () => {
    const guard = toOther(302);
    const init = { headers: { "User-Agent": "s3cret" }, secretHeaders: ["user-agent"] };
    await expect(guard.guardedFetch(from(), init)).rejects.toMatchObject({ reason: "redirect_refused" });
  });

  test.each([301, 302, 303, 307, 308])("a body goes to no other origin by a %i", async (status) => {
    const guard = toOther(status);
    const init = { method: "POST", headers: { accept: "text/plain" }, body: "client_secret=s3cret" };
    await expect(guard.guardedFetch(from(), init)).rejects.toMatchObject({ reason: "redirect_refused" });
    expect(reached.length).toBe(1);
  });

  test("another scheme or port of the same host is another origin; the same origin gets all", async () => {
    const lookup = names({ "a.example": ["127.0.0.1"] });
    const guard = make({ allow: ["a.example"], lookup });
    const init = { headers: { "x-api-key": "s3cret" } };
    for (const target of [`https://a.example:${port}/`, `http://a.example:${port + 1}/`]) {
      redirect(() => target);
      await expect(guard.guardedFetch(from(), init)).rejects.toMatchObject({ reason: "redirect_refused" });
    }
    reached = [];
    answer = (request, response) =>
      request.url === "/" ? response.writeHead(307, { location: "/next" }).end() : response.end("there");
    await guard.guardedFetch(from(), { ...init, method: "POST", body: "data" });
    expect(reached[1]).toMatchObject({ url: "/next", body: "data", headers: { "x-api-key": "s3cret" } });
  });

  test("without credentials and body it is followed, with nothing but what it accepts", async () => {
    const guard = toOther(302);
    await guard.guardedFetch(from(), { headers: { Accept: "text/plain", "User-Agent": "me", Prefer: "x" } });
    expect(reached[1]).toMatchObject({ url: "/next", headers: { accept: "text/plain" } });
    expect(reached.map(({ headers }) => headers["user-agent"])).toEqual(["me", "Accord"]);
    expect(Object.keys(reached[1]?.headers ?? {})).not.toEqual(expect.arrayContaining(["prefer"]));
  });
});

describe("limits", () => {
  test("an answer that is too large or too slow is cut off", async () => {
    const guard = make({ allow: [`127.0.0.1:${port}`] });
    answer = (_, response) => response.end("x".repeat(5_000));
    await expect(guard.guardedFetch(`http://127.0.0.1:${port}/`, { maxBytes: 4_999 })).rejects.toMatchObject({
      reason: "too_big",
    });
    answer = () => {};
    await expect(guard.guardedFetch(`http://127.0.0.1:${port}/`, { timeoutMs: 150 })).rejects.toMatchObject({
      reason: "timeout",
    });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    await expect(guard.guardedFetch(`http://127.0.0.1:${port}/`, { signal: stop.signal })).rejects.toMatchObject({
      reason: "aborted",
    });
  });

  test("nobody there is told as a failed connection, an unknown name as not found", async () => {
    const guard = make({ allow: ["127.0.0.1:1"], lookup: names({}) });
    await expect(guard.guardedFetch("http://127.0.0.1:1/")).rejects.toMatchObject({ reason: "connection" });
    await expect(guard.guardedFetch("http://nowhere.example/")).rejects.toMatchObject({ reason: "not_found" });
  });
});
