/** Errors that answers name although their status is a success, and which of them say that a record is not there. */
import { compileSelector, jsonOf, type Answer } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { Value } from "@accord/contracts/data/values";
import { isObject } from "./records.ts";

/** What a success says went wrong. */
export interface NamedError {
  /** For people: the system's own words, or the member that says so. */
  words: string;
  /** The number it gives the error; null: none. */
  code: number | null;
}

type Selector = (value: Value) => Value | undefined;

const USUAL_WORDS = [
  "message",
  "error.message",
  "error_description",
  "detail",
  "title",
  "error",
  "errors[0].message",
  "errors[0]",
  "msg",
  "fault.faultstring",
  "errorMessages[0]",
].map(compileSelector);

interface NamedStatuses {
  errorCodeSelector: string;
  errorStatuses: Readonly<Record<string, number>>;
}

/** Refusals with the status that the code in them means: some APIs refuse too many calls with 403, a locked record with 400. */
export function meantStatus({ errorCodeSelector, errorStatuses }: NamedStatuses): (answer: Answer) => Answer {
  if (errorCodeSelector === "") return (answer) => answer;
  const codeOf = compileSelector(errorCodeSelector);
  return (answer) => {
    const code = answer.ok ? null : codeOf(jsonIn(answer));
    const status = typeof code === "string" && Object.hasOwn(errorStatuses, code) ? errorStatuses[code] : undefined;
    return status === undefined ? answer : { ...answer, status };
  };
}

/** Members that mean nothing but an error. Many APIs always have them, and leave them empty when all is well. */
const ERRORS = ["error", "errors", "fault", "errorMessages"];
const CODES = ["code", "error_code", "errorCode", "errcode", "status"];
const FAILED = /^(error|fail|failed|failure)$/i;
/** Words that many APIs answer with every success. */
const ALL_WELL = /^(ok|okay|done|success|successful|successfully|no error)[.!]?$/i;
/** What APIs number a success, beside the statuses of HTTP: 0, 1, 1000, 20000 … */
const isSuccessCode = (code: number): boolean => (code >= 200 && code <= 299) || /^[012]0*$/.test(String(code));

/** The system's own words: at the configured place, or where nothing stands there in the usual ones. */
export const wordsIn = (answer: Answer, errorAt: Selector | null): string | null => wordsOf(jsonIn(answer), errorAt);

function wordsOf(json: Value, errorAt: Selector | null): string | null {
  for (const read of [...(errorAt ? [errorAt] : []), ...USUAL_WORDS]) {
    const found = read(json);
    if (typeof found === "string" && found.trim() !== "") return found.trim().slice(0, 500).replace(/\.$/, "");
  }
  return wordsByField(errorAt?.(json)) ?? wordsByField(isObject(json) ? json["errors"] : undefined);
}

/** Complaints by the name of the field they are about: `{ "email": ["is invalid", "is taken"] }`. */
function wordsByField(found: Value | undefined): string | null {
  if (found === undefined || !isObject(found)) return null;
  const said = Object.entries(found).flatMap(([field, complaints]) =>
    (Array.isArray(complaints) ? complaints : [complaints]).flatMap((complaint) =>
      typeof complaint === "string" && complaint.trim() !== "" ? [`${field} ${complaint.trim()}`] : [],
    ),
  );
  return said.length === 0 ? null : said.join("; ").slice(0, 500).replace(/\.$/, "");
}

/** Some APIs answer every call with a success, and say in the body that it failed. */
export const saysItFailed = (json: Value): boolean =>
  isObject(json) && (json["ok"] === false || json["success"] === false);

/** The error that the answer to a write names where it holds no record. A `message` may well be that it worked. */
export const writeErrorIn = (answer: Answer, errorAt: Selector | null): NamedError | null =>
  surelyNamed(jsonIn(answer), errorAt);

