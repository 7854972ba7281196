/**
 * Signing in at a simulated Google, by its guide for web server applications: a refresh token is given for `offline` alone,
 * and an id token where the scopes have `openid`.
 */
import { createHash, randomBytes } from "node:crypto";
import { Refusal } from "../kit.ts";
import type { Call, Reply } from "../server.ts";
import { SIGN_IN_APP } from "../sign-in/desk.ts";
import type { Tokens } from "./tokens.ts";

const SCOPES = new Set([
  "openid",
  "email",
  "https://www.googleapis.com/auth/spreadsheets",
  "https://www.googleapis.com/auth/drive.metadata.readonly",
]);
const KNOWN = new Set([
  ...["response_type", "client_id", "redirect_uri", "scope", "state", "nonce"],
  ...["access_type", "prompt", "code_challenge", "code_challenge_method"],
]);

interface Grant {
  email: string;
  query: URLSearchParams;
}

const bad = (text: string): Refusal => new Refusal({ status: 400, body: text });
const refused = (error: string): Refusal =>
  new Refusal({ status: 400, body: { error, error_description: "Bad Request" } });
const random = (): string => randomBytes(24).toString("base64url");
const part = (json: object): string => Buffer.from(JSON.stringify(json)).toString("base64url");

export class Consent {
  readonly #tokens: Tokens;
  readonly #codes = new Map<string, Grant>();
  readonly #refreshTokens = new Map<string, Grant>();
  /** Addresses that the app is registered with. */
  readonly redirectUris: string[] = [];
  /** `grant_type` of each request for tokens. */
  readonly requests: string[] = [];
  /** Who consents. */
  email = "person@example.com";

  /** Origin that id tokens name. */
  readonly #issuer: () => string;

  constructor(tokens: Tokens, issuer: () => string) {
    this.#tokens = tokens;
    this.#issuer = issuer;
  }

  /** The page of consent: whoever opens it is asked, and allows it. */
  open(query: URLSearchParams): URL {
    const unknown = [...query.keys()].filter((name) => !KNOWN.has(name));
    if (unknown.length > 0) throw bad(`unknown parameters: ${unknown.join(", ")}`);
    if (query.get("response_type") !== "code" || query.get("client_id") !== SIGN_IN_APP.clientId) throw bad("no app");
    if (!this.redirectUris.includes(query.get("redirect_uri") ?? "")) throw bad("redirect_uri_mismatch");
    const scopes = (query.get("scope") ?? "").split(" ");
    if (scopes.some((scope) => !SCOPES.has(scope))) throw bad("invalid_scope");
    if (query.get("code_challenge_method") !== "S256") throw bad("no S256");
    const code = `4/${random()}`;
    this.#codes.set(code, { email: this.email, query });
    const back = new URL(query.get("redirect_uri") ?? "");
    back.searchParams.set("state", query.get("state") ?? "");
    back.searchParams.set("code", code);
    back.searchParams.set("scope", scopes.join(" "));
    return back;
  }

  /** null: it is no request of an app that people sign in to. */
  exchange(call: Call): Reply | null {
    const form = new URLSearchParams(call.text);
    const kind = form.get("grant_type") ?? "";
    if (kind !== "authorization_code" && kind !== "refresh_token") return null;
    this.requests.push(kind);
    if (form.get("client_id") !== SIGN_IN_APP.clientId || form.get("client_secret") !== SIGN_IN_APP.clientSecret)
      throw refused("invalid_client");
    if (kind === "refresh_token") {
      const grant = this.#refreshTokens.get(form.get("refresh_token") ?? "");
      if (!grant) throw refused("invalid_grant");
      return this.#given(grant, {});
    }
    const grant = this.#codes.get(form.get("code") ?? "");
    this.#codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight =
      grant?.query.get("code_challenge") === challenge && grant.query.get("redirect_uri") === form.get("redirect_uri");
    if (!grant || !isRight) throw refused("invalid_grant");
    const isOffline = grant.query.get("access_type") === "offline" && grant.query.get("prompt") === "consent";
    const refresh = isOffline ? { refresh_token: `1//${random()}` } : {};
    if (refresh.refresh_token) this.#refreshTokens.set(refresh.refresh_token, grant);
    return this.#given(grant, { ...refresh, id_token: idTokenOf(grant, this.#issuer()) });
  }

  #given({ email, query }: Grant, more: object): Reply {
    const given = { access_token: this.#tokens.give(email), expires_in: this.#tokens.life, token_type: "Bearer" };
    return { status: 200, body: { ...given, scope: query.get("scope"), ...more } };
  }
}

function idTokenOf({ email, query }: Grant, iss: string): string {
  const now = Math.floor(Date.now() / 1000);
  const sub = String(parseInt(createHash("sha256").update(email).digest("hex").slice(0, 12), 16));
  const nonce = query.get("nonce");
  const claims = { iss, aud: SIGN_IN_APP.clientId, sub, email, iat: now, exp: now + 3600, ...(nonce && { nonce }) };
  return `${part({ alg: "RS256", typ: "JWT", kid: "1" })}.${part(claims)}.${random()}`;
}
