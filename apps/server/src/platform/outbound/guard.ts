/**
 * The one way out of the server. An address is checked three times: as written, as resolved, and as connected, so that
 * neither an odd spelling, nor a name that changes its answer, nor a redirect leads inside.
 */
import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Agent, buildConnector, errors, request } from "undici";
import { checkBeforeSend, NotSentError } from "./before-send.ts";
import { addressRules, normalHost, type AddressRules } from "./address-rules.ts";
import { OutboundError, type FetchInit, type FetchReply, type Outbound } from "./outbound.ts";

const DEFAULTS = { timeoutMs: 30_000, maxBytes: 10 * 1024 * 1024, maxRedirects: 3 };
const CONNECT_TIMEOUT_MS = 10_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** What calls say they come from where the caller says nothing: some APIs answer nobody who doesn't. */
const PRODUCT = "Accord";
/** All that is sent on to another origin. */
const SENT_ON = new Set(["accept", "content-type"]);
/** Known to hold no credentials. */
const HARMLESS_HEADERS = new Set([
  ...SENT_ON,
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-length",
  "idempotency-key",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-unmodified-since",
  "prefer",
  "range",
  "user-agent",
]);

export type Lookup = typeof systemLookup;

export interface OutboundOptions {
  /** What the operator allowed beyond public addresses. */
  allow: readonly string[];
  /** For tests: a name server with answers of its own. */
  lookup?: Lookup;
}

export interface ClosableOutbound extends Outbound {
  close(): Promise<void>;
}

export function outbound({ allow, lookup = systemLookup }: OutboundOptions): ClosableOutbound {
  const rules = addressRules(allow);
  const connectors = new Map<string, Agent>();

  /** Connections are kept per origin, each under the name and port it was checked for. */
  function agentFor(host: string, port: number): Agent {
    const key = `${host}:${port}`;
    let agent = connectors.get(key);
    if (!agent) {
      const connect = buildConnector({ lookup: guardedLookup(rules, lookup, host, port), timeout: CONNECT_TIMEOUT_MS });
      agent = new Agent({
        connect: (options, done) => {
          connect(options, (error, socket) => {
            if (error || !socket) return done(error ?? new Error("no connection"), null);
            if (!isCheckedSocket(rules, socket, host, port)) {
              socket.destroy();
              return done(refusal(host), null);
            }
            done(null, socket);
          });
        },
        keepAliveTimeout: 10_000,
      });
      connectors.set(key, agent);
      if (connectors.size > 200) void forget(connectors);
    }
    return agent;
  }

  async function once(url: URL, init: FetchInit, signal: AbortSignal) {
    const { host, port } = target(url);
    checkLiteral(rules, host, port);
    refuseOtherHost(url, init.headers);
    const agent = agentFor(host, port);
    return request(url, {
      dispatcher: init.beforeSend ? checkBeforeSend(agent, init.beforeSend) : agent,
      method: (init.method ?? "GET") as never,
      headers: { "user-agent": PRODUCT, ...init.headers },
      body: init.body,
      signal,
    });
  }

  async function guardedFetch(address: string, init: FetchInit = {}): Promise<FetchReply> {
    const limit = { ...DEFAULTS, ...withoutUndefined(init) };
    const timeout = AbortSignal.timeout(limit.timeoutMs);
    const signal = init.signal ? AbortSignal.any([timeout, init.signal]) : timeout;
    let url = parseUrl(address);
    if (!isAmong(url, init.onlyOrigins)) throw new OutboundError("refused", `Calls to ${url.origin} are not allowed.`);
    let current: FetchInit = { ...init, headers: lowerCased(init.headers) };
    try {
      for (let hops = 0; ; hops++) {
        const reply = await once(url, current, signal);
        const location = reply.headers.location;
        if (!REDIRECTS.has(reply.statusCode) || typeof location !== "string") {
          const body = await readBounded(reply.body, limit.maxBytes);
          return { status: reply.statusCode, headers: flat(reply.headers), url: url.href, body };
        }
        await reply.body.dump();
        if (hops >= limit.maxRedirects)
          throw new OutboundError("too_many_redirects", `${url.host} redirects too often.`);
        const next = parseUrl(location, url);
        if (!isAmong(next, init.onlyOrigins)) throw redirectRefusal(url, next);
        const isOther = url.origin !== next.origin;
        if (isOther && (current.body !== undefined || hasCredentials(current))) throw redirectRefusal(url, next);
        current = redirected(current, reply.statusCode, isOther);
        url = next;
      }
    } catch (error) {
      if (error instanceof NotSentError) throw error.cause;
      throw toOutboundError(error, url, { timedOut: timeout.aborted, aborted: init.signal?.aborted ?? false });
    }
  }

  return {
    guardedFetch,
    async resolveHost(host, port) {
      const name = normalHost(host);
      checkLiteral(rules, name, port);
      return new Promise((resolve, reject) => {
        guardedLookup(
          rules,
          lookup,
          name,
          port,
        )(name, { all: true }, (error, addresses) => {
          const first = Array.isArray(addresses) ? addresses[0] : undefined;
          if (error || !first)
            return reject(toOutboundError(error, { host: name }, { timedOut: false, aborted: false }));
          resolve({ address: first.address, family: first.family === 6 ? 6 : 4 });
        });
      });
    },
    allow: (entry) => rules.add(entry),
    async close() {
      await Promise.all([...connectors.values()].map((agent) => agent.destroy()));
      connectors.clear();
    },
  };
}