function surelyNamed(json: Value, errorAt: Selector | null): NamedError | null {
  if (!isObject(json)) return null;
  const code = codeIn(json);
  const named = ERRORS.map((name) => json[name]).find(isError);
  const isFailed = FAILED.test(String(json["status"] ?? "")) || (code !== null && code >= 400 && !isSuccessCode(code));
  if (named === undefined && !isFailed && !saysItFailed(json)) return null;
  return { words: wordsOf(json, errorAt) ?? excerptOf(named ?? json), code };
}

/** The error that the answer to a read names where it holds neither record nor list: there any words are about that. */
export function readErrorIn(answer: Answer, errorAt: Selector | null): NamedError | null {
  const json = jsonIn(answer);
  const named = surelyNamed(json, errorAt);
  if (named || !isObject(json)) return named;
  const code = codeIn(json);
  const said = wordsOf(json, errorAt);
  const words = said !== null && ALL_WELL.test(said) ? null : said;
  const isFailed = code !== null && !isSuccessCode(code);
  return words === null && !isFailed ? null : { words: words ?? excerptOf(json), code };
}

const SAYS_NOT_FOUND = /(?<!\bE)not[ _-]?found|no such (?!host)|does(n't|n’t| not) exist/i;
const NOT_FOUND_CODES: readonly (number | null)[] = [404, 410];

/** What calls name that is not the record they ask for. Singular. */
const OTHER_THINGS = new Set(
  `account action api app application argument attribute branch bucket client column company credential customer
  database domain endpoint environment field file function group index login method model module object operation
  organisation organization page parameter parent path permission plan project property relation role route scope
  server service session site store subscription table team template tenant token uri url user version
  workspace`.split(/\s+/),
);

/**
 * Whether an error only says that there is no such record. One that names something else, as an account or a field,
 * says nothing of the record, unless the entity itself is called that.
 */
export function saysNoSuchRecord(
  { words, code }: NamedError,
  entity: Pick<HttpEntityConfig, "apiName" | "displayName">,
): boolean {
  if (!SAYS_NOT_FOUND.test(words) && !NOT_FOUND_CODES.includes(code)) return false;
  const own = new Set(singularsOf(`${entity.apiName} ${entity.displayName}`));
  return singularsOf(words).every((word) => own.has(word) || !OTHER_THINGS.has(word));
}

/** Words in lower case and singular; those of `camelCase` and `snake_case` apart. */
const singularsOf = (text: string): string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .map((word) => word.replace(/ies$/, "y").replace(/(?<=[^s])s$/, ""));

const excerptOf = (value: Value): string => JSON.stringify(value).slice(0, 500);

/** Null where the body is no JSON. */
function jsonIn(answer: Answer): Value {
  try {
    return jsonOf(answer);
  } catch {
    return null;
  }
}

function codeIn(json: { [name: string]: Value }): number | null {
  const first = Array.isArray(json["errors"]) ? json["errors"][0] : undefined;
  const found = [json, json["error"] ?? null, first ?? null].flatMap((place) =>
    isObject(place) ? CODES.map((name) => place[name]) : [],
  );
  return [...found, json["error"]].map(wholeNumber).find((code) => code !== null && code !== 0) ?? null;
}

const wholeNumber = (value: Value | undefined): number | null =>
  typeof value === "number" || (typeof value === "string" && /^-?\d{1,9}$/.test(value)) ? Number(value) : null;

/** Where an error stands in every answer, its code and words say that there is none; other members are ids and the like. */
function isError(value: Value | undefined): boolean {
  if (value === undefined || !isObject(value)) return Array.isArray(value) ? value.length > 0 : isBad(value);
  const judged = JUDGED.filter((name) => value[name] !== undefined);
  return judged.length > 0 ? judged.some((name) => isBad(value[name])) : Object.keys(value).length > 0;
}

const JUDGED = ["code", "message", "msg", "status", "type", "description"];

function isBad(value: Value | undefined): boolean {
  if (typeof value === "string") return value.trim() !== "" && value !== "0" && !ALL_WELL.test(value.trim());
  if (typeof value === "number") return !isSuccessCode(value);
  return value !== undefined && value !== null && value !== false;
}
