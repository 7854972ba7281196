/** Writes down the requests that a connection makes, and what was answered, for people who try it. */
import type { Answer, ConnectContext, HttpRequest } from "@accord/connector-sdk";
import type { SynapseExchange } from "@accord/contracts/connections/http-synapse-tests";

/** Most characters of a body that are shown. */
const SHOWN = 20_000;
/** Characters that are kept beyond them: the longest credential, which the end of what is kept may cut. */
const MARGIN = 20_000;
/** How many of the first and of the last exchanges are kept. */
const FIRST = 6;
const LAST = 6;

/** How credentials are hidden: what stands for them, and a text in which they are replaced by it. */
export interface Masking {
  hidden: string;
  mask: (text: string) => string;
}

export interface ExchangeRecorder {
  context: ConnectContext;
  /**
   * The first and the last exchanges, and how many there were. Bodies are masked before they are cut: half a credential
   * is not recognised. Whoever shows them masks the addresses and headers as well.
   */
  recorded(): { exchanges: SynapseExchange[]; exchangeCount: number };
  /** The newest answer. */
  last: { url: URL; answer: Answer } | null;
}

const utf8 = new TextDecoder();

/** Values of secret headers are hidden at once; a credential that is learned later is masked in `recorded`. */
export function recordExchanges(context: ConnectContext, masking: Masking): ExchangeRecorder {
  const { hidden } = masking;
  const head: SynapseExchange[] = [];
  const tail: SynapseExchange[] = [];
  let count = 0;
  const keep = (exchange: SynapseExchange): void => {
    if (head.length < FIRST) head.push(exchange);
    else tail.push(exchange);
    if (tail.length > LAST) tail.shift();
  };
  const recorder: ExchangeRecorder = {
    context,
    last: null,
    recorded: () => ({
      exchanges: [...head, ...tail].map((exchange) => shownExchange(exchange, masking)),
      exchangeCount: count,
    }),
  };
  recorder.context = {
    ...context,
    send: async (request) => {
      const began = performance.now();
      count += 1;
      const exchange: SynapseExchange = {
        ...{ number: count, request: keptRequest(request, hidden), answer: null, durationMs: 0 },
      };
      keep(exchange);
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
          body: text.slice(0, SHOWN + MARGIN),
          isShortened: text.length > SHOWN + MARGIN,
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

function shownExchange(exchange: SynapseExchange, { mask }: Masking): SynapseExchange {
  const { request, answer } = exchange;
  const body = answer && shownBody(answer.body, mask);
  return {
    ...exchange,
    request: { ...request, body: request.body === null ? null : shownBody(request.body, mask).text },
    answer: answer && body && { ...answer, body: body.text, isShortened: answer.isShortened || body.isShortened },
  };
}

/** What was cut may end within a credential, which masking does not find: as much as that is left out. */
function shownBody(kept: string, mask: (text: string) => string): { text: string; isShortened: boolean } {
  const masked = mask(kept);
  const end = kept.length < SHOWN + MARGIN ? SHOWN : Math.max(0, Math.min(SHOWN, masked.length - MARGIN));
  return { text: masked.slice(0, end), isShortened: masked.length > end };
}

/** Cookies that a system sets are sessions. */
const shownHeader = (name: string, value: string, hidden: string): string => (name === "set-cookie" ? hidden : value);

function keptRequest(
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
    body: body === undefined ? null : body.slice(0, SHOWN + MARGIN),
  };
}
