/** Receives posts: proven, counted, kept for good, then answered. What is refused is kept in the webhook's log. */
import { WebhookConfig } from "@accord/connectors";
import { WEBHOOK_PATH, type WebhookRefusal } from "@accord/contracts/connections/webhooks";
import { isValue, type Value } from "@accord/contracts/data/values";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../platform/deps.ts";
import { clientAddress, networkOf } from "../../../platform/http/request/client-address.ts";
import { parseJson } from "../../../platform/http/request/read-body.ts";
import { errorCode } from "../../../platform/http/error-reply.ts";
import { acceptPost, type PostAnswer, type Taken } from "./accept-post.ts";
import type { WebhookInbox, WebhookPlace } from "./inbox.store.ts";
import { keptHeaders } from "./kept-headers.ts";
import type { PostLog } from "./post-log.store.ts";
import { refusalCounts, type RefusalCounts } from "./refusal-counts.ts";
import { EXCERPT_LENGTH } from "./sealed-body.ts";
import { verifyPost } from "./signature.ts";
import { unprovenPosts, type UnprovenPosts } from "./unproven-posts.ts";
import { webhookFinder, type WebhookFacts, type WebhookFinder, type WebhookSources } from "./webhook-finder.ts";

export interface ReceiverParts extends WebhookSources {
  deps: Pick<Deps, "clock" | "log" | "rateLimiter">;
  inbox: WebhookInbox;
  log: PostLog;
  /** Milliseconds after which a caller no longer waits for a pipeline's answer. */
  answerMs?: number;
}

const BODY_LIMIT_BYTES = 5 * 1024 * 1024;
/** A larger post is counted before it is read as JSON, which takes a while: too many of them are not read at all. */
const SMALL_BYTES = 64 * 1024;
/** A caller waits no longer for a pipeline's answer; the run goes on. */
export const ANSWER_MS = 30_000;
/** Headers a pipeline may not set: they belong to the server. */
const KEPT_HEADERS =
  /^(content-length|transfer-encoding|connection|set-cookie|content-security-policy|x-.*-options|strict-.*)$/i;

/** What a refused sender is answered: no more than that. */
type AnswerCode =
  | "not_found"
  | "body_too_large"
  | "too_many_tries"
  | "signature_wrong"
  | "time_wrong"
  | "id_missing"
  | "malformed_body";
const REFUSED: Readonly<Record<AnswerCode, number>> = {
  not_found: 404,
  body_too_large: 413,
  too_many_tries: 429,
  signature_wrong: 401,
  time_wrong: 401,
  id_missing: 400,
  malformed_body: 400,
};
/** How a sender is answered what the log calls otherwise. */
const ANSWERED = {
  not_active: "not_found",
  too_many_posts: "too_many_tries",
  too_many_unproven: "too_many_tries",
} as const;

type PostRequest = FastifyRequest<{ Params: { address: string } }>;

interface Receiver extends Pick<ReceiverParts, "deps" | "inbox" | "log"> {
  unproven: UnprovenPosts;
  finder: WebhookFinder;
  counts: RefusalCounts;
  answerMs: number;
}

export function serveWebhooks(http: FastifyInstance, parts: ReceiverParts): void {
  const receiver: Receiver = {
    ...parts,
    unproven: unprovenPosts(parts.deps),
    finder: webhookFinder(parts.inbox, parts),
    counts: refusalCounts(parts.log, (error) =>
      parts.deps.log.warn({ err: error }, "refused posts could not be counted"),
    ),
    answerMs: parts.answerMs ?? ANSWER_MS,
  };
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.post<{ Params: { address: string } }>(
      `${WEBHOOK_PATH}/:address`,
      {
        bodyLimit: BODY_LIMIT_BYTES,
        errorHandler(error, request, reply) {
          if (errorCode(error) !== "FST_ERR_CTP_BODY_TOO_LARGE") throw error;
          void refuseTooLarge(receiver, request, reply).catch((failed: unknown) => reply.send(failed));
        },
      },
      (request, reply) => receive(receiver, request, reply),
    );
  });
}

