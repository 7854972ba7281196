/** Results of data requests as records and calls may hold them. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { fill } from "@accord/contracts/messages/fill";
import { isTooDeep, MAX_LEVELS, storable, storableText } from "@accord/expressions";
import type { DataResult } from "../../functions/data-requests.ts";

const TOO_DEEP: DataResult = {
  ok: false,
  code: "too_deep",
  message: fill(runTexts.answerTooDeep, { limit: MAX_LEVELS }),
};

/** What the world answers goes into records and calls: it must not hold what can't be stored either. */
export function sanitizeResult(answer: DataResult): DataResult {
  if (!answer.ok) return { ...answer, message: storableText(answer.message) };
  if (answer.found.some((values) => isTooDeep(values))) return TOO_DEEP;
  return { ok: true, found: answer.found.map((values) => storable(values)) };
}
