/** What answers mean: filters and handlers of a manifest, and the classified errors they come to. */
import { classifyStatus, ConnectorError, type ConnectorErrorKind } from "@accord/connector-sdk";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import { isExactNumber } from "@accord/contracts/data/exact-number";
import type { Value, Values } from "@accord/contracts/data/values";
import { z } from "zod";
import { defineComponent, optional, Parts, Text, type Component } from "../component.ts";
import type { Action, Backoff, ErrorHandler, Facts, Judged, Judgement, ResponseFilter } from "../model.ts";
import { headerFacts } from "./header-facts.ts";
import { textIn } from "./json.ts";

const RETRIED: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);

/** Without a word of the manifest: success as it is, too many calls and problems of the system are tried again. */
export const STANDARD_HANDLER: ErrorHandler = {
  judge({ answer }) {
    const action: Action = answer.ok
      ? "success"
      : answer.status === 429
        ? "rateLimited"
        : RETRIED.has(answer.status) || answer.status > 504
          ? "retry"
          : "fail";
    return { action, message: null, failure: null, waitMs: null, isStandard: true };
  },
};

const ACTIONS: Readonly<Record<string, Action>> = {
  SUCCESS: "success",
  RETRY: "retry",
  FAIL: "fail",
  IGNORE: "ignore",
  RATE_LIMITED: "rateLimited",
  REFRESH_TOKEN_THEN_RETRY: "renew",
};

const factsOf = ({ answer, response }: Judged): Facts => ({ response, headers: headerFacts(answer.headers) });

export const RESPONSE_FILTERS: readonly Component<"responseFilter">[] = [
  defineComponent({
    type: "HttpResponseFilter",
    family: "responseFilter",
    options: {
      action: optional(z.enum(["SUCCESS", "RETRY", "FAIL", "IGNORE", "RATE_LIMITED", "REFRESH_TOKEN_THEN_RETRY"])),
      failure_type: optional(z.enum(["system_error", "config_error", "transient_error"])),
      error_message: optional(Text),
      error_message_contains: optional(Text),
      http_codes: optional(z.array(z.coerce.number().int())),
      predicate: optional(Text),
    },
    make(options, build): ResponseFilter {
      const predicate = options.predicate ? build.template(options.predicate) : null;
      const message = build.template(options.error_message ?? "");
      const part = options.error_message_contains ?? null;
      const codes = new Set(options.http_codes ?? []);
      const isMatch = (judged: Judged): boolean =>
        codes.has(judged.answer.status) ||
        (predicate?.isTrue(factsOf(judged)) ?? false) ||
        (part !== null && saidIn(judged).some((words) => words.includes(part)));
      return {
        match(judged) {
          if (!isMatch(judged)) return null;
          const standard = STANDARD_HANDLER.judge(judged).action;
          const action = options.action
            ? (ACTIONS[options.action] ?? "fail")
            : standard === "success"
              ? "fail"
              : standard;
          return { action, message: message.text(factsOf(judged)) || null, failure: options.failure_type ?? null };
        },
      };
    },
  }),
];

export const ERROR_HANDLERS: readonly Component<"errorHandler">[] = [
  defineComponent({
    type: "DefaultErrorHandler",
    family: "errorHandler",
    options: {
      response_filters: optional(Parts),
      backoff_strategies: optional(Parts),
      // The engine decides how often and how long something is tried again.
      max_retries: optional(z.unknown()),
    },
    slots: { response_filters: { type: "HttpResponseFilter" }, backoff_strategies: {} },
    make({ response_filters, backoff_strategies }, build) {
      const filters = (response_filters ?? []).map((node) => build.make("responseFilter", node));
      const backoffs = (backoff_strategies ?? []).map((node) => build.make("backoff", node));
      return {
        judge(judged) {
          const [matched] = filters.flatMap((filter) => filter.match(judged) ?? []);
          const found = matched ?? STANDARD_HANDLER.judge(judged);
          return { ...found, waitMs: waitOf(backoffs, judged), isStandard: matched === undefined };
        },
      };
    },
  }),
  defineComponent({
    type: "CompositeErrorHandler",
    family: "errorHandler",
    options: { error_handlers: Parts },
    slots: { error_handlers: { type: "DefaultErrorHandler" } },
    make({ error_handlers }, build) {
      const handlers = error_handlers.map((node) => build.make("errorHandler", node));
      return {
        /** Of the handlers with a filter that matches, the first that does not fail the stream; else the first of them. */
        judge(judged) {
          const all = handlers.map((handler) => handler.judge(judged));
          const matched = all.filter(({ isStandard }) => !isStandard);
          const chosen = matched.find(({ action }) => action !== "fail") ?? matched[0];
          if (chosen) return chosen;
          const waitMs = all.find((one) => one.waitMs !== null)?.waitMs ?? null;
          return { ...STANDARD_HANDLER.judge(judged), waitMs };
        },
      };
    },
  }),
];

