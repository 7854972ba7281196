/** Sends the requests of a stream: address, parameters, headers, body, credentials, and what an answer means. */
import { ConnectorError } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { judgedError, STANDARD_HANDLER } from "../answers/errors.ts";
import { defineComponent, optional, Part, Text, type Component } from "../component.ts";
import { isComponentNode } from "../node.ts";
import type { Authenticator, Build, Call, Draft, ErrorHandler, Facts, Judged, RawAnswer, Requester } from "../model.ts";
import { fillForm, fillHeaders, fillJson, fillParameters, type Fill } from "./fill.ts";

const Structure = z.custom<Value>(
  (value) => typeof value === "string" || (typeof value === "object" && value !== null),
);

export const REQUESTERS: readonly Component<"requester">[] = [
  defineComponent({
    type: "HttpRequester",
    family: "requester",
    options: {
      url_base: optional(Text),
      url: optional(Text),
      path: optional(Text),
      http_method: optional(z.enum(["GET", "POST", "PUT", "PATCH"])),
      authenticator: optional(Part),
      error_handler: optional(Part),
      request_parameters: optional(Structure),
      request_headers: optional(Structure),
      request_body_json: optional(Structure),
      request_body_data: optional(Structure),
      request_body: optional(Part),
      use_cache: optional(z.boolean()),
    },
    slots: {
      authenticator: {},
      error_handler: { type: "DefaultErrorHandler" },
      request_body: {},
    },
    refuses: ["fetch_properties_from_endpoint", "query_properties"],
    make(options, build) {
      const method = options.http_method ?? "GET";
      const base = options.url ?? options.url_base;
      if (base === null || base === undefined || base === "")
        throw build.problem("HttpRequester needs url_base or url");
      assertPlain(options.request_parameters, build);
      const fills: Fill[] = [];
      if (options.request_parameters) fills.push(fillParameters(options.request_parameters, build));
      if (options.request_headers) fills.push(fillHeaders(options.request_headers, build));
      const bodies: Fill[] = [];
      if (options.request_body_data) bodies.push(fillForm(options.request_body_data, build));
      if (options.request_body_json) bodies.push(fillJson(options.request_body_json, build));
      if (options.request_body) bodies.push(build.make("requestBody", options.request_body));
      if (method === "GET" && bodies.some(isUsed))
        throw build.problem("HttpRequester with a body needs another http_method than GET");
      build.origin(originPart(base, build), "requests");
      return new HttpRequester(build, {
        method,
        address: addresses(base, options.path ?? "", build),
        fills: [...fills, ...bodies],
        authenticator: options.authenticator ? build.make("authenticator", options.authenticator) : null,
        handler: options.error_handler ? build.make("errorHandler", options.error_handler) : STANDARD_HANDLER,
      });
    },
  }),
];

/** Parameters may be components elsewhere, which make several of one; written out as JSON they would mean nothing. */
function assertPlain(parameters: Value | null | undefined, build: Build): void {
  if (typeof parameters !== "object" || parameters === null) return;
  for (const [name, value] of Object.entries(parameters))
    if (isComponentNode(value)) throw build.problem(`the parameter ${name} is a ${value.type}, which is not supported`);
}

const emptyDraft = (): Draft => ({
  method: "POST",
  url: new URL("http://nowhere.invalid"),
  parameters: [],
  headers: {},
  secretHeaders: new Set(),
  secretValues: new Set(),
  isSecret: false,
  form: {},
  json: {},
  text: null,
});

/** `request_body_json: {}` on a GET says nothing. */
function isUsed(fill: Fill): boolean {
  const draft = emptyDraft();
  fill(draft, { slice: { partition: {}, interval: {}, extra: {} }, token: null });
  return Object.keys(draft.form).length > 0 || Object.keys(draft.json).length > 0 || draft.text !== null;
}

