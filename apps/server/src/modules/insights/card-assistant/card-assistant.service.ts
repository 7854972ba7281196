/** Answers questions for data cards: by the built-in rules, or by a model whose answer is checked like a person's edit. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { answerOf, type AskedQuestion, type QuestionSource, rankSources, refineAnswer } from "@accord/cards/questions";
import { type Id, id, type ParsedInput, type ReplyOf } from "@accord/contracts";
import {
  ASSISTANT_LIMITS,
  type CardProposal,
  type getCardAssistant,
  type proposeCard,
} from "@accord/contracts/insights/card-assistant";
import { insights } from "@accord/contracts/messages/en/insights";
import type { RateLimit } from "../../../platform/access/rate-limiter.ts";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { Features } from "../availability.ts";
import type { CardsService } from "../cards/index.ts";
import type { DatasetsService } from "../datasets/index.ts";
import { checkedProposal } from "./check-intent.ts";
import { answerSchema, readAnswer, SYSTEM_PROMPT, userMessage } from "./model-question.ts";
import { askableSources } from "./question-sources.ts";
import { withSamples } from "./sample-values.ts";

/** The configured service behind the assistant. */
export interface AssistantProvider {
  /** Null while nothing is configured. */
  findAssistant(instanceId: Id<"instance">): Promise<{ isModel: boolean; host: string; model: string } | null>;
  /** The text of a model's answer. */
  complete(
    instanceId: Id<"instance">,
    request: {
      system: string;
      user: string;
      schema: { name: string; json: Record<string, unknown> };
      maxTokens: number;
      maxBytes: number;
      timeoutMs: number;
      signal: AbortSignal;
    },
  ): Promise<string>;
}

export interface AssistantNeeds {
  provider: AssistantProvider;
  features: Features;
  datasets: DatasetsService;
  cards: CardsService;
}

type Asked = ParsedInput<typeof proposeCard>["body"];

const HOUR = 60 * 60_000;
const PER_PERSON: RateLimit = {
  ...{ scope: "cardAssistant.person", attempts: ASSISTANT_LIMITS.perPerson, windowMs: HOUR },
};
const PER_INSTANCE: RateLimit = {
  ...{ scope: "cardAssistant.instance", attempts: ASSISTANT_LIMITS.perInstance, windowMs: HOUR },
};

export function cardAssistantService(
  { clock, rateLimiter }: Pick<Deps, "clock" | "rateLimiter">,
  { provider, features, datasets, cards }: AssistantNeeds,
) {
  async function requireFeature({ instanceId }: Ctx): Promise<void> {
    if (!(await features.isEnabled(instanceId, "InsightsAI")))
      throw new AppError("feature_disabled", { feature: "InsightsAI" });
  }

  /** What is named by id is of this instance. */
  async function checkNamed({ instanceId }: Ctx, { datasetId, previous }: Asked): Promise<void> {
    if (datasetId) await datasets.read(instanceId, datasetId);
    if (previous?.source.type === "DATASET") await datasets.read(instanceId, id("dataset").parse(previous.source.id));
    if (previous?.source.type !== "ENTITY") return;
    if (!(await datasets.catalogue(instanceId)).entity(previous.source.id))
      throw new AppError("not_found", { what: "Entity" });
  }

  /** The sources a question is asked of. */
  async function sourcesFor(ctx: Ctx, { datasetId, previous, samples }: Asked) {
    const only = previous?.source ?? (datasetId ? ({ type: "DATASET", id: datasetId } as const) : undefined);
    const { catalogue, sources } = await askableSources(ctx, datasets, only);
    const [first] = sources;
    if (!first) throw new AppError("question_not_understood", { reason: insights.assistant.noSources });
    if (samples && first.source.type === "DATASET" && only)
      return { catalogue, sources: [await withSamples(ctx, cards, first)] };
    return { catalogue, sources };
  }

  return {
    async about(ctx: Ctx): Promise<ReplyOf<typeof getCardAssistant>> {
      await requireFeature(ctx);
      const assistant = await provider.findAssistant(ctx.instanceId);
      return {
        assistant: assistant === null ? "none" : assistant.isModel ? "model" : "builtIn",
        host: assistant?.host ?? "",
        model: assistant?.model ?? "",
        mayConfigure: ctx.can("SERVICE_CREDENTIAL"),
      };
    },

    async propose(ctx: Ctx, asked: Asked): Promise<CardProposal> {
      await requireFeature(ctx);
      const assistant = await provider.findAssistant(ctx.instanceId);
      if (!assistant) throw new AppError("assistant_off");
      await checkNamed(ctx, asked);
      if (!ctx.can("READ_INSIGHTS"))
        throw new AppError("question_not_understood", { reason: insights.assistant.noSources });
      await rateLimiter.consumeAttempt(PER_PERSON, [ctx.instanceId, ctx.actor.userId]);
      await rateLimiter.consumeAttempt(PER_INSTANCE, ctx.instanceId);
      const { catalogue, sources } = await sourcesFor(ctx, asked);
      const now = clock.now();
      const question = { question: asked.question, today: dayIn(now, asked.timeZone) };
      const known = { catalogue, sources, now: now.getTime(), isModel: assistant.isModel };
      if (!assistant.isModel) {
        const { intent, ignored } = await answerByRules(question, sources, asked.previous);
        return checkedProposal(intent, ignored, known);
      }
      const ranked = await rankSources(question, sources, nextTurn);
      const offered = ranked.slice(0, ASSISTANT_LIMITS.sources).map(({ source }) => source);
      const text = await provider.complete(ctx.instanceId, {
        system: SYSTEM_PROMPT,
        user: userMessage({ ...question, previous: asked.previous, sources: offered }),
        schema: { name: "card", json: answerSchema() },
        maxTokens: ASSISTANT_LIMITS.answerTokens,
        maxBytes: ASSISTANT_LIMITS.answerBytes,
        timeoutMs: ASSISTANT_LIMITS.answerMs,
        signal: ctx.exchange.signal,
      });
      return checkedProposal(readAnswer(text), [], { ...known, sources: offered });
    },
  };
}

/** @throws AppError `question_not_understood`, with what to ask instead */
async function answerByRules(question: AskedQuestion, sources: readonly QuestionSource[], previous: Asked["previous"]) {
  const answer = previous
    ? refineAnswer(question, sources, previous)
    : answerOf(await rankSources(question, sources, nextTurn));
  const { assistant } = insights;
  if (!answer)
    throw new AppError("question_not_understood", { reason: previous ? assistant.noChange : assistant.nothingNamed });
  if (!answer.intent) throw new AppError("question_not_understood", { reason: assistant.refused[answer.refusal] });
  return answer;
}

/** `YYYY-MM-DD` as it is somewhere at a moment. */
const dayIn = (now: Date, timeZone: string): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(now);
