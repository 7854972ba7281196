/** Access tokens of a simulated Google: given for a statement that a service account signed, checked as RFC 7523 says. */
import { generateKeyPairSync, randomBytes, verify, type KeyObject } from "node:crypto";
import { bearerOf, isObject, Refusal, type Json } from "../kit.ts";
import type { Call, Reply } from "../server.ts";

interface Account {
  email: string;
  keyId: string;
  publicKey: KeyObject;
}

const refused = (description: string, error = "invalid_grant"): Refusal =>
  new Refusal({ status: 400, body: { error, error_description: description } });

const jsonIn = (part: string | undefined): Json => {
  try {
    const json: unknown = JSON.parse(Buffer.from(part ?? "", "base64url").toString("utf8"));
    if (isObject(json)) return json;
  } catch {
    // Refused like any other part that is none.
  }
  throw refused("Invalid JWT: Failed audience check.", "invalid_request");
};

const MAX_SKEW_S = 300;

export class Tokens {
  readonly #accounts = new Map<string, Account>();
  readonly #given = new Map<string, { email: string; until: number }>();
  /** Seconds that a token holds. */
  life = 3599;
  /** Statements that were exchanged. */
  exchanges = 0;

  /** A key file as Google gives it out. */
  newKey(email: string): string {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const keyId = randomBytes(20).toString("hex");
    this.#accounts.set(keyId, { email, keyId, publicKey });
    return JSON.stringify(
      {
        type: "service_account",
        project_id: "acme",
        private_key_id: keyId,
        private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
        client_email: email,
        token_uri: "https://oauth2.googleapis.com/token",
      },
      null,
      2,
    );
  }

  revokeKeys(): void {
    this.#accounts.clear();
  }

  revokeTokens(): void {
    this.#given.clear();
  }

  /** One without a statement, as a person's sign-in gives it. */
  give(email: string): string {
    const token = `ya29.${randomBytes(24).toString("base64url")}`;
    this.#given.set(token, { email, until: Date.now() + this.life * 1000 });
    return token;
  }

  exchange(call: Call, audience: string): Reply {
    const form = new URLSearchParams(call.text);
    if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer")
      throw refused("Unsupported grant type.", "unsupported_grant_type");
    const [head, claims, signature, ...more] = (form.get("assertion") ?? "").split(".");
    const { alg, kid } = jsonIn(head);
    const { iss, aud, iat, exp, scope } = jsonIn(claims);
    const account = this.#accounts.get(String(kid));
    if (!account || account.email !== iss) throw refused("Invalid grant: account not found");
    const bytes = Buffer.from(signature ?? "", "base64url");
    const isSigned =
      alg === "RS256" &&
      more.length === 0 &&
      verify("RSA-SHA256", Buffer.from(`${head}.${claims}`), account.publicKey, bytes);
    if (!isSigned) throw refused("Invalid JWT Signature.");
    const now = Date.now() / 1000;
    const isTimely =
      typeof iat === "number" &&
      typeof exp === "number" &&
      iat < now + MAX_SKEW_S &&
      exp > now - MAX_SKEW_S &&
      exp - iat <= 3600;
    if (!isTimely)
      throw refused("Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.");
    if (aud !== audience) throw refused("Invalid JWT: Failed audience check.");
    if (!String(scope).split(" ").includes("https://www.googleapis.com/auth/spreadsheets"))
      throw refused("Invalid OAuth scope or ID token audience provided.", "invalid_scope");
    this.exchanges += 1;
    return {
      status: 200,
      body: { access_token: this.give(account.email), expires_in: this.life, token_type: "Bearer" },
    };
  }

  /** Whose call it is. @throws Refusal */
  accountOf(call: Call): string {
    const found = this.#given.get(bearerOf(call) ?? "");
    if (found && found.until > Date.now()) return found.email;
    const message = "Request had invalid authentication credentials. Expected OAuth 2 access token.";
    throw new Refusal({ status: 401, body: { error: { code: 401, message, status: "UNAUTHENTICATED" } } });
  }
}