/** What of an address decides its origin; the rest of it may need a slice. */
function originPart(source: string, build: Build): string {
  const literal = /^https?:\/\/[^/{]+(?=\/|$)/.exec(source)?.[0];
  if (literal) return literal;
  const whole = build.template(source).text();
  if (URL.canParse(whole)) return whole;
  const host = /^(?:https?:\/\/)?(?:[^/{]|\{\{[\s\S]*?\}\})+/.exec(source)?.[0] ?? source;
  return build.template(host).text();
}

/** The address of a call: the base address with the path behind it, or an address that an answer gave. */
function addresses(base: string, path: string, build: Build): (facts: Facts, given: string | null) => URL {
  const [baseTemplate, pathTemplate] = [build.template(base), build.template(path)];
  const join = (start: string, rest: string): string =>
    rest === "" ? start : `${start.replace(/\/+$/, "")}/${rest.replace(/^\/+/, "")}`;
  return (facts, given) => {
    const start = baseTemplate.text(facts).trim();
    const rest = given ?? pathTemplate.text(facts).trim();
    // Whether it leads to an origin of the manifest is looked at where it is sent.
    const address = isAbsolute(rest) ? rest : given === null ? join(start, rest) : relative(rest, start);
    if (!URL.canParse(address)) throw build.problem("the address of a request is not complete");
    return new URL(address);
  };
  function relative(given: string, start: string): string {
    // A path from the root of the host replaces the base's own path where it repeats it.
    const root = URL.canParse(start) ? new URL(start) : null;
    if (root && given.startsWith("/") && root.pathname !== "/" && given.startsWith(root.pathname))
      return root.origin + given;
    return join(start, given);
  }
}
const isAbsolute = (address: string): boolean => /^https?:\/\//i.test(address);

interface Parts {
  method: string;
  address: (facts: Facts, given: string | null) => URL;
  fills: readonly Fill[];
  authenticator: Authenticator | null;
  handler: ErrorHandler;
}

class HttpRequester implements Requester {
  readonly #build: Build;
  readonly #parts: Parts;
  /** Tries in a row that failed: exponential waits grow with them. */
  #failures = 0;

  constructor(build: Build, parts: Parts) {
    this.#build = build;
    this.#parts = parts;
  }

  async send(call: Call, decode: (answer: RawAnswer) => Value[]): Promise<RawAnswer | null> {
    const { authenticator, handler } = this.#parts;
    let hasRenewed = false;
    for (;;) {
      const answer = await this.#exchange(call, hasRenewed);
      const judged: Judged = { answer, response: responseOf(answer, decode), attempt: this.#failures };
      const judgement = handler.judge(judged);
      const { action } = judgement;
      const isRefused = action === "renew" || (action === "fail" && answer.status === 401);
      if (isRefused && !hasRenewed && authenticator?.canRenew()) {
        hasRenewed = true;
        continue;
      }
      if (action === "success" || action === "ignore") {
        this.#failures = 0;
        return action === "success" ? answer : null;
      }
      this.#failures += 1;
      throw judgedError(judged, judgement, this.#build.stream);
    }
  }

  async #exchange(call: Call, renew: boolean): Promise<RawAnswer> {
    const { method, address, fills, authenticator } = this.#parts;
    const facts: Facts = { slice: call.slice, token: call.token };
    const draft: Draft = { ...emptyDraft(), method, url: address(facts, call.address) };
    for (const fill of fills) fill(draft, facts);
    call.inject(draft);
    if (authenticator) await authenticator.sign(draft, renew);
    if (method === "GET" && hasBody(draft))
      throw this.#build.problem("a value is to be put into the body of a GET request");
    return this.#build.runtime.exchange(draft, call.signal);
  }
}

const hasBody = ({ form, json, text }: Draft): boolean =>
  text !== null || Object.keys(form).length > 0 || Object.keys(json).length > 0;

/** The body for conditions and messages, where it is what is expected. */
function responseOf(answer: RawAnswer, decode: (answer: RawAnswer) => Value[]): Value {
  try {
    return decode(answer)[0] ?? {};
  } catch (error) {
    if (error instanceof ConnectorError) return {};
    throw error;
  }
}