async function receive(receiver: Receiver, request: PostRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps, inbox, unproven, finder, counts } = receiver;
  const { address } = request.params;
  const network = networkOf(clientAddress(request));
  const tooMany = (place: WebhookPlace | undefined, code: "too_many_posts" | "too_many_unproven"): FastifyReply => {
    const isProven = code === "too_many_posts";
    if (place) counts.add(place, { code, status: REFUSED.too_many_tries, isProven });
    return refuse(reply.header("retry-after", "60"), code);
  };
  if (unproven.isRefused(address, network)) return tooMany(finder.lately(address), "too_many_unproven");
  const found = await finder.find(address);
  if (!found) return refuse(reply, "not_found");
  const { place, webhook } = found;
  const body = bodyOf(request);
  if (webhook.status !== "ACTIVE") {
    if (unproven.countUnread(address)) await note(receiver, { place, webhook, request, body }, "not_active", false);
    else counts.add(place, { code: "not_active", status: REFUSED.not_found, isProven: false });
    return refuse(reply, "not_found");
  }
  const config = WebhookConfig.parse(webhook.config);
  const refused = async (code: WebhookRefusal, isProven: boolean): Promise<FastifyReply> => {
    await note(receiver, { place, webhook, request, body }, code, isProven);
    return refuse(reply, code);
  };
  const verdict = verifyPost({ headers: request.headers, body }, { ...webhook, config }, deps.clock.now().getTime());
  if (!verdict.ok) {
    const { code } = verdict;
    const counted = await unproven.count(address, network);
    if (counted === "refused") return tooMany(place, "too_many_unproven");
    if (counted === "logged") return refused(code, false);
    counts.add(place, { code, status: REFUSED[code], isProven: false });
    return refuse(reply, code);
  }
  const most = config.postsPerMinute;
  const isCounted = body.length > SMALL_BYTES;
  if (isCounted && (await inbox.countPost(address)) > most) return tooMany(place, "too_many_posts");
  const payload = readJson(body);
  if (payload === undefined)
    return !isCounted && (await inbox.countPost(address)) > most
      ? tooMany(place, "too_many_posts")
      : refused("malformed_body", true);
  const challenge = webhook.authType === "apiSecretKey" && config.signature === "slack" ? challengeOf(payload) : null;
  if (challenge !== null)
    return !isCounted && (await inbox.countPost(address)) > most
      ? tooMany(place, "too_many_posts")
      : reply.type("application/json; charset=utf-8").send(JSON.stringify({ challenge }));
  const taken = await acceptPost(
    { inbox, log: deps.log, answerMs: receiver.answerMs },
    {
      place: { ...place, address },
      config,
      readers: await found.readers,
      ...{ messageId: verdict.messageId, isBodyId: verdict.isBodyId, proofId: verdict.proofId, isCounted },
      ...{ payload, body: body.toString("utf8") },
      log: { headers: headersOf(request, webhook), size: body.length, replayOf: null },
    },
  );
  return taken.kind === "tooMany" ? tooMany(place, "too_many_posts") : answer(reply, taken);
}

/** Nobody knows who sent it: what proves that covers the whole body. */
async function refuseTooLarge(receiver: Receiver, request: PostRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { unproven, finder, counts } = receiver;
  const { address } = request.params;
  const known = finder.lately(address);
  if (known && !unproven.countUnread(address)) {
    counts.add(known, { code: "body_too_large", status: REFUSED.body_too_large, isProven: false });
    return refuse(reply, "body_too_large");
  }
  const found = await finder.find(address);
  if (found) await note(receiver, { ...found, request, body: Buffer.alloc(0) }, "body_too_large", false);
  return refuse(reply, "body_too_large");
}

interface RefusedPost {
  place: WebhookPlace;
  webhook: WebhookFacts;
  request: PostRequest;
  body: Buffer;
}

async function note(
  { log }: Receiver,
  { place, webhook, request, body }: RefusedPost,
  code: WebhookRefusal,
  isProven: boolean,
): Promise<void> {
  const stated = Number(request.headers["content-length"]);
  await log.noteRefusal(place, {
    ...{ code, isProven, status: REFUSED[answerCode(code)], headers: headersOf(request, webhook) },
    // What the database can't keep is shown as what it is not: the text is only looked at.
    body: body
      .subarray(0, EXCERPT_LENGTH * 4)
      .toString("utf8")
      .replaceAll("\0", "\uFFFD"),
    size: body.length > 0 || !Number.isSafeInteger(stated) ? body.length : Math.min(stated, 2_147_483_647),
  });
}

const bodyOf = (request: PostRequest): Buffer => (Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));

const headersOf = (request: PostRequest, webhook: WebhookFacts) => keptHeaders(request.headers, webhook);

function readJson(body: Buffer): Value | undefined {
  try {
    const payload = parseJson(body.toString("utf8"));
    return isValue(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** What Slack wants back before it saves an address; null: the post is none that asks for it. */
function challengeOf(payload: Value): string | null {
  if (payload === null || typeof payload !== "object" || Array.isArray(payload)) return null;
  const { type, challenge } = payload;
  return type === "url_verification" && typeof challenge === "string" ? challenge : null;
}

function answer(reply: FastifyReply, taken: Exclude<Taken, { kind: "tooMany" }>): FastifyReply {
  if (taken.kind === "pipeline") return sendAnswer(reply, taken.answer);
  return reply.code(taken.status).type("application/json; charset=utf-8").send(taken.body);
}

function sendAnswer(reply: FastifyReply, { status, headers, body }: PostAnswer): FastifyReply {
  const isJson = /^\s*[[{]/.test(body);
  reply.code(status).type(isJson ? "application/json; charset=utf-8" : "text/plain; charset=utf-8");
  for (const { name, value } of headers) {
    if (/^[\w-]+$/.test(name) && !KEPT_HEADERS.test(name)) reply.header(name, value);
  }
  return reply.header("content-security-policy", "default-src 'none'; sandbox").send(body);
}

const answerCode = (code: WebhookRefusal | "not_found"): AnswerCode =>
  code === "not_active" || code === "too_many_posts" || code === "too_many_unproven" ? ANSWERED[code] : code;

function refuse(reply: FastifyReply, refusal: WebhookRefusal | "not_found"): FastifyReply {
  const code = answerCode(refusal);
  return reply
    .code(REFUSED[code])
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ code, status: REFUSED[code] }));
}
