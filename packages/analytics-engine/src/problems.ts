/** Why a dataset or card cannot be run: a code with facts, at the place it concerns. The words are in the messages. */

export const DATASET_PROBLEM_CODES = [
  "sources_missing",
  "fields_missing",
  "source_unknown",
  "source_cycle",
  "source_too_deep",
  "sources_too_many",
  "statement_too_long",
  "alias_taken",
  "field_unknown",
  "field_ambiguous",
  "source_not_joined",
  "join_not_connected",
  "join_types_mixed",
  "join_field_types",
  "aggregate_missing",
  "aggregate_without_group",
  "aggregate_not_for_type",
  "aggregate_in_filter",
  "grain_not_date",
  "group_field_unknown",
  "sort_field_unknown",
  "filter_invalid",
  "having_invalid",
  "formula_invalid",
  "variable_unknown",
  "variable_required",
  "variable_value_invalid",
  "limit_invalid",
  "sql_unavailable",
  "sql_missing",
  "sql_columns_missing",
  "sql_invalid",
  "written_too_heavy",
  "written_too_wide",
  "written_too_many",
  "written_too_long",
  "card_incomplete",
  "card_column_unknown",
] as const;
export type DatasetProblemCode = (typeof DATASET_PROBLEM_CODES)[number];

/** `path` is dotted and leads into the configuration: `selectedFields.2`. */
export interface DatasetProblem {
  path: string;
  code: DatasetProblemCode;
  facts: Record<string, string>;
}

/** Thrown with every problem found, so that all can be mended in one go. */
export class DatasetError extends Error {
  override readonly name = "DatasetError";
  readonly problems: readonly DatasetProblem[];

  constructor(problems: readonly DatasetProblem[]) {
    super(problems.map((problem) => `${problem.path}: ${problem.code}`).join("; "));
    this.problems = problems;
  }
}
