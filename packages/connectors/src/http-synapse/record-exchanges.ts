/** Writes down the requests that a connection makes, and what was answered, for people who try it. */
import type { Answer, ConnectContext, HttpRequest } from "@accord/connector-sdk";
import type { SynapseExchange } from "@accord/contracts/connections/http-synapse-tests";

/** Most characters of a body that are shown, and most calls. */
const SHOWN = 20_000;
const MAX_EXCHANGES = 12;

export interface ExchangeRecorder {
  context: ConnectContext;
  exchanges: SynapseExchange[];
  /** The newest answer. */
  last: { url: URL; answer: Answer } | null;
}

const utf8 = new TextDecoder();

/** Secrets stand in addresses, bodies and answers: whoever shows them masks them. Values of secret headers are `hidden`. */
export function recordExchanges(context: ConnectContext, hidden: string): ExchangeRecorder {
  const recorder: ExchangeRecorder = { context, exchanges: [], last: null };
  recorder.context = {
    ...context,
    send: async (request) => {
      const began = performance.now();
      const exchange: SynapseExchange = { request: shownRequest(request, hidden), answer: null, durationMs: 0 };
      if (recorder.exchanges.length < MAX_EXCHANGES) recorder.exchanges.push(exchange);
      try {
        const reply = await context.send(request);
        const text = utf8.decode(reply.body);
        const url = new URL(request.url);
        const ok = reply.status >= 200 && reply.status < 300;
        recorder.last = { url, answer: { status: reply.status, ok, headers: reply.headers, text, place: url.host } };
        exchange.answer = {
          status: reply.status,
          headers: Object.entries(reply.headers).map(([name, value]) => ({
            name,
            value: shownHeader(name, value, hidden),
          })),
          body: text.slice(0, SHOWN),
          isShortened: text.length > SHOWN,
          bytes: reply.body.byteLength,
        };
        return reply;
      } finally {
        exchange.durationMs = Math.round(performance.now() - began);
      }
    },
  };
  return recorder;
}

/** Cookies that a system sets are sessions. */
const shownHeader = (name: string, value: string, hidden: string): string => (name === "set-cookie" ? hidden : value);

function shownRequest(
  { method, url, headers, secretHeaders, body }: HttpRequest,
  hidden: string,
): SynapseExchange["request"] {
  const secret = new Set(secretHeaders?.map((name) => name.toLowerCase()));
  return {
    method,
    url,
    headers: Object.entries(headers).map(([name, value]) => ({
      name,
      value: secret.has(name.toLowerCase()) ? hidden : value,
    })),
    body: body === undefined ? null : body.slice(0, SHOWN),
  };
}
