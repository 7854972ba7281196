/** Deciding on a page whose duplicates code of a person's own judges: it is asked until it has said all. */
import type { DataResult } from "../../functions/data-requests.ts";
import { type CodeAnswers, MergeCode, NO_ANSWERS } from "../merge/duplicates/merge-code.ts";
import type { Decision } from "./decision.ts";

/** @param deduplicate leaves the batch as it is as long as code has to be asked */
export function mergingByCode(
  deduplicate: (code: MergeCode) => void,
  finish: () => Decision,
  known: CodeAnswers = NO_ANSWERS,
): Decision {
  const code = new MergeCode(known);
  deduplicate(code);
  const dataRequests = code.questions;
  if (dataRequests.length === 0) return finish();
  const resume = (answers: readonly DataResult[]): Decision => mergingByCode(deduplicate, finish, code.with(answers));
  return { ...finish(), pending: { dataRequests, resume } };
}
