/** Takes a post that is proven and is JSON: kept for good, then answered; syncing begins at once. */
import { recordsIn, type WebhookConfig } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import type { Value } from "@accord/contracts/data/values";
import { fill } from "@accord/contracts/messages/fill";
import type { Deps } from "../../../platform/deps.ts";
import { orLate } from "../../../platform/or-late.ts";
import type { PostFacts, WebhookInbox, WebhookPlace } from "./inbox.store.ts";

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

/** Who answers: a realtime pipeline, the webhook as it is set, or nobody in time. */
export type Taken =
  | { kind: "tooMany" }
  | { kind: "pipeline"; number: number; answer: PostAnswer }
  /** `number` null: it was kept before, under this id. */
  | { kind: "own"; number: number | null; status: number; body: string }
  | { kind: "late"; number: number; status: number; body: string };

export interface ProvenPost {
  place: WebhookPlace & { address: string };
  config: WebhookConfig;
  readers: PostReaders;
  messageId: string;
  isBodyId: boolean;
  proofId?: string | null;
  body: string;
  payload: Value;
  /** Counted before it was read as JSON. */
  isCounted: boolean;
  log: Omit<PostFacts, "records">;
}

export interface AcceptParts {
  inbox: Pick<WebhookInbox, "keep" | "release">;
  log: Pick<Deps["log"], "warn">;
  /** Milliseconds after which a caller no longer waits for a pipeline. */
  answerMs: number;
}

const LATE = { status: 504, body: '{"accepted":true}' };

export async function acceptPost({ inbox, log, answerMs }: AcceptParts, post: ProvenPost): Promise<Taken> {
  const { place, config, readers, payload, messageId } = post;
  const later = readers.mayAnswer ? { holdMs: answerMs, wakes: [] } : { holdMs: null, wakes: readers.pipelineIds };
  const records = recordsIn(payload, config).length;
  const own = { kind: "own", status: config.responseCode, body: ownAnswer(config, records, messageId) } as const;
  const { isTooMany, number, woken } = await inbox.keep(
    place,
    {
      ...{
        messageId,
        isBodyId: post.isBodyId,
        proofId: post.proofId ?? null,
        body: post.body,
        isCounted: post.isCounted,
      },
      ...{ status: config.responseCode, log: { ...post.log, records } },
      ...later,
    },
    config.postsPerMinute,
  );
  if (isTooMany) return { kind: "tooMany" };
  if (number === null) return { ...own, number };
  const answered = readers.mayAnswer ? await answerOrWait(() => readers.answer(number), answerMs, place, log) : null;
  const taken: Taken =
    answered === "late"
      ? { kind: "late", number, ...LATE }
      : answered
        ? { kind: "pipeline", number, answer: answered }
        : { ...own, number };
  const asleep = readers.pipelineIds.filter((pipelineId) => !woken.includes(pipelineId));
  try {
    if (readers.mayAnswer) await inbox.release(place, number, statusOf(taken));
    if (asleep.length > 0) await readers.wake(asleep);
  } catch (error) {
    // It is kept: answered with a failure it would be sent again, and read no sooner for that.
    log.warn({ err: error, ...place }, "pipelines of a webhook could not be woken; they read it when they are due");
  }
  return taken;
}

const statusOf = (taken: Exclude<Taken, { kind: "tooMany" }>): number =>
  taken.kind === "pipeline" ? taken.answer.status : taken.status;

/** What the webhook itself is set to answer: plain replacement, always JSON. */
export const ownAnswer = (
  { responseTemplate }: Pick<WebhookConfig, "responseTemplate">,
  count: number,
  messageId: string,
): string => fill(responseTemplate, { count, id: JSON.stringify(messageId).slice(1, -1) });

/** The post is safe already: a pipeline that can't answer, or not in time, changes nothing about that. */
async function answerOrWait(
  ask: () => Promise<PostAnswer | null>,
  answerMs: number,
  place: WebhookPlace,
  log: AcceptParts["log"],
): Promise<PostAnswer | "late" | null> {
  try {
    return await orLate(ask(), answerMs);
  } catch (error) {
    log.warn({ err: error, ...place }, "a pipeline could not answer its webhook");
    return null;
  }
}
