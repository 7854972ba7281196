/** Problems of datasets and cards as an answer people can act on: each names its field and what to do. */
import { DatasetError, type DatasetProblem } from "@accord/analytics-engine";
import type { FieldProblem } from "@accord/contracts";
import type { CardProblem } from "@accord/cards/definitions";
import { insights } from "@accord/contracts/messages/en/insights";
import { fill } from "@accord/contracts/messages/fill";
import { AppError } from "../../../platform/http/app-error.ts";

export const datasetProblem = ({ path, code, facts }: DatasetProblem): FieldProblem => ({
  path,
  message: fill(insights.problem[code], facts),
});

export const cardProblem = ({ path, code, facts }: CardProblem): FieldProblem => ({
  path,
  message: fill(insights.cardProblem[code], facts),
});

/** `dataset_invalid` with every problem; the first one stands in the message. */
export function datasetInvalid(problems: readonly DatasetProblem[]): AppError {
  const errors = problems.map(datasetProblem);
  return new AppError("dataset_invalid", { reason: errors[0]?.message ?? "" }, { errors });
}

/** Runs `work`; problems of the dataset become an answer instead of a failure. */
export function mapDatasetErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof DatasetError) throw datasetInvalid(error.problems);
    throw error;
  }
}
