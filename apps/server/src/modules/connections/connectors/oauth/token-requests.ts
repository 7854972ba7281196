/** Requests to the token address of a system (RFC 6749, sections 4.1.3 and 6), through the one guarded way out. */
import { classifyStatus, ConnectorError, type AuthorizationSettings } from "@accord/connector-sdk";
import * as oauth from "oauth4webapi";
import type { Deps } from "../../../../platform/deps.ts";
import { OutboundError } from "../../../../platform/outbound/outbound.ts";
import { outboundFailure } from "../connection-context.ts";
import { CredentialMask } from "../credentials/credential-mask.ts";
import { instanceIn, forbiddenInstance } from "./instance.ts";
import { failedOAuth, plainText } from "./problems.ts";

/** In milliseconds, for the whole exchange. */
export const TOKEN_REQUEST_MS = 20_000;
const MAX_ANSWER_BYTES = 1_000_000;
/** Beyond ten years, and where it says 0, a system means a token without end. */
const MAX_LIFE_SECONDS = 315_576_000;
/** Members that the library wants to be texts where they are there at all. */
const TEXTS = ["refresh_token", "scope", "token_type", "error_description"];
/** What a header can hold. */
const TOKEN = /^[\x21-\x7e]{1,20000}$/;

export interface Tokens {
  accessToken: string;
  /** null: the system gave none. */
  refreshToken: string | null;
  /** Seconds; null: the system does not say. */
  expiresIn: number | null;
  /** Origin of the API that they are for; null: the answer names none, or none is asked for. */
  instance: string | null;
}

/** What a code brought, with what the answer said beside the tokens. */
export interface ExchangedTokens extends Tokens {
  answer: Readonly<Record<string, unknown>>;
  idToken: string | null;
}

/** A token request that brought no token. `reason` names no secret. */
export class TokenRequestError extends Error {
  override name = "TokenRequestError";
  readonly reason: ConnectorError;
  /** It left, and whether the system did what it asked for is not known. */
  readonly isLost: boolean;
  /** The system grants this no longer: only a person can go on. */
  readonly isRefused: boolean;

  constructor(reason: ConnectorError, { isLost = false, isRefused = false } = {}) {
    super(reason.message);
    this.reason = reason;
    this.isLost = isLost;
    this.isRefused = isRefused;
  }
}

export interface CodeExchange {
  settings: AuthorizationSettings;
  /** As it came: checked here against state and issuer. */
  answer: URLSearchParams;
  state: string;
  codeVerifier: string;
  redirectUrl: string;
  signal?: AbortSignal | undefined;
}

/** @throws TokenRequestError, also for an answer that is a refusal, has another issuer or lacks a code. */
export async function exchangeCode(outbound: Deps["outbound"], exchange: CodeExchange): Promise<ExchangedTokens> {
  const { settings, answer, state, codeVerifier, redirectUrl, signal } = exchange;
  const secrets = { codeVerifier, state, code: answer.get("code") ?? "" };
  const tokens = await request(outbound, settings, { secrets, signal }, async (server, client, ...rest) => {
    const [authentication, options] = rest;
    const checked = oauth.validateAuthResponse(expectedIssuer(server, settings, answer), client, answer, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      checked,
      redirectUrl,
      settings.pkce ? codeVerifier : oauth.nopkce,
      options,
    );
    return oauth.processAuthorizationCodeResponse(server, client, response);
  });
  const { instanceMember } = settings;
  if (instanceMember === null) return tokens;
  if (tokens.instance === null)
    throw new TokenRequestError(unusable(settings, `its answer names no https address as ${instanceMember}`));
  const forbidden = await forbiddenInstance(outbound, tokens.instance);
  if (forbidden) throw new TokenRequestError(forbidden);
  return tokens;
}

/** @throws TokenRequestError */
export const refreshTokens = (
  outbound: Deps["outbound"],
  settings: AuthorizationSettings,
  refreshToken: string,
): Promise<Tokens> =>
  request(outbound, settings, { secrets: { refreshToken } }, async (server, client, authentication, options) => {
    const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, options);
    return oauth.processRefreshTokenResponse(server, client, response);
  });

type Send = (
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  authentication: oauth.ClientAuth,
  options: oauth.TokenEndpointRequestOptions,
) => Promise<oauth.TokenEndpointResponse>;

