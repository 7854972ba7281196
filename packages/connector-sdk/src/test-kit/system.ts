/** What the conformance kit needs to know about a real system under test, and the outside world it hands to a connector. */
import type { DataType, Values } from "@accord/contracts/data/values";
import { setTimeout as pause } from "node:timers/promises";
import type { Connection } from "../connection.ts";
import type { AuthType, ConnectContext, ConnectorDefinition, HttpReply, HttpRequest } from "../connector.ts";

/** A running system with data in it. Everything optional is tested when it is there. */
export interface SystemUnderTest {
  config: Values;
  /** The first of the definition's unless told. */
  authType?: AuthType;
  credentials: Record<string, string>;
  /** Parts of the outside world that differ from plain network access. */
  world?: Partial<ConnectContext>;
  /** Api name of an entity holding `seeded` records (20 at least), and of one that is empty where there is one. */
  entity: string;
  seeded: number;
  emptyEntity?: string;
  /** What discovery must find in `entity`. */
  expected: { idField: string; types: Record<string, DataType>; references?: Record<string, string> };
  /** Changes made past the connector, as the system's own users would. Ids answered and taken are record ids. */
  outside?: {
    create(): Promise<string>;
    update(id: string): Promise<void>;
    remove(id: string): Promise<void>;
  };
  /** Values that can be written, and how many different ones: `valid(1)` and `valid(2)` differ. */
  writes?: {
    valid(n: number): Values;
    change: Values;
    /** Refused by the system for what is in it. */
    invalid: Values;
    missingId: string;
    /** Field by which a record written with `valid(n)` can be found. */
    lookupField?: string;
    /** The system can neither search for a record by a value nor repeat a creation safely: that is left to a person. */
    isNeverFoundAgain?: true;
    /** A deletion of what is gone is answered like any other: only a comparison before it finds that out. */
    deletesTwice?: true;
    /** The system deletes nothing by its API: `outside` does. */
    isNeverDeleted?: true;
  };
  faults: {
    wrongCredentials?: Record<string, string>;
    /** Configurations: nothing listens there; something listens and never answers; a certificate nobody trusts. */
    unreachable?: Values;
    silent?: Values;
    untrustedCertificate?: Values;
    /** From now on the system does what is asked but its answers get lost; returns how to mend it. */
    loseAnswers?(): Promise<() => void>;
    /** The next call is refused for too many calls, asking to wait this long. */
    rateLimitNext?(waitMs: number): Promise<void>;
    /** The next call fails for a problem of the system's own. */
    failNext?(): Promise<void>;
  };
  stop(): Promise<void>;
}

/** What a connection is opened with instead of what the system has. */
export interface Overrides {
  config?: Values;
  credentials?: Record<string, string>;
  signal?: AbortSignal;
  send?: ConnectContext["send"];
}

/** Opens a connection as the server would, but with plain network access. */
export function connectTo(
  definition: ConnectorDefinition,
  system: Pick<SystemUnderTest, "config" | "authType" | "credentials" | "world">,
  overrides: Overrides = {},
): Connection {
  return definition.connect({
    send: sendPlainly,
    resolveHost: async (host, port) => ({ address: host, port }),
    resolveFolder: async (path) => path,
    now: () => new Date(),
    sleep: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
    signal: overrides.signal ?? new AbortController().signal,
    log: () => {},
    ...system.world,
    ...(overrides.send ? { send: overrides.send } : {}),
    config: overrides.config ?? system.config,
    authType: system.authType ?? definition.authMethods[0]?.type ?? "none",
    credentials: overrides.credentials ?? system.credentials,
  });
}

/** The platform's own fetch, without the server's outbound rules. */
export async function sendPlainly(request: HttpRequest): Promise<HttpReply> {
  request.beforeSend?.();
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const response = await fetch(request.url, {
    method: request.method,
    headers: request.headers,
    body: request.body,
    signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: new Uint8Array(await response.arrayBuffer()),
  };
}
