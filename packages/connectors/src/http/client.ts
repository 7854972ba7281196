/** Calls one JSON API: addresses below the base address, credentials, time limit, refusals in the system's own words. */
import {
  classifyStatus,
  compileSelector,
  ConnectorError,
  jsonOf,
  sendRequest,
  type Answer,
  type ConnectContext,
} from "@accord/connector-sdk";
import type { HttpEntityConfig, HttpHeader } from "@accord/contracts/connections/http-entity";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { Value } from "@accord/contracts/data/values";
import type { HttpConfig } from "./config.ts";
import { formOf } from "./form-body.ts";
import { meantStatus, readErrorIn, wordsIn, writeErrorIn, type NamedError } from "./named-errors.ts";
import { signerOf } from "./sign-in/signer.ts";
import { fillBody, fillHeader, fillPath, type Facts } from "./template.ts";

export interface CallSpec {
  method: string;
  path: string;
  headers: readonly HttpHeader[];
  body: string;
}

export interface CallOptions {
  facts?: Facts;
  /** Added to the query. */
  query?: Record<string, string>;
  /** Sent when the spec has no body of its own. */
  body?: Value;
  /** How a body is sent; as JSON by default. */
  bodyFormat?: HttpEntityConfig["bodyFormat"];
  /** Members of the spec's body that come to nothing are left out. */
  leavesOutBlank?: boolean;
  headers?: Record<string, string>;
  /** A complete address the system handed out for the next page, instead of the spec's path. */
  link?: string;
  signal?: AbortSignal;
  /** Called right before each request leaves; what it throws keeps the request from being sent. */
  beforeSend?: () => void;
}

export interface HttpClient {
  /** The answer, whatever its status. */
  call(spec: CallSpec, options?: CallOptions): Promise<Answer>;
  /** The answer's JSON; throws a classified error unless the status is a success. */
  callJson(spec: CallSpec, options?: CallOptions): Promise<{ json: Value; answer: Answer }>;
  /** What the system says is wrong, in its own words; null when it says nothing. */
  reason(answer: Answer): string | null;
  /** What a success says went wrong with a write, and with a read that brought neither record nor list; null: nothing. */
  writeErrorIn(answer: Answer): NamedError | null;
  readErrorIn(answer: Answer): NamedError | null;
  /** Classifies a refusal, with the message the system gave. */
  refusal(answer: Answer): ConnectorError;
  /** What every template may name beside the facts of its call. */
  readonly known: Facts;
  /** Milliseconds since 1970. */
  now(): number;
}

/** `token`: what it was signed with, where that can be renewed. */
interface SentCall {
  answer: Answer;
  token: string | null;
}

export function openHttpClient(context: ConnectContext, config: HttpConfig): HttpClient {
  const sign = signerOf(context, config);
  const errorAt = config.errorSelector === "" ? null : compileSelector(config.errorSelector);
  const asMeant = meantStatus(config);
  const rateLimitWaitMs = config.rateLimitWaitSeconds * 1000 || undefined;
  const known: Facts = { variable: config.variables };
  const once = async (spec: CallSpec, asked: CallOptions, refused: SentCall | null): Promise<SentCall> => {
    const facts = { ...known, ...asked.facts };
    const options: CallOptions = { ...asked, facts };
    const { beforeSend } = options;
    const url = addressOf(config, spec, options);
    const headers: Record<string, string> = { accept: "application/json" };
    for (const { name, value } of [...config.headers, ...spec.headers])
      headers[name.toLowerCase()] = fillHeader(value, facts);
    Object.assign(headers, options.headers);
    const body = bodyOf(spec, options);
    if (body !== undefined) headers["content-type"] ??= CONTENT_TYPES[options.bodyFormat ?? "json"];
    const signed: Record<string, string> = {};
    const token = await sign(url, signed, refused?.token ?? null);
    if (refused && token === refused.token) return refused;
    Object.assign(headers, signed);
    const secretHeaders = Object.keys(signed);
    const timeoutMs = config.timeoutSeconds * 1000;
    const signal = options.signal ? AbortSignal.any([options.signal, context.signal]) : context.signal;
    const sent = { method: spec.method, url, headers, secretHeaders, body, timeoutMs, signal, beforeSend };
    return { answer: asMeant(await sendRequest(context, sent)), token };
  };
  const refusal = (answer: Answer): ConnectorError =>
    classifyStatus(answer.status, answer.headers, answer.place, wordsIn(answer, errorAt), { rateLimitWaitMs });
  const call = async (spec: CallSpec, options: CallOptions = {}): Promise<Answer> => {
    const first = await once(spec, options, null);
    // A token may have been withdrawn early: one new one, then the refusal counts. At once where that was renewed just now.
    const isRefused = first.answer.status === 401 && first.token !== null;
    return (isRefused ? await once(spec, options, first) : first).answer;
  };
  return {
    call,
    known,
    refusal,
    reason: (answer) => wordsIn(answer, errorAt),
    writeErrorIn: (answer) => writeErrorIn(answer, errorAt),
    readErrorIn: (answer) => readErrorIn(answer, errorAt),
    now: () => context.now().getTime(),
    async callJson(spec, options) {
      const answer = await call(spec, options);
      if (!answer.ok) throw refusal(answer);
      return { json: jsonOf(answer), answer };
    },
  };
}

const CONTENT_TYPES = { json: "application/json", form: "application/x-www-form-urlencoded" } as const;

function bodyOf(spec: CallSpec, { facts = {}, body, bodyFormat, leavesOutBlank }: CallOptions): string | undefined {
  if (spec.method === "GET") return undefined;
  const isOwn = spec.body.trim() !== "";
  if (!isOwn && body === undefined) return undefined;
  const json = isOwn ? fillBody(spec.body, facts, { leavesOutBlank: leavesOutBlank === true }) : JSON.stringify(body);
  return bodyFormat === "form" ? formOf(parseExactJson(json)) : json;
}

function addressOf(config: HttpConfig, spec: CallSpec, { facts = {}, query = {}, link }: CallOptions): URL {
  const base = new URL(config.baseUrl.endsWith("/") ? config.baseUrl : `${config.baseUrl}/`);
  const url = link === undefined ? new URL(fillPath(spec.path, facts).replace(/^\/+/, ""), base) : new URL(link, base);
  // Credentials go to the configured host only, whatever an answer or a path says.
  if (url.origin !== base.origin)
    throw new ConnectorError("configuration", `The address ${url.origin} is not on ${base.origin}.`, {
      neverSent: true,
      hint: "Paths and next-page links must stay on the base address's host.",
    });
  if (link === undefined) for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
