/** Values on their way into code and back: JSON, in which numbers of more digits than JavaScript's keep them. */
import { isExactNumber } from "@accord/contracts/data/exact-number";
import type { Value } from "@accord/contracts/data/values";
import { EXACT_NUMBER } from "./guest/prelude.ts";
import type { CodeFailure } from "./protocol.ts";

/** What a program may pass for such a number: it can make them up. */
const NUMBER = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][-+]?\d{1,3})?$/;

export const encodeArguments = (args: readonly Value[]): string =>
  JSON.stringify(args, (_, value: unknown) => (isExactNumber(value) ? { [EXACT_NUMBER]: value.rawJSON } : value));

const UNUSABLE: CodeFailure = {
  ...{ ok: false, code: "code_result_unusable" },
  message: "What it returned can't be read.",
};

/** The value that a program gave, or why it is none. */
export function decodeResult(output: string): { ok: true; value: Value } | CodeFailure {
  let isSound = true;
  try {
    const value: Value = JSON.parse(output, (name, part: unknown) => {
      isSound &&= name !== "__proto__";
      if (typeof part !== "object" || part === null || !Object.hasOwn(part, EXACT_NUMBER)) return part;
      const digits: unknown = Object.values(part)[0];
      if (typeof digits === "string" && NUMBER.test(digits)) return JSON.rawJSON(withoutLeadingZeros(digits));
      isSound = false;
      return null;
    });
    return isSound ? { ok: true, value } : UNUSABLE;
  } catch {
    return UNUSABLE;
  }
}

/** JSON knows none. */
const withoutLeadingZeros = (digits: string): string => digits.replace(/^(-?)0+(?=\d)/, "$1");

/** The fields that code returned; null: it returned no object. */
export const fieldsOf = (value: Value): { [field: string]: Value } | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value) ? value : null;
