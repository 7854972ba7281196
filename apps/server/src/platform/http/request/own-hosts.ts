/**
 * The names this server answers to. A name server under somebody else's control can make any name lead here, and pages of
 * that name would then be pages of our origin to a browser: so other names are refused.
 */
import { API_PREFIX } from "@accord/contracts";
import { getHealth } from "@accord/contracts/operations/health";
import type { FastifyInstance } from "fastify";
import type { Config } from "../../../config.ts";
import { AppError } from "../app-error.ts";

export interface OwnHosts {
  /** Whether a request with this `Host` is for us. */
  serves(host: string | undefined): boolean;
  /** Whether a page of this origin is ours, in a request with this `Host` (one that is served). */
  isOwnOrigin(origin: string, host: string | undefined): boolean;
}

/** `listeningPort`: null before the server listens. */
export function ownHosts(
  config: Pick<Config, "baseUrl" | "host" | "hosts" | "port">,
  listeningPort: () => number | null,
): OwnHosts {
  const base = new URL(config.baseUrl);
  const defaultPort = base.protocol === "https:" ? 443 : 80;
  const basePort = Number(base.port) || defaultPort;
  const named = config.hosts.map(parseHost);

  const isLoopback = ({ name, port }: HostName) =>
    isLoopbackAddress(config.host) && LOOPBACK.has(name) && port === (listeningPort() ?? config.port);
  const isBase = ({ name, port }: HostName) => name === base.hostname && port === basePort;
  const isNamed = (host: HostName) =>
    named.some((one) => one?.name === host.name && (one.port === null || one.port === host.port));

  function read(text: string | undefined): HostName | null {
    const parsed = parseHost(text ?? "");
    return parsed && { ...parsed, port: parsed.port ?? defaultPort };
  }

  return {
    serves(text) {
      const host = read(text);
      return host !== null && (isBase(host) || isLoopback(host) || isNamed(host));
    },
    isOwnOrigin(origin, text) {
      if (origin === base.origin) return true;
      const host = read(text);
      if (host === null || text === undefined) return false;
      if (isLoopback(host)) return origin === `http://${text}`;
      return isNamed(host) && origin === `${base.protocol}//${text}`;
    },
  };
}

interface HostName {
  name: string;
  port: number | null;
}

/** `Accord.Example.:443` and `[::1]` in one spelling; null for what is no host. */
export function parseHost(text: string): HostName | null {
  const [, name, port] = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+)(?::(\d{1,5}))?$/i.exec(text.trim()) ?? [];
  if (name === undefined) return null;
  return { name: name.toLowerCase().replace(/\.$/, ""), port: port === undefined ? null : Number(port) };
}

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const isLoopbackAddress = (address: string) =>
  address === "localhost" || address === "::1" || address.startsWith("127.");

const HEALTH_PATH = `${API_PREFIX}${getHealth.path}`;

/** Refuses other names first of all. Health is told under any: load balancers ask by address, and it says nothing else. */
export function refuseOtherHosts(app: FastifyInstance, hosts: OwnHosts): void {
  app.addHook("onRequest", async (request) => {
    if (hosts.serves(request.headers.host)) return;
    if (request.method === "GET" && request.url.split("?")[0] === HEALTH_PATH) return;
    throw new AppError("wrong_host");
  });
}
