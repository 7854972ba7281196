/** One HTTP call for connectors: no retries (the engine decides those), everything that can go wrong classified. */
import { connectionErrors } from "@accord/contracts/messages/en/synapses/connection-errors";
import { fill } from "@accord/contracts/messages/fill";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { Value } from "@accord/contracts/data/values";
import { classifyNetworkError } from "./classify.ts";
import type { ConnectContext } from "./connector.ts";
import { ConnectorError } from "./errors.ts";

export interface OutgoingRequest {
  method: string;
  url: URL;
  headers?: Record<string, string>;
  /** Names of those that hold credentials. */
  secretHeaders?: readonly string[];
  /** Credentials in its address or body that are none of the connection's own. */
  secretValues?: readonly string[];
  body?: string;
  /** Milliseconds for the whole exchange; 30,000 unless told. */
  timeoutMs?: number;
  signal?: AbortSignal;
  beforeSend?: () => void;
}

export interface Answer {
  status: number;
  ok: boolean;
  /** Names in lower case. */
  headers: Record<string, string>;
  text: string;
  /** `host:port`, for messages. */
  place: string;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const utf8 = new TextDecoder();

/**
 * Sends a request once and reads the whole answer, whatever its status. Throws `ConnectorError` when no answer came;
 * unless it says `neverSent`, the system may have done what was asked.
 */
export async function sendRequest(context: Pick<ConnectContext, "send">, request: OutgoingRequest): Promise<Answer> {
  const { method, url, headers = {}, secretHeaders = [], body, timeoutMs = DEFAULT_TIMEOUT_MS, ...more } = request;
  try {
    const reply = await context.send({ method, url: url.href, headers, secretHeaders, body, timeoutMs, ...more });
    const ok = reply.status >= 200 && reply.status < 300;
    return { status: reply.status, ok, headers: reply.headers, text: utf8.decode(reply.body), place: url.host };
  } catch (error) {
    more.signal?.throwIfAborted();
    throw classifyNetworkError(error, url.host);
  }
}

/** The answer's body as JSON, numbers to the last digit; null when it is empty. Throws `ConnectorError("unexpected")` when it is something else. */
export function jsonOf(answer: Answer): Value {
  if (answer.text.trim() === "") return null;
  try {
    return parseExactJson(answer.text);
  } catch (error) {
    const isHtml = /^\s*</.test(answer.text);
    const message = fill(isHtml ? connectionErrors.answeredPage : connectionErrors.answeredNoJson, {
      place: answer.place,
    });
    throw new ConnectorError("unexpected", message, {
      cause: error,
      hint: isHtml ? connectionErrors.answeredPageHint : undefined,
    });
  }
}
