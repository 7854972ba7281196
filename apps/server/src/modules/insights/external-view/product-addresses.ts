/** Where an external product may be: on no host of this server, and behind https while this server is. */
import { isLoopback } from "@accord/connector-sdk";
import type { ExternalViewDefinition } from "@accord/contracts/insights/external-view";
import { insightsExternalView } from "@accord/contracts/messages/en/insights/external-view";
import type { Config } from "../../../config.ts";
import { ownHosts, parseHost } from "../../../platform/http/request/own-hosts.ts";
import { addressRules } from "../../../platform/outbound/address-rules.ts";

const { invalid: WORDS } = insightsExternalView.external;

export type ServerAddresses = Pick<Config, "baseUrl" | "host" | "hosts" | "port" | "outboundAllow">;

export interface AddressProblem {
  path: "address" | "listAddress";
  message: string;
}

/** What is wrong with the addresses as this server is configured now, if anything: asked when they are used, too. */
export function addressProblem(
  config: ServerAddresses,
  { address, listAddress }: Pick<ExternalViewDefinition, "address" | "listAddress">,
): AddressProblem | null {
  const url = new URL(address);
  const isSecure = config.baseUrl.startsWith("https:");
  if (isOwnHost(config, url)) return { path: "address", message: WORDS.ownAddress };
  // Browsers show no http pages inside of https pages.
  if (url.protocol === "http:" && isSecure) return { path: "address", message: WORDS.needsHttps };
  if (isSecure && listAddress !== "" && isReadable(config, new URL(listAddress)))
    return { path: "listAddress", message: WORDS.listNeedsHttps };
  return null;
}

/**
 * What is framed may run scripts and keep its cookies: of our own origin it could do all that the person may. Cookies
 * know hosts but no ports, so that a server beside ours, on another port, would be sent the sessions of whoever looks.
 */
function isOwnHost(config: ServerAddresses, url: URL): boolean {
  if (ownHosts(config, () => config.port).serves(url.host)) return true;
  const name = parseHost(url.host)?.name;
  const own = [new URL(config.baseUrl).host, ...config.hosts].map((host) => parseHost(host)?.name);
  return name === undefined || own.includes(name);
}

/** Whether others on the way could read the tokens: hosts that the operator wrote out stand in a network of theirs. */
function isReadable({ outboundAllow }: ServerAddresses, url: URL): boolean {
  if (url.protocol === "https:" || isLoopback(url.hostname)) return false;
  return !addressRules(outboundAllow).lists(url.hostname, Number(url.port) || 80);
}
