/**
 * Where people sign in at a simulated system, by its own rules: a page of consent, an address that gives out tokens, and calls
 * of the API with them. What stands in a request that the system does not document is refused.
 */
import { createHash } from "node:crypto";
import { GrantBook, TokenRefusal, type TokenAnswer } from "../../oauth/grants.ts";
import { basicOf, bearerOf, isObject, type Json } from "../kit.ts";
import type { Call, Reply } from "../server.ts";

export interface SignInRules {
  authorizePath: string;
  tokenPath: string;
  /** How an app proves itself, and how a request for tokens is written. */
  client: "basic" | "body";
  format: "form" | "json";
  pkce: "required" | "optional" | "unknown";
  /** What an app may ask for; null: there are no scopes. */
  scopes: readonly string[] | null;
  /** Seconds that an access token holds, and whether an answer says so. */
  expiresIn: number | null;
  rotates: boolean;
  givesRefreshTokens: boolean;
  /** What an answer has in place of, or beside, what RFC 6749 says. */
  answer?: (given: TokenAnswer) => Json;
  refusal?: (code: string, description: string) => Reply;
}

export const SIGN_IN_APP = { clientId: "3f9d-acme_app.id", clientSecret: "app-secret-0a1b2c3d4e5f" };

type Handle = (call: Call) => Reply | Promise<Reply>;

export interface SignInDesk {
  /** Addresses that people may be sent back to. */
  redirectUris: string[];
  grants: GrantBook;
  /** `grant_type` of each request for tokens. */
  tokenRequests: string[];
  /** What a browser does with the address: opens the page, consents or denies. Answers where it is sent to. */
  decide(authorizationUrl: string, choice: "allow" | "deny"): Promise<URL>;
  /** The system with the desk in front: a token of the desk counts as `token` there. */
  inFrontOf(handle: Handle, token: string): Handle;
}

export function signInDesk(rules: SignInRules): SignInDesk {
  const { expiresIn, rotates, givesRefreshTokens } = rules;
  const grants = new GrantBook({ expiresIn, rotates, givesRefreshTokens, namedLife: null, codeMs: 60_000 });
  const desk: SignInDesk = {
    redirectUris: [],
    grants,
    tokenRequests: [],
    async decide(authorizationUrl, choice) {
      const page = await fetch(authorizationUrl, { redirect: "manual" });
      if (page.status !== 200) throw new Error(`The consent page answered ${page.status}: ${await page.text()}`);
      const { origin, pathname, searchParams } = new URL(authorizationUrl);
      const body = new URLSearchParams({ ...Object.fromEntries(searchParams), choice });
      const answer = await fetch(origin + pathname, { method: "POST", body, redirect: "manual" });
      return new URL(answer.headers.get("location") ?? "");
    },
    inFrontOf: (handle, token) => (call) => {
      if (call.path === rules.authorizePath) return consent(call, rules, desk);
      const form = call.path === rules.tokenPath && call.method === "POST" ? formOf(call, rules) : null;
      if (form && GRANT_TYPES.has(form.get("grant_type") ?? "")) return tokens(call, form, rules, desk);
      const bearer = bearerOf(call);
      if (bearer === undefined || !grants.isGood(bearer)) return handle(call);
      return handle({ ...call, headers: { ...call.headers, authorization: `Bearer ${token}` } });
    },
  };
  return desk;
}

const GRANT_TYPES: ReadonlySet<string> = new Set(["authorization_code", "refresh_token"]);
const KNOWN = ["response_type", "client_id", "redirect_uri", "scope", "state"];
const KNOWN_OF_PKCE = ["code_challenge", "code_challenge_method"];
const NO_CHALLENGE = createHash("sha256").update("").digest("base64url");