/** The first strategy that knows. */
function waitOf(backoffs: readonly Backoff[], judged: Judged): number | null {
  for (const backoff of backoffs) {
    const wait = backoff.waitMs(judged);
    if (wait !== null) return wait;
  }
  return null;
}

/** Longest wait handed on: a system that asks for more is asked again after this. */
const MAX_WAIT_MS = 3_600_000;

/** The classified error for an answer that is neither a success nor to be ignored. */
export function judgedError({ answer, response }: Judged, judgement: Judgement, stream: string): ConnectorError {
  const { message, failure, waitMs } = judgement;
  // What is not to be waited for is not tried again.
  const action = waitMs === Infinity && judgement.action !== "renew" ? "fail" : judgement.action;
  const standard = classifyStatus(answer.status, answer.headers, answer.place, wordsIn(response));
  const wait = waitMs === null ? standard.retryAfterMs : Math.min(Math.max(0, Math.ceil(waitMs)), MAX_WAIT_MS);
  const kind = kindOf(action, failure, standard.kind, answer.status);
  const fallback = answer.ok ? `${answer.place} answered stream ${stream} with an error.` : standard.message;
  const said =
    message === null
      ? fallback
      : `Stream ${stream}: ${message.replace(/\.?$/, ".")} (${answer.place}, ${answer.status})`;
  const isRetried = action === "retry" || action === "rateLimited";
  return new ConnectorError(kind, said, {
    hint: isRetried && kind !== standard.kind ? undefined : standard.hint,
    retryAfterMs: isRetried ? wait : undefined,
  });
}

function kindOf(
  action: Action,
  failure: Judgement["failure"],
  standard: ConnectorErrorKind,
  status: number,
): ConnectorErrorKind {
  if (action === "rateLimited") return "rateLimited";
  if (action === "retry") return status === 429 ? "rateLimited" : standard === "timeout" ? "timeout" : "unavailable";
  if (failure === "transient_error") return "unavailable";
  if (status === 401) return "authentication";
  if (status === 403) return "permission";
  if (failure === "config_error") return "configuration";
  const isFinal = new ConnectorError(standard, "").retryable === false;
  return isFinal && standard !== "configuration" ? standard : "invalidRequest";
}

const WORDS = ["message", "error_message", "error_description", "detail", "description", "title", "error", "errors"];
/** Further places that are searched for the words of a filter. */
const SEARCHED = [...WORDS, "messages", "failures", "failure", "err", "msg", "reason", "status_message"];
/** Characters of what a system says that are repeated. */
const MAX_WORDS = 300;

/** All that an answer says at the places where systems write what is wrong; all of it where it is no JSON. */
function saidIn({ answer, response }: Judged): string[] {
  const text = textIn(answer);
  const json = parsedJson(text);
  if (json !== undefined) return textsIn(json, 0);
  const hasRecords = !isObject(response) || Object.keys(response).length > 0;
  return answer.ok && hasRecords ? [] : [text];
}

function parsedJson(text: string): Value | undefined {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: Value): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);

function textsIn(value: Value, depth: number): string[] {
  if (typeof value === "string") return [value];
  if (depth > 4) return [];
  // A list at the root is one of records.
  if (Array.isArray(value)) return depth === 0 ? [] : value.flatMap((item) => textsIn(item, depth + 1));
  if (!isObject(value)) return [];
  return SEARCHED.flatMap((name) => (Object.hasOwn(value, name) ? textsIn(value[name] ?? null, depth + 1) : []));
}

/** What an answer says is wrong, at the places where systems write it. */
function wordsIn(response: Value, depth = 0): string | null {
  if (typeof response === "string") return response.trim() === "" || depth === 0 ? null : response.slice(0, MAX_WORDS);
  if (typeof response !== "object" || response === null || depth > 3) return null;
  if (Array.isArray(response)) return wordsIn(response[0] ?? null, depth + 1);
  for (const name of WORDS) {
    const found = Object.hasOwn(response, name) ? wordsIn(response[name] ?? null, depth + 1) : null;
    if (found !== null) return found;
  }
  return null;
}
