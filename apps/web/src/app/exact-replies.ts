/** Replies with numbers that JavaScript would round: their digits stay as the server wrote them, until they go back to it. */
import { parseExactJson } from "@accord/contracts/data/exact-json";
import { isExactNumber } from "@accord/contracts/data/exact-number";
import { replaceEqualDeep } from "@tanstack/react-query";

/** Browsers without exact numbers round them, as they always did. */
const KEEPS_NUMBERS = "rawJSON" in JSON;

/** JSON whose numbers keep their digits. Throws `SyntaxError`. */
export const parseReply = (text: string): unknown => (KEEPS_NUMBERS ? parseExactJson(text) : JSON.parse(text));

const isExact = (value: unknown): boolean =>
  isExactNumber(value) || (typeof value === "object" && value !== null && Object.values(value).some(isExact));

/**
 * What to show after a refresh: unchanged parts stay the same objects, so that nothing is drawn in vain. Copying takes
 * an exact number for an object with members: a reply that has one is taken whole.
 */
export const shareReply = (shown: unknown, next: unknown): unknown =>
  KEEPS_NUMBERS && isExact(next) ? next : replaceEqualDeep(shown, next);
