/** The promise of outgoing connections: the only door out of the server. */

export interface FetchInit {
  method?: string;
  headers?: Record<string, string>;
  /**
   * Names of headers that hold credentials. Those whose use is not known are taken for some as well. A request that
   * holds credentials or a body follows no redirect to another origin; another one keeps only what it accepts.
   */
  secretHeaders?: readonly string[];
  body?: string | Uint8Array;
  /** Milliseconds for the whole exchange; default 30,000. */
  timeoutMs?: number;
  /** Longest answer in bytes; default 10 MB. */
  maxBytes?: number;
  /** The only origins that may be called, by redirects too; absent: any. */
  onlyOrigins?: readonly string[];
  /** How many redirects are followed, each checked again; default 3. */
  maxRedirects?: number;
  /**
   * Called in the same moment in which the request is written to its connection, and again for each redirect. What it
   * throws is thrown on: the request was not sent then.
   */
  beforeSend?: () => void;
  signal?: AbortSignal;
}

export interface FetchReply {
  status: number;
  headers: Record<string, string>;
  /** Address that answered in the end. */
  url: string;
  body: Uint8Array;
}

export interface Outbound {
  /** @throws OutboundError when the address is refused, or the exchange failed, was too slow or too big. */
  guardedFetch(url: string, init?: FetchInit): Promise<FetchReply>;
  /** Resolves a host for a protocol other than HTTP and checks it; connect to `address`, not to the name. */
  resolveHost(host: string, port: number): Promise<{ address: string; family: 4 | 6 }>;
  /** Allows a host, `host:port` or range besides the operator's list: for services this server started itself. */
  allow(entry: string): void;
}

export type OutboundReason =
  | "refused"
  | "bad_url"
  | "not_found"
  | "connection"
  | "certificate"
  | "timeout"
  | "too_big"
  | "too_many_redirects"
  | "redirect_refused"
  | "aborted";

export class OutboundError extends Error {
  override name = "OutboundError";
  readonly reason: OutboundReason;
  constructor(reason: OutboundReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
