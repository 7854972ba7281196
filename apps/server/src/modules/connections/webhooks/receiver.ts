/** Receives posts: proven, counted, kept for good, then answered; syncing begins at once. */
import { recordsIn, WebhookConfig } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import { WEBHOOK_PATH } from "@accord/contracts/connections/webhooks";
import { fill } from "@accord/contracts/messages/fill";
import { isValue, type Value } from "@accord/contracts/data/values";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../platform/deps.ts";
import { clientAddress, networkOf } from "../../../platform/http/client-address.ts";
import { parseJson } from "../../../platform/http/read-body.ts";
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
  /** Lets them run. */
  wake(): Promise<void>;
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
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.post<{ Params: { address: string } }>(
      `${WEBHOOK_PATH}/:address`,
      { bodyLimit: BODY_LIMIT_BYTES },
      (request, reply) => receive({ ...parts, unproven }, request, reply),
    );
  });
}

async function receive(
  {
    deps,
    inbox,
    unproven,
    findWebhook,
    findReaders,
    answerMs = ANSWER_MS,
  }: ReceiverParts & {
    unproven: UnprovenPosts;
  },
  request: FastifyRequest<{ Params: { address: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { address } = request.params;
  const place = await inbox.findAddress(address);
  const webhook = place && (await findWebhook(place.instanceId, place.connectorId));
  if (!place || webhook?.status !== "ACTIVE") return refuse(reply, "not_found");
  const config = WebhookConfig.parse(webhook.config);
  const refused = async (code: RefusalCode): Promise<FastifyReply> => {
    await inbox.noteRefusal(place, code, REFUSED[code]);
    return refuse(reply, code);
  };
  const tooMany = (): FastifyReply => refuse(reply.header("retry-after", "60"), "too_many_tries");
  const network = networkOf(clientAddress(request));
  if (unproven.isRefused(address, network)) return tooMany();
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const verdict = verifyPost({ headers: request.headers, body }, { ...webhook, config }, deps.clock.now().getTime());
  if (!verdict.ok) return (await unproven.count(address, network)) ? refused(verdict.code) : tooMany();
  const [posts, readers] = await Promise.all([
    inbox.countPost(address),
    findReaders(place.instanceId, place.connectorId),
  ]);
  if (posts > config.postsPerMinute) return tooMany();
  const payload = readJson(body);
  if (payload === undefined) return refused("malformed_body");
  const { messageId, isBodyId } = verdict;
  const holdMs = readers.mayAnswer ? answerMs : null;
  const kept = { messageId, isBodyId, body: body.toString("utf8"), status: config.responseCode, holdMs };
  const number = await inbox.keep(place, kept);
  if (number === null) return ownAnswer(reply, config, payload, messageId);
  const answered = readers.mayAnswer ? await answerOrWait(() => readers.answer(number), answerMs, place, deps) : null;
  if (readers.mayAnswer) await inbox.release(place, number);
  await readers.wake();
  if (answered === "late") return reply.code(504).type("application/json").send('{"accepted":true}');
  if (answered) return sendAnswer(reply, answered);
  return ownAnswer(reply, config, payload, messageId);
}

/** The post is safe already: a pipeline that can't answer, or not in time, changes nothing about that. */
async function answerOrWait(
  ask: () => Promise<PostAnswer | null>,
  answerMs: number,
  place: WebhookPlace,
  { log }: Pick<Deps, "log">,
): Promise<PostAnswer | "late" | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), answerMs);
  });
  try {
    return await Promise.race([ask(), late]);
  } catch (error) {
    log.warn({ err: error, ...place }, "a pipeline could not answer its webhook");
    return null;
  } finally {
    clearTimeout(timer);
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
