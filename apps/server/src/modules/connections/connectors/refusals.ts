/** Refusals of connector use cases. */
import type { FieldProblem } from "@accord/contracts";
import { AppError } from "../../../platform/http/app-error.ts";

/** Refuses what was sent when there is anything wrong with it. */
export function refuse(problems: FieldProblem[]): void {
  if (problems.length > 0) throw new AppError("validation_failed", {}, { errors: problems });
}

/** The system did not answer as it should: its own words, and what to do. */
export const checkFailed = (problem: { kind: string; message: string; hint?: string }): AppError =>
  new AppError("connector_check_failed", {
    reason: [problem.message, problem.hint].filter(Boolean).join(" "),
    ...problem,
  });
