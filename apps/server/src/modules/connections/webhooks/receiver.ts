/** Receives posts: proven, counted, kept for good, then answered; syncing begins at once. */
import { recordsIn, WebhookConfig } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import { WEBHOOK_PATH } from "@accord/contracts/connections/webhooks";
import { fill } from "@accord/contracts/messages/fill";
import { isValue, type Value } from "@accord/contracts/data/values";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../platform/deps.ts";
import { clientAddress, networkOf } from "../../../platform/http/request/client-address.ts";
import { keepRecent } from "../../../platform/keep-recent.ts";
import { orLate } from "../../../platform/or-late.ts";
import { parseJson } from "../../../platform/http/request/read-body.ts";
import type { WebhookInbox, WebhookPlace } from "./inbox.store.ts";
import { verifyPost } from "./signature.ts";
import { unprovenPosts, type UnprovenPosts } from "./unproven-posts.ts";

/** A webhook with what proves its posts. */
export interface WebhookFacts {
  status: string;
  config: Record<string, unknown>;
  authType: string;
  credentials: Record<string, string>;
}

export interface PostAnswer {
  status: number;
  headers: { name: string; value: string }[];
  body: string;
}

/** The pipelines that read a webhook. */
export interface PostReaders {
  mayAnswer: boolean;
  /** The answer of a realtime pipeline; null when none answers. */
  answer(post: number): Promise<PostAnswer | null>;
  pipelineIds: readonly Id<"entity">[];
  /** Lets these of them run. */
  wake(pipelineIds: readonly Id<"entity">[]): Promise<void>;
}

export interface ReceiverParts {
  deps: Pick<Deps, "clock" | "log" | "rateLimiter">;
  inbox: WebhookInbox;
  /** null when it is gone or no webhook. */
  findWebhook(at: Id<"instance">, connectorId: string): Promise<WebhookFacts | null>;
  findReaders(at: Id<"instance">, connectorId: string): Promise<PostReaders>;
  /** Milliseconds after which a caller no longer waits for that. */
  answerMs?: number;
}

const BODY_LIMIT_BYTES = 5 * 1024 * 1024;
/** A larger post is counted before it is read as JSON, which takes a while: too many of them are not read at all. */
const SMALL_BYTES = 64 * 1024;
/** A caller waits no longer for a pipeline's answer; the run goes on. */
const ANSWER_MS = 30_000;
/** Headers a pipeline may not set: they belong to the server. */
const KEPT_HEADERS =
  /^(content-length|transfer-encoding|connection|set-cookie|content-security-policy|x-.*-options|strict-.*)$/i;

type RefusalCode =
  | "not_found"
  | "body_too_large"
  | "too_many_tries"
  | "signature_wrong"
  | "time_wrong"
  | "id_missing"
  | "malformed_body";
const REFUSED: Readonly<Record<RefusalCode, number>> = {
  not_found: 404,
  body_too_large: 413,
  too_many_tries: 429,
  signature_wrong: 401,
  time_wrong: 401,
  id_missing: 400,
  malformed_body: 400,
};

export function serveWebhooks(http: FastifyInstance, parts: ReceiverParts): void {
  const unproven = unprovenPosts(parts.deps);
  const finds = webhookFinder(parts);
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.post<{ Params: { address: string } }>(
      `${WEBHOOK_PATH}/:address`,
      { bodyLimit: BODY_LIMIT_BYTES },
      (request, reply) => receive({ ...parts, unproven, finds }, request, reply),
    );
  });
}

