/** Makes the dataset and the card of a proposal, and refuses what a person could not save either. */
import { cardQuery, type Catalogue, DatasetError, postgres, resolveDataset } from "@accord/analytics-engine";
import { problemsOfCard } from "@accord/cards/definitions";
import { cardOfIntent, type QuestionSource, settledIntent } from "@accord/cards/questions";
import { id } from "@accord/contracts";
import { CardIntent, type CardProposal } from "@accord/contracts/insights/card-assistant";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { insights } from "@accord/contracts/messages/en/insights";
import { AppError } from "../../../platform/http/app-error.ts";
import { TIME_ZONE } from "../datasets/index.ts";
import { cardProblem, datasetProblem } from "../engine/index.ts";
import { columnsOf, datasetOfEntity } from "./question-sources.ts";

interface Known {
  catalogue: Catalogue;
  sources: readonly QuestionSource[];
  now: number;
  /** Who made the intent: only a model's answer is called one. */
  isModel: boolean;
}

type Refuse = (reason: string) => AppError;

/** @throws AppError with the first thing that is wrong: `assistant_answer_invalid` of a model, else `question_not_understood` */
export function checkedProposal(
  answer: CardIntent,
  ignored: string[],
  { catalogue, sources, now, isModel }: Known,
): CardProposal {
  const invalid: Refuse = (reason) =>
    new AppError(isModel ? "assistant_answer_invalid" : "question_not_understood", { reason });
  const source = sources.find((one) => one.source.id === answer.source.id && one.source.type === answer.source.type);
  if (!source) throw invalid(insights.assistant.sourceUnknown);
  // What its card would not show is no part of the proposal either.
  const intent = CardIntent.safeParse(settledIntent(answer, source.columns)).data;
  if (!intent) throw invalid(insights.assistant.refused.tooMuch);
  const entity = intent.source.type === "ENTITY" ? catalogue.entity(intent.source.id) : undefined;
  const datasetConfig = entity ? datasetOfEntity(entity) : null;
  const config = datasetConfig ?? catalogue.dataset(intent.source.id)?.config;
  if (!config) throw invalid(insights.assistant.sourceUnknown);
  const datasetId = datasetConfig ? null : id("dataset").parse(intent.source.id);
  const card = cardOfIntent(intent, {
    columns: source.columns,
    datasetId: datasetId ?? "",
    rowCount: insights.wizard.rowCount,
  });
  const [problem] = problemsOfCard(card).map(cardProblem);
  if (problem) throw invalid(problem.message);
  checkQuery(card, config, { catalogue, now, datasetId, invalid });
  const columns = columnsOf(config, catalogue, datasetId ?? undefined) ?? [...source.columns];
  return { intent, dataset: { id: datasetId, displayName: source.displayName, datasetConfig, columns }, card, ignored };
}

/** Columns, aggregates and filters fit: the statement can be made. It is not run here. */
function checkQuery(
  card: CardProposal["card"],
  config: DatasetConfig,
  {
    catalogue,
    now,
    datasetId,
    invalid,
  }: { catalogue: Catalogue; now: number; datasetId: string | null; invalid: Refuse },
): void {
  try {
    const dataset = resolveDataset(config, catalogue, { timeZone: TIME_ZONE, ...(datasetId ? { datasetId } : {}) });
    cardQuery(card, dataset, { dialect: postgres, timeZone: TIME_ZONE, now });
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    const [first] = error.problems.map(datasetProblem);
    throw invalid(first?.message ?? "");
  }
}