const isAmong = (url: URL, origins: readonly string[] | undefined): boolean => origins?.includes(url.origin) ?? true;

const refusal = (host: string) => new OutboundError("refused", `The server may not connect to ${host}.`);

function parseUrl(address: string, base?: URL): URL {
  if (!URL.canParse(address, base)) throw new OutboundError("bad_url", "This is not an http or https address.");
  const url = new URL(address, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new OutboundError("bad_url", "Only http and https addresses can be called.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutboundError("bad_url", "An address may not hold a user name or password.");
  }
  return url;
}

function target(url: URL): { host: string; port: number } {
  return { host: normalHost(url.hostname), port: Number(url.port) || (url.protocol === "https:" ? 443 : 80) };
}

/** A literal address never reaches the lookup. */
function checkLiteral(rules: AddressRules, host: string, port: number): void {
  if (isIP(host) && !rules.allows(host, host, port)) throw refusal(host);
}

/** Answers only if every address of the name is fine: one bad address among good ones is an attack, not an accident. */
function guardedLookup(rules: AddressRules, lookup: Lookup, host: string, port: number): LookupFunction {
  return (name, options, done) => {
    lookup(name, { ...options, all: true, verbatim: true }, (error, found) => {
      if (error) return done(error, []);
      if (found.length === 0 || !found.every(({ address }) => rules.allows(address, host, port))) {
        return done(refusal(host), []);
      }
      if (options.all) return done(null, found);
      const first = found[0];
      return first ? done(null, first.address, first.family) : done(refusal(host), []);
    });
  };
}

function isCheckedSocket(rules: AddressRules, socket: Socket, host: string, port: number): boolean {
  return socket.remoteAddress !== undefined && rules.allows(socket.remoteAddress, host, port);
}

function redirected(init: FetchInit, status: number, crossesOrigin: boolean): FetchInit {
  const becomesGet = status === 303 || ((status === 301 || status === 302) && init.method === "POST");
  const dropped = (name: string) =>
    (crossesOrigin && !SENT_ON.has(name)) || (becomesGet && name.startsWith("content-"));
  const headers = Object.fromEntries(Object.entries(init.headers ?? {}).filter(([name]) => !dropped(name)));
  return becomesGet ? { ...init, method: "GET", body: undefined, headers } : { ...init, headers };
}

/** `headers` in lower case. APIs choose names for their keys freely: `x-api-key`, `pat`, `x-signature`, … */
function hasCredentials({ headers = {}, secretHeaders = [] }: FetchInit): boolean {
  const marked = new Set(secretHeaders.map((name) => name.toLowerCase()));
  return Object.keys(headers).some((name) => marked.has(name) || !HARMLESS_HEADERS.has(name));
}

const redirectRefusal = (from: URL, to: URL) =>
  new OutboundError(
    "redirect_refused",
    `${from.origin} redirects to ${to.origin}, where its credentials and data may not be sent. ` +
      `If that is right, enter ${to.origin} as the address, and the credentials again.`,
  );

async function readBounded(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new OutboundError("too_big", `The answer is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toOutboundError(
  thrown: unknown,
  { host }: { host: string },
  { timedOut, aborted }: { timedOut: boolean; aborted: boolean },
): OutboundError {
  if (thrown instanceof OutboundError) return thrown;
  if (aborted) return new OutboundError("aborted", "The call was given up.", thrown);
  if (timedOut || thrown instanceof errors.ConnectTimeoutError || thrown instanceof errors.HeadersTimeoutError) {
    return new OutboundError("timeout", `${host} did not answer in time.`, thrown);
  }
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new OutboundError("not_found", `There is no host ${host}.`, thrown);
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code)) {
    return new OutboundError("certificate", `The certificate of ${host} can't be trusted (${code}).`, thrown);
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new OutboundError("connection", `The connection to ${host} failed: ${reason}`, thrown);
}

/** The certificate is checked against it, and what stands in front of many systems goes by it: secrets would go elsewhere. */
function refuseOtherHost(url: URL, headers: Record<string, string> = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === "host" && value.toLowerCase() !== url.host)
      throw new OutboundError("refused", `The header Host names another system than ${url.host}. Leave it out.`);
  }
}

const lowerCased = (headers: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const flat = (headers: Record<string, string | string[] | undefined>) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );

const withoutUndefined = (init: FetchInit) =>
  Object.fromEntries(Object.entries(init).filter(([, value]) => value !== undefined)) as FetchInit;

/** Lets go of the oldest half: connections in use finish first. */
async function forget(agents: Map<string, Agent>): Promise<void> {
  const oldest = [...agents].slice(0, Math.floor(agents.size / 2));
  for (const [key] of oldest) agents.delete(key);
  await Promise.all(oldest.map(([, agent]) => agent.close()));
}
