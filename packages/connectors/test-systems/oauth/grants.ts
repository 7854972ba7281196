/** What the authorisation server has granted: codes that count once, tokens that end, families that a reused token revokes. */
import { createHash, randomBytes } from "node:crypto";

export interface Grant {
  clientId: string;
  scope: string;
  /** Who consented. */
  account: { id: string; name: string };
  isRevoked: boolean;
}

interface Code {
  grant: Grant;
  redirectUri: string;
  challenge: string;
  endsAt: number;
  isUsed: boolean;
}

export interface TokenAnswer {
  access_token: string;
  token_type: "Bearer";
  expires_in?: number;
  refresh_token?: string;
  scope: string;
}

export class TokenRefusal extends Error {
  readonly code: string;
  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}

export interface GrantHabits {
  /** Seconds; null: the answer does not say, and tokens last. */
  expiresIn: number | null;
  /** Seconds that answers name in place of that; null: the same. */
  namedLife: number | null;
  codeMs: number;
  /** Each renewal brings another refresh token, and the one before counts no longer. */
  rotates: boolean;
  givesRefreshTokens: boolean;
}

const token = (kind: string): string => `${kind}-${randomBytes(24).toString("base64url")}`;

export class GrantBook {
  readonly #habits: GrantHabits;
  readonly #codes = new Map<string, Code>();
  readonly #access = new Map<string, { grant: Grant; endsAt: number }>();
  readonly #refresh = new Map<string, { grant: Grant; isUsed: boolean }>();
  /** Everything that was ever given out, to look for where it does not belong. */
  readonly given: string[] = [];

  constructor(habits: GrantHabits) {
    this.#habits = habits;
  }

  code(of: Pick<Code, "redirectUri" | "challenge"> & Pick<Grant, "clientId" | "scope" | "account">): string {
    const { clientId, scope, account, redirectUri, challenge } = of;
    const code = this.#remember(token("code"));
    const grant = { clientId, scope, account, isRevoked: false };
    this.#codes.set(code, { grant, redirectUri, challenge, endsAt: Date.now() + this.#habits.codeMs, isUsed: false });
    return code;
  }

  /** A code that is used twice revokes what it brought (RFC 6749, section 4.1.2). */
  exchange(form: URLSearchParams, clientId: string): TokenAnswer {
    const code = this.#codes.get(form.get("code") ?? "");
    if (!code || code.grant.clientId !== clientId) throw new TokenRefusal("invalid_grant", "The code is not known.");
    if (code.isUsed) {
      code.grant.isRevoked = true;
      throw new TokenRefusal("invalid_grant", "The code was used before.");
    }
    code.isUsed = true;
    if (code.endsAt < Date.now()) throw new TokenRefusal("invalid_grant", "The code has expired.");
    if (form.get("redirect_uri") !== code.redirectUri)
      throw new TokenRefusal("invalid_grant", "The redirect address is another one.");
    const verifier = form.get("code_verifier") ?? "";
    if (createHash("sha256").update(verifier).digest("base64url") !== code.challenge)
      throw new TokenRefusal("invalid_grant", "The code verifier does not fit.");
    return this.#answer(code.grant);
  }

  refresh(form: URLSearchParams, clientId: string): TokenAnswer {
    const used = this.#refresh.get(form.get("refresh_token") ?? "");
    if (!used || used.grant.clientId !== clientId || used.grant.isRevoked)
      throw new TokenRefusal("invalid_grant", "Token has been expired or revoked.");
    if (used.isUsed) {
      used.grant.isRevoked = true;
      throw new TokenRefusal("invalid_grant", "The refresh token was used before: everything it brought is revoked.");
    }
    used.isUsed = this.#habits.rotates;
    return this.#answer(used.grant, !this.#habits.rotates);
  }

  isGood(accessToken: string): boolean {
    const found = this.#access.get(accessToken);
    return found !== undefined && !found.grant.isRevoked && found.endsAt > Date.now();
  }

  grantOf(accessToken: string): Grant | undefined {
    return this.#access.get(accessToken)?.grant;
  }

  /** Withdraws access tokens before their time; refresh tokens go on. */
  endAccessTokens(): void {
    this.#access.clear();
  }

  revokeAll(): void {
    for (const { grant } of this.#refresh.values()) grant.isRevoked = true;
    for (const { grant } of this.#access.values()) grant.isRevoked = true;
  }

  #answer(grant: Grant, keepsRefreshToken = false): TokenAnswer {
    const { expiresIn, namedLife, givesRefreshTokens } = this.#habits;
    const accessToken = this.#remember(token("access"));
    this.#access.set(accessToken, { grant, endsAt: expiresIn === null ? Infinity : Date.now() + expiresIn * 1000 });
    const answer: TokenAnswer = { access_token: accessToken, token_type: "Bearer", scope: grant.scope };
    if (expiresIn !== null) answer.expires_in = namedLife ?? expiresIn;
    if (!givesRefreshTokens || keepsRefreshToken) return answer;
    const refreshToken = this.#remember(token("refresh"));
    this.#refresh.set(refreshToken, { grant, isUsed: false });
    return { ...answer, refresh_token: refreshToken };
  }

  #remember(text: string): string {
    this.given.push(text);
    return text;
  }
}