/** What is wrong with a request for consent. */
function faultIn(
  query: URLSearchParams,
  { pkce, scopes }: SignInRules,
  redirectUris: readonly string[],
): string | null {
  const known = [...KNOWN, ...(pkce === "unknown" ? [] : KNOWN_OF_PKCE), "choice"];
  const unknown = [...query.keys()].filter((name) => !known.includes(name));
  if (unknown.length > 0) return `unknown parameters: ${unknown.join(", ")}`;
  if (query.get("client_id") !== SIGN_IN_APP.clientId) return "unknown app";
  if (!redirectUris.includes(query.get("redirect_uri") ?? "")) return "redirect_uri is not the registered one";
  if ((query.get("state") ?? "").length < 20) return "state is missing";
  const asked = (query.get("scope") ?? "").split(" ").filter(Boolean);
  if (scopes === null ? asked.length > 0 : asked.length === 0) return "scopes are missing, or there are none";
  const beyond = asked.filter((scope) => !scopes?.includes(scope));
  if (beyond.length > 0) return `scopes that the app has not: ${beyond.join(" ")}`;
  const challenge = query.get("code_challenge");
  if (challenge === null) return pkce === "required" ? "code_challenge is missing" : null;
  const isHash = /^[A-Za-z0-9_-]{43}$/.test(challenge) && query.get("code_challenge_method") === "S256";
  return isHash ? null : "code_challenge is no S256";
}

function consent(call: Call, rules: SignInRules, { redirectUris, grants }: SignInDesk): Reply {
  const query = call.method === "POST" ? new URLSearchParams(call.text) : call.query;
  const fault = faultIn(query, rules, redirectUris);
  if (fault !== null) return { status: 400, headers: { "content-type": "text/plain" }, body: fault };
  if (call.method === "GET") return { status: 200, headers: { "content-type": "text/html" }, body: pageOf(query) };
  const redirectUri = query.get("redirect_uri") ?? "";
  const back = new URL(redirectUri);
  back.searchParams.set("state", query.get("state") ?? "");
  if (query.get("choice") === "allow") {
    const challenge = query.get("code_challenge") ?? NO_CHALLENGE;
    const code = grants.code({
      clientId: SIGN_IN_APP.clientId,
      scope: query.get("scope") ?? "",
      redirectUri,
      account: { id: "1", name: "Whoever consents" },
      challenge,
    });
    back.searchParams.set("code", code);
  } else {
    back.searchParams.set("error", "access_denied");
    back.searchParams.set("error_description", "end-user denied authorization");
  }
  return { status: 302, headers: { location: back.href } };
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function pageOf(query: URLSearchParams): string {
  const hidden = [...query].map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  return `<!doctype html><html lang="en"><title>Consent</title><h1>Accord wants to access your account</h1>
    <form method="post" action="?">${hidden.join("")}
    <button name="choice" value="allow">Allow</button> <button name="choice" value="deny">Deny</button></form></html>`;
}

/** null: not written as the system reads it. */
function formOf(call: Call, { format }: SignInRules): URLSearchParams | null {
  const type = call.headers["content-type"] ?? "";
  if (format === "form")
    return /^application\/x-www-form-urlencoded\b/i.test(type) ? new URLSearchParams(call.text) : null;
  const body = call.json();
  if (!/^application\/json\b/i.test(type) || !isObject(body)) return null;
  return new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)]));
}

function tokens(call: Call, form: URLSearchParams, rules: SignInRules, { grants, tokenRequests }: SignInDesk): Reply {
  const kind = form.get("grant_type") ?? "";
  tokenRequests.push(kind);
  try {
    proveApp(call, form, rules);
    if (rules.pkce === "unknown" && form.has("code_verifier"))
      throw new TokenRefusal("invalid_request", "code_verifier is not known.");
    const { clientId } = SIGN_IN_APP;
    const given = kind === "refresh_token" ? grants.refresh(form, clientId) : grants.exchange(form, clientId);
    return { status: 200, body: rules.answer?.(given) ?? given };
  } catch (error) {
    if (!(error instanceof TokenRefusal)) throw error;
    const { code, message } = error;
    return rules.refusal?.(code, message) ?? { status: 400, body: { error: code, error_description: message } };
  }
}

function proveApp(call: Call, form: URLSearchParams, { client }: SignInRules): void {
  const { clientId, clientSecret } = SIGN_IN_APP;
  const basic = basicOf(call);
  const isProven =
    client === "basic"
      ? basic?.user === clientId && basic.password === clientSecret && !form.has("client_secret")
      : basic === undefined && form.get("client_id") === clientId && form.get("client_secret") === clientSecret;
  if (!isProven) throw new TokenRefusal("invalid_client", "invalid client credentials");
}
