/** One HTTP request of an action, through the guarded way out, tried again where the failure may pass. */
import { retryAfterMs } from "@accord/connector-sdk";
import { setTimeout as sleep } from "node:timers/promises";
import type { Value } from "@accord/contracts/data/values";
import type { HttpWork } from "@accord/sync-engine/actions";
import { type FetchReply, type Outbound, OutboundError } from "../../../platform/outbound/outbound.ts";
import type { SendPermit } from "../../../platform/lease-deadline.ts";
import type { Attempt } from "./attempt.ts";

const MAX_BYTES = 5_000_000;
/** An answer longer than this is not kept. */
const MAX_KEPT = 64_000;
const MAX_PAUSE_MS = 20_000;
/** Answers that ask to come again. */
const MAY_PASS: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Of those, the ones after which the request surely was not carried out. */
const NOTHING_DONE: ReadonlySet<number> = new Set([425, 429, 503]);

/** `id` goes along as Idempotency-Key, the same for each try. @throws LeaseEndedError before what may not be sent. */
export const callHttp = async (...call: Parameters<typeof exchange>): Promise<Attempt> =>
  (await exchange(...call)).attempt;

/** As `callHttp`, with the whole of what came back last: an attempt holds the beginning of a long answer alone. */
export async function exchange(outbound: Outbound, work: HttpWork, id: string, permit?: SendPermit): Promise<Exchange> {
  for (let tries = 0; ; tries += 1) {
    const done = await exchangeOnce(outbound, work, id, permit);
    const { attempt } = done;
    const maySendAgain = attempt.isOutcomeKnown || work.isRepeatable || work.method !== "POST";
    if (attempt.outcome.succeeded || !attempt.isTransient || !maySendAgain || tries >= work.retries) return done;
    const pause = attempt.retryAfterMs ?? 1_000 * 4 ** tries;
    if (pause > MAX_PAUSE_MS) return done;
    // Whoever may send nothing more learns it at the next try.
    await sleep(pause, undefined, permit && { signal: permit.signal }).catch(() => {});
  }
}

interface Exchange {
  attempt: Attempt;
  /** null: none came. */
  reply: FetchReply | null;
}

/** All headers of the request. */
export const sentHeaders = (work: Pick<HttpWork, "headers">, id: string): Record<string, string> => ({
  "idempotency-key": id,
  ...work.headers,
});

/** One request, and what came back. */
export async function exchangeOnce(
  outbound: Outbound,
  work: HttpWork,
  id: string,
  permit?: SendPermit,
): Promise<Exchange> {
  try {
    const reply = await outbound.guardedFetch(work.url, {
      method: work.method,
      headers: sentHeaders(work, id),
      secretHeaders: work.secretHeaders ?? [],
      ...(work.body === null || work.method === "GET" ? {} : { body: work.body }),
      timeoutMs: work.timeoutMs,
      maxBytes: MAX_BYTES,
      ...(permit ? { beforeSend: permit.assertMaySend, signal: permit.signal } : {}),
    });
    return { attempt: judge(reply), reply };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const { reason, message } = error;
    const isOutcomeKnown =
      reason !== "timeout" && reason !== "too_big" && reason !== "aborted" && reason !== "connection";
    const isTransient = reason === "timeout" || reason === "connection" || reason === "not_found";
    const outcome = { succeeded: false, body: null, code: `http_${reason}`, message };
    return { attempt: { outcome, isOutcomeKnown, isTransient }, reply: null };
  }
}

function judge(reply: FetchReply): Attempt {
  const { status } = reply;
  const isDone = status >= 200 && status < 300;
  const text = textOf(reply);
  const outcome = {
    succeeded: isDone,
    body: text.length > MAX_KEPT ? `${text.slice(0, MAX_KEPT)}…` : valueOf(text),
    code: isDone ? null : `http_${status}`,
    message: isDone ? null : `The receiver answered ${status}.`,
  };
  const after = retryAfterMs(reply.headers, Date.now()) ?? 0;
  const wait = after > 0 ? { retryAfterMs: after } : {};
  // A refusal says that it was not done; what failed inside, or behind a gateway, may have been done before it failed.
  const isOutcomeKnown = isDone || status < 500 || NOTHING_DONE.has(status);
  return { outcome, isOutcomeKnown, isTransient: MAY_PASS.has(status), ...wait };
}

const textOf = ({ body }: FetchReply): string => new TextDecoder().decode(body);

/** All of an answer; what is no JSON as its text. */
export const wholeBody = (reply: FetchReply): Value => valueOf(textOf(reply));

function valueOf(text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return text === "" ? null : text;
  }
}
