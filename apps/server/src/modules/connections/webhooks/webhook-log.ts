/** What a person sees of the posts to a webhook, and having one processed again. */
import { webhookRefusals } from "@accord/contracts/messages/en/synapses/webhook-refusals";
import { randomUUID } from "node:crypto";
import { findConnectorType, pickRecords, recordsIn, tryPayload, WebhookConfig } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import { type WebhookLogEntry, type WebhookOutcome, type WebhookPost } from "@accord/contracts/connections/webhooks";
import { isValue, type Values } from "@accord/contracts/data/values";
import type { ZodError } from "zod";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { parseJson } from "../../../platform/http/request/read-body.ts";
import { acceptPost, ownAnswer } from "./accept-post.ts";
import type { WebhookInbox, WebhookPlace } from "./inbox.store.ts";
import type { LogKey, LogKind, LogRow, PostLog } from "./post-log.store.ts";
import { ANSWER_MS } from "./receiver.ts";
import type { WebhookSources } from "./webhook-finder.ts";

/** Characters of a body in the list, and where one post is looked at. */
const BEGINNING = 300;
const SHOWN = 200_000;

interface LogParts extends WebhookSources {
  deps: Pick<Deps, "log">;
  inbox: WebhookInbox;
  log: PostLog;
  hasSecretFields(at: Id<"instance">, connectorId: string): Promise<boolean>;
}

interface LogPage {
  cursor?: string | undefined;
  direction: "next" | "previous";
  count: number;
  outcome?: WebhookOutcome | undefined;
}

export function webhookLog({ deps, inbox, log, findWebhook, findReaders, hasSecretFields }: LogParts) {
  const demand = async ({ instanceId, connectorId }: WebhookPlace) => {
    const webhook = await findWebhook(instanceId, connectorId);
    if (!webhook) throw new AppError("not_found", { what: "Webhook" });
    return webhook;
  };
  const demandPost = async (place: WebhookPlace, kind: LogKind, number: number) => {
    const found = await log.find(place, kind, number);
    if (!found) throw new AppError("not_found", { what: "Post" });
    return found;
  };

  return {
    demand,

    async list(place: WebhookPlace, query: LogPage) {
      await demand(place);
      const isHidden = await hasSecretFields(place.instanceId, place.connectorId);
      const { cursor, direction, count, outcome } = query;
      const from = cursor === undefined ? null : readCursor(cursor);
      const [found, cut] = await Promise.all([log.list(place, { from, direction, count, outcome }), log.cut(place)]);
      const kept = found.slice(0, count);
      const rows = direction === "next" ? kept : kept.toReversed();
      const isMore = found.length > count;
      const [first, last] = [rows[0], rows.at(-1)];
      return {
        entries: rows.map((row) => entryOf(row, isHidden, BEGINNING)),
        page: {
          nextCursor: last && (direction === "previous" || isMore) ? writeCursor(last) : null,
          previousCursor: first && (direction === "next" ? from !== null : isMore) ? writeCursor(first) : null,
        },
        cut,
      };
    },

    async post(place: WebhookPlace, kind: LogKind, number: number): Promise<WebhookPost> {
      const webhook = await demand(place);
      const [found, isHidden] = await Promise.all([
        demandPost(place, kind, number),
        hasSecretFields(place.instanceId, place.connectorId),
      ]);
      const body = found.body ?? "";
      const picked = kind === "post" && !isHidden ? pickRecords(WebhookConfig.parse(webhook.config), body) : null;
      return {
        ...entryOf(found, isHidden, SHOWN),
        headers: found.headers.map(([name, value]) => ({ name, value })),
        isCut: body.length > SHOWN || (kind === "refusal" && (found.size ?? 0) > Buffer.byteLength(body)),
        isHidden,
        picked: picked && { ...picked, bad: picked.bad.map(({ excerpt: _, ...rest }) => rest) },
      };
    },

    /** By the settings and pipelines of now; the sender gets no answer from it. */
    async replay(place: WebhookPlace, number: number) {
      const webhook = await demand(place);
      if (webhook.status !== "ACTIVE") throw new AppError("connector_not_active");
      const found = await demandPost(place, "post", number);
      const payload = found.body === null ? undefined : parseJson(found.body);
      const address = await inbox.addressOf(place);
      if (!isValue(payload) || found.body === null)
        throw new AppError("invalid_state", { reason: webhookRefusals.noPayload });
      if (address === null) throw new AppError("invalid_state", { reason: webhookRefusals.noAddress });
      const [readers, isHidden] = await Promise.all([
        findReaders(place.instanceId, place.connectorId),
        hasSecretFields(place.instanceId, place.connectorId),
      ]);
      const config = WebhookConfig.parse(webhook.config);
      const size = found.size ?? Buffer.byteLength(found.body);
      // Once it is kept nothing may fail: who asks again would have it processed twice.
      const recordCount = recordsIn(payload, config).length;
      const taken = await acceptPost(
        { inbox, log: deps.log, answerMs: ANSWER_MS },
        {
          place: { ...place, address },
          ...{ config, readers, payload, body: found.body },
          // A person asked for it, and is limited as such.
          ...{ messageId: `replay-${randomUUID()}`, isBodyId: false, isCounted: true },
          log: { headers: found.headers, size, replayOf: number },
        },
      );
      if (taken.kind === "tooMany" || taken.number === null)
        throw new AppError("invalid_state", { reason: webhookRefusals.notKept });
      const answer = taken.kind === "pipeline" ? taken.answer : taken;
      return {
        number: taken.number,
        status: answer.status,
        answer: isHidden ? null : answer.body,
        recordCount,
        pipelineCount: readers.pipelineIds.length,
      };
    },
  };
}

