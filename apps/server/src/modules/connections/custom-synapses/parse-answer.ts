/** A JSON answer that somebody pasted. */
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { Value } from "@accord/contracts/data/values";
import { invalidField } from "../../../platform/http/app-error.ts";

/** @throws AppError("validation_failed") */
export function parseAnswer(text: string): Value {
  try {
    return parseExactJson(text);
  } catch {
    throw invalidField("json", "must be JSON: paste the whole answer");
  }
}