async function request(
  outbound: Deps["outbound"],
  settings: AuthorizationSettings,
  { secrets, signal }: { secrets: Record<string, string>; signal?: AbortSignal | undefined },
  send: Send,
): Promise<ExchangedTokens> {
  const { tokenUrl, clientId, clientSecret, clientAuthentication } = settings;
  const mask = new CredentialMask([], { ...secrets, clientSecret: clientSecret ?? "" });
  const server = { issuer: new URL(settings.authorizationUrl).origin, token_endpoint: tokenUrl };
  const authentication =
    clientSecret === null
      ? oauth.None()
      : clientAuthentication === "body"
        ? oauth.ClientSecretPost(clientSecret)
        : basic(clientId, clientSecret);
  const exchange: Exchange = { isSent: false, answered: null, idToken: null };
  const options = {
    [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<"POST", URLSearchParams>) =>
      post(outbound, url, init, settings, exchange),
    // Connections allow plain http to this machine alone, and the way out only where the operator allows that.
    [oauth.allowInsecureRequests]: true,
    ...(signal && { signal }),
  };
  try {
    const given = await send(server, { client_id: clientId }, authentication, options);
    if (!TOKEN.test(given.access_token)) throw unusable(settings, "its access token can't be sent in a header");
    const { expires_in: expiresIn = 0, refresh_token: refreshToken = null } = given;
    const isKnown = expiresIn > 0 && expiresIn <= MAX_LIFE_SECONDS;
    const instance = instanceIn(settings, given);
    const { access_token: accessToken, refresh_token: _, ...answer } = given;
    const { idToken } = exchange;
    return { accessToken, refreshToken, expiresIn: isKnown ? expiresIn : null, instance, answer, idToken };
  } catch (error) {
    const failure = failureOf(error, settings, exchange);
    throw new TokenRequestError(mask.connectorError(failure.reason), failure);
  }
}

/**
 * RFC 6749, section 2.3.1. Hyphens, dots and underscores stay, as in a form: the library encodes them too, and systems that
 * decode nothing would not know the ids that they gave out.
 */
