/** Which addresses the server may connect to: public ones, and what the operator allowed by name or range. */
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { isControlAddress, isLinkLocal } from "./control-addresses.ts";

/** All of public IPv6. What lies beside it (`::127.0.0.1`, site-local, …) is old, local or not given out. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

export interface AddressRules {
  /** Whether a connection to this very address is fine. `host` and `port`: how the caller named it. */
  allows(address: string, host: string, port: number): boolean;
  /** Whether the operator wrote out this host, or a range that holds it as an address. */
  lists(host: string, port: number): boolean;
  /** Allows one more host, `host:port` or range. */
  add(entry: string): void;
}

/**
 * `allow`: hosts (`crm.internal`), hosts with port (`localhost:5433`) and ranges (`10.1.0.0/16`, `fd00::/8`). Names never
 * allow link-local addresses, for whoever answers for the name chooses the address; and control addresses of clouds are
 * allowed only by writing them out.
 */
export function addressRules(allow: readonly string[]): AddressRules {
  const names = new Set<string>();
  const ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  const add = (entry: string): void => {
    if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry));
    else names.add(normalHost(entry));
  };
  for (const entry of allow) add(entry);
  const isNamedHost = (named: string, port: number) =>
    names.has(named) || names.has(`${named}:${port}`) || names.has(`${bracketed(named)}:${port}`);
  const isInRange = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
    ranges.some(([range, bits]) => address.kind() === range.kind() && address.match(range as never, bits));
  return {
    add,
    lists(host, port) {
      const named = normalHost(host);
      return isNamedHost(named, port) || (ipaddr.isValid(named) && isInRange(ipaddr.process(named)));
    },
    allows(text, host, port) {
      if (!ipaddr.isValid(text)) return false;
      const address = ipaddr.process(text);
      if (isPublic(address) && !isOwn(address)) return true;
      const named = normalHost(host);
      const isNamed = isNamedHost(named, port);
      if (isNamed && ipaddr.isValid(named)) return true;
      if (isControlAddress(address)) return false;
      if (isNamed && !isLinkLocal(address)) return true;
      return isInRange(address);
    },
  };
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== "unicast" || isControlAddress(address)) return false;
  return address.kind() === "ipv4" || address.match(GLOBAL_IPV6 as never);
}

/** This machine's own public address leads to services that trust it. */
function isOwn(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const text = address.toString();
  return Object.values(networkInterfaces()).some((cards) => cards?.some((card) => card.address === text));
}

const bracketed = (host: string) => (host.includes(":") ? `[${host}]` : host);

/** `Example.COM.` and `[::1]` as they are compared: `example.com`, `::1`. */
export const normalHost = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[([^\]]*)\]$/, "$1")
    .replace(/\.$/, "");
