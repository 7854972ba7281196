/** What is wrong with a field of what was sent, where its schema has no words of its own. Continues “Port …”. */
import { z } from "zod";

/** Makes zod say it in these words; once for each program, before anything is parsed. */
export function describeInputs(): void {
  z.config({ customError: inputProblem });
}

type Issue = Parameters<NonNullable<ReturnType<typeof z.config>["customError"]>>[0];

export function inputProblem(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "too_small":
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive !== false);
    case "too_big":
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive !== false);
    case "invalid_format":
      return `must be ${FORMATS[issue.format] ?? "written in another way"}`;
    case "invalid_value":
      return issue.input === undefined ? "is required" : `must be ${choice(issue.values)}`;
    case "invalid_union":
      return issue.input === undefined ? "is required" : "is of no kind that is accepted here";
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    default:
      return undefined;
  }
}

const TYPES: Partial<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "empty",
};

const FORMATS: Partial<Record<string, string>> = {
  email: "an e-mail address",
  url: "an address such as https://example.com",
  datetime: "a time such as 2026-01-31T14:30:00Z",
  date: "a day such as 2026-01-31",
  time: "a time of day such as 14:30:00",
};

function tooSmall(origin: string, least: number, inclusive: boolean): string {
  if (origin === "string") return least === 1 ? "is required" : `must have at least ${least} characters`;
  if (origin === "array" || origin === "set")
    return least === 1 ? "needs at least one entry" : `needs at least ${least} entries`;
  return inclusive ? `must be ${least} or more` : `must be more than ${least}`;
}

function tooBig(origin: string, most: number, inclusive: boolean): string {
  if (origin === "string") return `must have at most ${most} characters`;
  if (origin === "array" || origin === "set") return `takes at most ${most} ${most === 1 ? "entry" : "entries"}`;
  return inclusive ? `must be ${most} or less` : `must be less than ${most}`;
}

/** So many choices are worth reading. */
const CHOICES_TOLD = 12;

function choice(values: readonly unknown[]): string {
  const texts = values.map(String);
  if (texts.length === 1) return texts.join("");
  return texts.length > CHOICES_TOLD ? "one of the values that are offered" : `one of ${texts.join(", ")}`;
}