const basic =
  (clientId: string, clientSecret: string): oauth.ClientAuth =>
  (_server, _client, _body, headers) =>
    headers.set("authorization", `Basic ${btoa(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`)}`);

const formEncoded = (text: string): string => new URLSearchParams({ "": text }).toString().slice(1);

/** RFC 9207. Where nobody entered an issuer, one that is named has to be at home where the person signed in. */
function expectedIssuer(
  server: oauth.AuthorizationServer,
  { issuer, authorizationUrl }: AuthorizationSettings,
  answer: URLSearchParams,
): oauth.AuthorizationServer {
  if (issuer !== null) return { ...server, issuer, authorization_response_iss_parameter_supported: true };
  const named = answer.get("iss");
  const isAtHome = named !== null && URL.canParse(named) && new URL(named).origin === new URL(authorizationUrl).origin;
  return isAtHome ? { ...server, issuer: named } : server;
}

interface Exchange {
  isSent: boolean;
  answered: { status: number; headers: Record<string, string> } | null;
  idToken: string | null;
}

async function post(
  outbound: Deps["outbound"],
  url: string,
  { headers, body, signal }: oauth.CustomFetchOptions<"POST", URLSearchParams>,
  { tokenRequestFormat, errorCodes }: AuthorizationSettings,
  exchange: Exchange,
): Promise<Response> {
  const isJson = tokenRequestFormat === "json";
  const reply = await outbound.guardedFetch(url, {
    method: "POST",
    headers: isJson ? { ...headers, "content-type": "application/json" } : headers,
    secretHeaders: ["authorization"],
    body: isJson ? JSON.stringify(Object.fromEntries(body)) : body.toString(),
    timeoutMs: TOKEN_REQUEST_MS,
    maxBytes: MAX_ANSWER_BYTES,
    maxRedirects: 0,
    beforeSend: () => void (exchange.isSent = true),
    ...(signal && { signal }),
  });
  exchange.answered = { status: reply.status, headers: reply.headers };
  const { response, idToken } = readable(reply.status, new TextDecoder().decode(reply.body), errorCodes);
  exchange.idToken = idToken;
  return response;
}

/**
 * The answer as the library expects it. Some systems say `200` to a refusal, others `201` to a token. An id token is nothing
 * that tokens depend on: it is checked apart, by whoever wants to know the account.
 */
function readable(
  status: number,
  text: string,
  errorCodes: AuthorizationSettings["errorCodes"],
): { response: Response; idToken: string | null } {
  const headers = { "content-type": "application/json" };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = null;
  }
  const isOk = status >= 200 && status < 300;
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return {
      response: new Response(isOk ? "null" : text, { status: isOk ? 200 : Math.max(status, 400), headers }),
      idToken: null,
    };
  const { id_token: idToken, ...rest } = { id_token: null, token_type: "bearer", ...withoutMisfits(json) };
  const refusal = "access_token" in rest ? null : refusalIn(rest, errorCodes);
  const shown = isOk ? (refusal === null ? 200 : 400) : Math.max(status, 400);
  const response = new Response(JSON.stringify({ ...rest, ...refusal }), { status: shown, headers });
  return { response, idToken: typeof idToken === "string" ? idToken : null };
}

/** Members under which systems say why, where they have none of the standard's. */
const OWN_CODES = ["status", "category"];

/** As the standard says it, also where the system says it with codes and members of its own. */
function refusalIn(
  answer: Readonly<Record<string, unknown>>,
  errorCodes: AuthorizationSettings["errorCodes"],
): { error: string; error_description?: string } | null {
  const { error, message } = answer;
  if (typeof error === "string") return { error: errorCodes[error] ?? error };
  const known = OWN_CODES.flatMap((name) => errorCodes[String(answer[name])] ?? [])[0];
  if (known === undefined) return null;
  return { error: known, ...(typeof message === "string" && { error_description: message }) };
}

/** Members of which a system says nothing, or not as they are written. */
function withoutMisfits(json: object): Record<string, unknown> {
  const isFit = ([name, value]: [string, unknown]): boolean =>
    value !== null && (typeof value === "string" || !TEXTS.includes(name));
  return Object.fromEntries(Object.entries(json).filter(isFit));
}

/** Gateways answer so when what is behind them may have done what it was asked for. */
const UNSURE_STATUSES: ReadonlySet<number> = new Set([502, 504]);

interface Failure {
  reason: ConnectorError;
  isLost?: boolean;
  isRefused?: boolean;
}

function failureOf(error: unknown, settings: AuthorizationSettings, { isSent, answered }: Exchange): Failure {
  const place = new URL(settings.tokenUrl).host;
  if (error instanceof TokenRequestError || error instanceof ConnectorError)
    return { reason: error instanceof ConnectorError ? error : error.reason };
  const isPassing = answered !== null && (answered.status === 429 || answered.status >= 500);
  const isRefusal = error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError;
  if (isRefusal && !isPassing) {
    const reason = failedOAuth(error.error, error.error_description, settings);
    return { reason, isRefused: error.error === "invalid_grant" };
  }
  if (error instanceof OutboundError && error.reason === "too_many_redirects")
    return {
      reason: new ConnectorError("configuration", `${place} redirects requests for tokens.`, { hint: TOKEN_HINT }),
    };
  if (answered && (answered.status < 200 || answered.status >= 300))
    return {
      reason: classifyStatus(answered.status, answered.headers, place, null),
      isLost: UNSURE_STATUSES.has(answered.status),
    };
  if (answered || !(error instanceof OutboundError)) return { reason: unusable(settings, wordsOf(error)) };
  return { reason: withoutCause(outboundFailure(error, place)), isLost: isSent };
}

const TOKEN_HINT = "Check the token address.";

const unusable = ({ tokenUrl }: AuthorizationSettings, why: string): ConnectorError =>
  new ConnectorError("configuration", `Failed OAuth: ${new URL(tokenUrl).host} gave no access token: ${why}.`, {
    hint: TOKEN_HINT,
  });

/** The library's words name members of an answer, never their values. */
const wordsOf = (error: unknown): string => plainText(error instanceof Error ? error.message : "unknown failure");

/** What lies underneath may quote the request. */
const withoutCause = ({ kind, message, hint, neverSent, retryAfterMs }: ConnectorError): ConnectorError =>
  new ConnectorError(kind, message, { hint, neverSent, retryAfterMs });