/** What a webhook with these settings would make of a payload; nothing is stored. */
export function tryOut(settings: Values, payload: string) {
  const problems = findConnectorType("webhook")?.editProblems(settings, null) ?? [];
  if (problems.length > 0) throw refused(problems.map(({ path, message }) => ({ path: `config.${path}`, message })));
  const config = WebhookConfig.parse(settings);
  const tried = tryPayload(config, payload);
  if (!tried) throw refused([{ path: "payload", message: "must be JSON" }]);
  return {
    ...tried,
    bad: tried.bad.map(({ excerpt: _, ...rest }) => rest),
    answer: { status: config.responseCode, body: ownAnswer(config, tried.count, "id-of-the-post") },
  };
}

export const configProblems = ({ issues }: ZodError): AppError =>
  refused(issues.map(({ path, message }) => ({ path: `config.${path.join(".")}`, message })));

const refused = (errors: { path: string; message: string }[]): AppError =>
  new AppError("validation_failed", {}, { errors });

const entryOf = (row: LogRow, isHidden: boolean, characters: number): WebhookLogEntry => ({
  at: row.at,
  kind: row.kind,
  number: row.number,
  outcome: row.kind === "refusal" ? "refused" : row.records === 0 ? "noRecords" : "accepted",
  status: row.status,
  code: row.code,
  times: row.times,
  messageId: row.messageId,
  size: row.size,
  recordCount: row.records,
  replayOf: row.replayOf,
  // Secret values may stand anywhere in it.
  body: isHidden ? null : (row.body?.slice(0, characters) ?? null),
});

const writeCursor = ({ atKey, kind, number }: LogKey): string => `${atKey}_${kind}_${number}`;

function readCursor(cursor: string): LogKey {
  const [, atKey, kind, number] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_(post|refusal)_(\d{1,15})$/.exec(cursor) ?? [];
  if (atKey === undefined || Number.isNaN(Date.parse(atKey)))
    throw refused([{ path: "cursor", message: "is no cursor of this list" }]);
  return { atKey, kind: kind === "post" ? "post" : "refusal", number: Number(number) };
}