async function receive(
  {
    deps,
    inbox,
    unproven,
    finds,
    answerMs = ANSWER_MS,
  }: Pick<ReceiverParts, "deps" | "inbox" | "answerMs"> & {
    unproven: UnprovenPosts;
    finds: WebhookFinder;
  },
  request: FastifyRequest<{ Params: { address: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { address } = request.params;
  const tooMany = (): FastifyReply => refuse(reply.header("retry-after", "60"), "too_many_tries");
  const network = networkOf(clientAddress(request));
  if (unproven.isRefused(address, network)) return tooMany();
  const found = await finds(address);
  if (found?.webhook.status !== "ACTIVE") return refuse(reply, "not_found");
  const { place, webhook } = found;
  const config = WebhookConfig.parse(webhook.config);
  const refused = async (code: RefusalCode): Promise<FastifyReply> => {
    await inbox.noteRefusal(place, code, REFUSED[code]);
    return refuse(reply, code);
  };
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const verdict = verifyPost({ headers: request.headers, body }, { ...webhook, config }, deps.clock.now().getTime());
  if (!verdict.ok) return (await unproven.count(address, network)) ? refused(verdict.code) : tooMany();
  const most = config.postsPerMinute;
  const isCounted = body.length > SMALL_BYTES;
  if (isCounted && (await inbox.countPost(address)) > most) return tooMany();
  const payload = readJson(body);
  if (payload === undefined)
    return !isCounted && (await inbox.countPost(address)) > most ? tooMany() : refused("malformed_body");
  const readers = await found.readers;
  const { messageId, isBodyId } = verdict;
  const later = readers.mayAnswer ? { holdMs: answerMs, wakes: [] } : { holdMs: null, wakes: readers.pipelineIds };
  const post = { messageId, isBodyId, body: body.toString("utf8"), status: config.responseCode, isCounted, ...later };
  const { isTooMany, number, woken } = await inbox.keep({ ...place, address }, post, most);
  if (isTooMany) return tooMany();
  if (number === null) return ownAnswer(reply, config, payload, messageId);
  const answered = readers.mayAnswer ? await answerOrWait(() => readers.answer(number), answerMs, place, deps) : null;
  if (readers.mayAnswer) await inbox.release(place, number);
  const asleep = readers.pipelineIds.filter((pipelineId) => !woken.includes(pipelineId));
  if (asleep.length > 0) await readers.wake(asleep);
  if (answered === "late") return reply.code(504).type("application/json").send('{"accepted":true}');
  if (answered) return sendAnswer(reply, answered);
  return ownAnswer(reply, config, payload, messageId);
}

/** An address's webhook as it is now; null when there is none. */
type WebhookFinder = (
  address: string,
) => Promise<{ place: WebhookPlace; webhook: WebhookFacts; readers: Promise<PostReaders> } | null>;

/** Addresses remembered in this process. */
const MAX_ADDRESSES = 10_000;

/** Asks for everything at once where an address leads to where it led before, which is nearly always: nothing is believed. */
function webhookFinder({ inbox, findWebhook, findReaders }: ReceiverParts): WebhookFinder {
  const lately = new Map<string, WebhookPlace>();
  const ask = ({ instanceId, connectorId }: WebhookPlace) => {
    const asked = {
      webhook: findWebhook(instanceId, connectorId),
      readers: findReaders(instanceId, connectorId),
    };
    // Whoever needs it hears of what goes wrong.
    asked.webhook.catch(() => {});
    asked.readers.catch(() => {});
    return asked;
  };
  return async (address) => {
    const guess = lately.get(address);
    const early = guess && ask(guess);
    const place = await inbox.findAddress(address);
    if (!place) {
      lately.delete(address);
      return null;
    }
    keepRecent(lately, address, place, MAX_ADDRESSES);
    const isGuessed = guess?.instanceId === place.instanceId && guess.connectorId === place.connectorId;
    const { webhook, readers } = isGuessed && early ? early : ask(place);
    const facts = await webhook;
    return facts && { place, webhook: facts, readers };
  };
}

/** The post is safe already: a pipeline that can't answer, or not in time, changes nothing about that. */
async function answerOrWait(
  ask: () => Promise<PostAnswer | null>,
  answerMs: number,
  place: WebhookPlace,
  { log }: Pick<Deps, "log">,
): Promise<PostAnswer | "late" | null> {
  try {
    return await orLate(ask(), answerMs);
  } catch (error) {
    log.warn({ err: error, ...place }, "a pipeline could not answer its webhook");
    return null;
  }
}

function readJson(body: Buffer): Value | undefined {
  try {
    const payload = parseJson(body.toString("utf8"));
    return isValue(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** What the webhook itself is set to answer: plain replacement, always JSON. */
function ownAnswer(reply: FastifyReply, config: WebhookConfig, payload: Value, messageId: string): FastifyReply {
  const facts = { count: recordsIn(payload, config).length, id: JSON.stringify(messageId).slice(1, -1) };
  return reply
    .code(config.responseCode)
    .type("application/json; charset=utf-8")
    .send(fill(config.responseTemplate, facts));
}

function sendAnswer(reply: FastifyReply, { status, headers, body }: PostAnswer): FastifyReply {
  const isJson = /^\s*[[{]/.test(body);
  reply.code(status).type(isJson ? "application/json; charset=utf-8" : "text/plain; charset=utf-8");
  for (const { name, value } of headers) {
    if (/^[\w-]+$/.test(name) && !KEPT_HEADERS.test(name)) reply.header(name, value);
  }
  return reply.header("content-security-policy", "default-src 'none'; sandbox").send(body);
}

const refuse = (reply: FastifyReply, code: RefusalCode): FastifyReply =>
  reply
    .code(REFUSED[code])
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ code, status: REFUSED[code] }));
