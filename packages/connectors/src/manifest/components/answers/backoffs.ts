/** How long to wait before a request is tried again. The engine waits; these say how long. */
import { defineComponent, optional, Text, type Component } from "../component.ts";
import { TemplateError } from "../../template/errors.ts";
import { compilePattern, searchPattern } from "../../template/patterns.ts";
import { headerFacts } from "./header-facts.ts";
import type { BoundTemplate, Facts, Judged } from "../model.ts";

const factsOf = ({ answer, response }: Judged): Facts => ({ response, headers: headerFacts(answer.headers) });
const secondsOf = (template: BoundTemplate, facts: Facts, missing: number): number => {
  const value = Number(template.text(facts) || missing);
  return Number.isFinite(value) ? value : missing;
};

/** A header's value, or the part of it that a pattern finds. */
function headerOf({ answer }: Judged, name: string, pattern: RegExp | null): string | null {
  const value = answer.headers[name.toLowerCase()]?.trim();
  if (value === undefined || pattern === null) return value ?? null;
  try {
    return searchPattern(pattern, value);
  } catch (error) {
    // A header that takes a pattern for ever says nothing.
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

/** Exponential waits grow no further. */
const MAX_ATTEMPTS = 10;

export const BACKOFFS: readonly Component<"backoff">[] = [
  defineComponent({
    type: "ConstantBackoffStrategy",
    family: "backoff",
    options: { backoff_time_in_seconds: Text },
    make({ backoff_time_in_seconds }, build) {
      const seconds = build.template(backoff_time_in_seconds);
      return { waitMs: (judged) => secondsOf(seconds, factsOf(judged), 0) * 1000 };
    },
  }),
  defineComponent({
    type: "ExponentialBackoffStrategy",
    family: "backoff",
    options: { factor: optional(Text) },
    make({ factor }, build) {
      const base = build.template(factor ?? "5");
      return {
        waitMs: (judged) => secondsOf(base, factsOf(judged), 5) * 2 ** Math.min(judged.attempt, MAX_ATTEMPTS) * 1000,
      };
    },
  }),
  defineComponent({
    type: "WaitTimeFromHeader",
    family: "backoff",
    options: { header: Text, regex: optional(Text), max_waiting_time_in_seconds: optional(Text) },
    make({ header, regex, max_waiting_time_in_seconds: most }, build) {
      const [name, pattern] = [build.template(header), patternOf(regex, build.problem)];
      const limit = most ? Number(most) : Infinity;
      return {
        waitMs(judged) {
          const seconds = Number.parseFloat(headerOf(judged, name.text(), pattern) ?? "");
          if (!Number.isFinite(seconds)) return null;
          // A system that asks for more is not waited for.
          return seconds > limit ? Infinity : seconds * 1000;
        },
      };
    },
  }),
  defineComponent({
    type: "WaitUntilTimeFromHeader",
    family: "backoff",
    options: { header: Text, regex: optional(Text), min_wait: optional(Text) },
    make({ header, regex, min_wait }, build) {
      const [name, pattern, least] = [
        build.template(header),
        patternOf(regex, build.problem),
        build.template(min_wait ?? "0"),
      ];
      return {
        waitMs(judged) {
          const until = headerOf(judged, name.text(), pattern);
          const minimum = secondsOf(least, factsOf(judged), 0) * 1000;
          const number = Number(until ?? Number.NaN);
          const moment = Number.isFinite(number) ? number * 1000 : Date.parse(until ?? "");
          if (!Number.isFinite(moment)) return minimum > 0 ? minimum : null;
          return Math.max(moment - build.runtime.now().getTime(), minimum);
        },
      };
    },
  }),
];

function patternOf(regex: string | null | undefined, problem: (sentence: string) => Error): RegExp | null {
  if (!regex) return null;
  try {
    return compilePattern(regex);
  } catch (error) {
    if (error instanceof TemplateError)
      throw problem(`the regex of a backoff strategy can't be used: ${error.message}`);
    throw error;
  }
}
