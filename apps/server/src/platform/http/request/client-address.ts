/**
 * The address of the client behind the proxies the operator named. `X-Forwarded-For` is written by everybody on the way,
 * the client first: only the entries that trusted proxies appended count.
 */
import { BlockList, isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import type { Log } from "../../log/log.ts";

/** Which hops of the way may be believed: hop 0 is the connection itself. */
export function trustedHops(trustProxy: number | readonly string[]): (address: string, hop: number) => boolean {
  if (typeof trustProxy === "number") return (_, hop) => hop < trustProxy;
  const proxies = new BlockList();
  for (const entry of trustProxy) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  return (text) => {
    const address = parseAddress(text);
    return address !== null && proxies.check(address.toString(), address.kind());
  };
}

/** One spelling for each address: proxies write `::ffff:203.0.113.7`, `203.0.113.7:49152` and `[2001:db8::1]:443`. */
export function clientAddress(request: FastifyRequest): string {
  const sent = parseAddress(request.ip) ?? parseAddress(request.raw.socket?.remoteAddress ?? "");
  return sent?.toString() ?? "unknown";
}

/**
 * What an attempt is counted under. Whoever has one IPv6 address has the other 2^64 of its network as well, so the
 * network counts.
 */
export function networkOf(text: string): string {
  const address = parseAddress(text);
  if (address?.kind() !== "ipv6") return address?.toString() ?? text;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`;
}

/**
 * Says once that somebody forwards requests whom the settings don't trust: all people behind such a proxy are one client
 * to every limit.
 */
export function warnOfUntrustedProxy(app: FastifyInstance, trustProxy: number | readonly string[], log: Log): void {
  const isTrusted = trustedHops(trustProxy);
  let warned = false;
  app.addHook("onRequest", async (request) => {
    if (warned || request.headers["x-forwarded-for"] === undefined) return;
    if (isTrusted(request.raw.socket?.remoteAddress ?? "", 0)) return;
    warned = true;
    log.warn(
      { setting: "ACCORD_TRUST_PROXY" },
      "a request came with X-Forwarded-For, which is ignored: behind a reverse proxy set ACCORD_TRUST_PROXY, or everybody counts as one client",
    );
  });
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function parseAddress(text: string): Address | null {
  const bare = text.trim().replace(/^\[([^\]]*)\](?::\d+)?$/, "$1");
  const withoutPort = /^\d+(\.\d+){3}:\d+$/.test(bare) ? bare.slice(0, bare.indexOf(":")) : bare;
  return isIP(withoutPort) === 0 ? null : ipaddr.process(withoutPort.replace(/%.*$/, ""));
}
