/** Evaluates an alert: the card's own answer, the value that is watched, and the condition. */
import { judgeValues, type Verdict, watchedValues } from "@accord/cards/definitions";
import type { Id } from "@accord/contracts";
import type { AlertCondition, AlertWatch } from "@accord/contracts/insights/card-alerts";
import { errors } from "@accord/contracts/messages/en/errors";
import { insights } from "@accord/contracts/messages/en/insights";
import { fill } from "@accord/contracts/messages/fill";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import type { CardsService, CardViewer } from "../cards/index.ts";

export interface AlertQuestion {
  instanceId: Id<"instance">;
  cardId: Id<"dataCard">;
  watch: AlertWatch;
  condition: AlertCondition;
  viewer: CardViewer;
  /** Works the card out again instead of taking its cached answer. */
  refresh: boolean;
}

/** @throws AppError what answering the card throws; `validation_failed` when the card has no such value to watch */
export async function evaluateAlert(
  cards: Pick<CardsService, "answerSaved">,
  { instanceId, cardId, watch, condition, viewer, refresh }: AlertQuestion,
): Promise<Verdict> {
  const { configuration, data } = await cards.answerSaved(instanceId, cardId, { values: {}, refresh, viewer });
  const watched = watchedValues(configuration, data, watch);
  if (watched.kind === "problem") {
    const path = watched.problem === "no_latest" ? "watch.marks" : "watch.series";
    throw invalidField(path, insights.alerts.problem[watched.problem]);
  }
  return judgeValues(condition, watched.values);
}

/** An evaluation that did not end in time; it is aborted. */
export async function withinLimit<Result>(
  { ms, stopping }: { ms: number; stopping: AbortSignal },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new AppError("query_timeout", { seconds: ms / 1_000 })), ms);
  const signal = AbortSignal.any([stopping, late.signal]);
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(signal), aborted]);
  } finally {
    clearTimeout(timer);
  }
}

/** What people read of a failure; null for an unexpected one, whose insides are nobody's business. */
export function failureOf(error: unknown): string | null {
  if (!(error instanceof AppError)) return null;
  if (error.errors.length > 0) return error.errors.map(({ message }) => message).join(" ");
  const { message, description } = errors[error.code];
  return [message, ...(description === undefined ? [] : [description])]
    .map((text) => fill(text, error.facts))
    .join(" ");
}
